import { start } from "../support/emulator";

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string }[];
  requestBody?: { required: boolean };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}
type OpenApi = { paths: Record<string, Record<string, Operation>> };

async function read(options: Parameters<typeof start>[0] = {}): Promise<OpenApi> {
  return (await (await start(options)).get("/openapi.json")).body as unknown as OpenApi;
}

const operationsOf = ({ paths }: OpenApi): [string, Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );

describe("/openapi.json", () => {
  // @covers 9.item 1:description
  test("has version 0.1.0 and needs no API key", async () => {
    const response = await (await start()).send("GET", "/openapi.json", undefined, {});
    expect(response).toMatchObject({ status: 200, body: { info: { version: "0.1.0" } } });
  });

  // @covers 9.item 1:upload
  test("describes the available routes, with unique IDs", async () => {
    const api = await read();
    expect(Object.keys(api.paths["/v2/deployments/{deployment_id}"] ?? {})).toEqual(["get", "patch", "delete"]);
    const ids = operationsOf(api).map(([, { operationId }]) => operationId);
    expect(ids).toEqual([...new Set(ids)]);
    const { paths } = await read({ interfaceOnly: true });
    expect(Object.keys(paths["/v2/deployments/{deployment_id}"] ?? {})).toEqual(["get", "patch"]);
    expect(Object.keys(paths["/uploads/{upload_id}"] ?? {})).toEqual(["put"]);
  });

  test("says of every operation what it does, and what it returns", async () => {
    for (const [name, { summary, responses }] of operationsOf(await read())) {
      expect(`${name}: ${summary}`).toMatch(/: [A-Z][\w ']+/);
      const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
      expect(`${name}: ${successes.length}`).not.toBe(`${name}: 0`);
      for (const [status, { description }] of successes)
        expect(`${name} ${status}: ${description}`).toMatch(/\d: [A-Z][\w ]/);
    }
  });

  test.each([
    ["delete /v2/deployments", undefined, "200 207 401 403 404 422"],
    ["post /api/v1/bulk-exports", true, "200 400 401 403 404 413 422 429"],
    ["post /agents/{deployment_id}/threads", true, "200 201 400 404 409 413 422 500 503"],
  ])("of %s has a body that is required: %s, and responses with the statuses %s", async (name, required, statuses) => {
    const operation = Object.fromEntries(operationsOf(await read()))[name];
    expect(operation?.requestBody?.required).toBe(required);
    expect(Object.keys(operation?.responses ?? {}).join(" ")).toBe(statuses);
    expect(operation?.responses["200"]?.content?.["application/json"]?.schema).not.toEqual({});
  });

  // @covers 4A.GET /v2/deployments
  test("lists the query parameters, and references only existing schemas", async () => {
    const text = JSON.stringify(await read({ interfaceOnly: true }));
    const { paths } = JSON.parse(text) as OpenApi;
    expect(paths["/v2/deployments"]?.get?.parameters?.map(({ name }) => name)).toEqual([
      ...["limit", "offset", "name_contains", "status", "remote_reconciled", "tag_value_ids"],
      ...["image_version", "deployment_type", "deployment_ids"],
    ]);
    const { components } = JSON.parse(text) as { components: { schemas: object } };
    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g))
      expect(components.schemas).toHaveProperty(String(name));
  });

  test("uses the terms of the vocabulary", async () => {
    const text = JSON.stringify(await read({ vocabulary: { githost: "github", agentgraph: "langgraph" } }));
    expect(text).toContain("langgraph_config_path");
    expect(text).not.toContain("githost");
  });
});
