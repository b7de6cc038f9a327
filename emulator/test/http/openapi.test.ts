import { start } from "../support/emulator";

describe("/openapi.json", () => {
  // @covers 9.item 1:description
  test("has version 0.1.0 and needs no API key", async () => {
    const response = await (await start()).send("GET", "/openapi.json", undefined, {});
    expect(response).toMatchObject({ status: 200, body: { info: { version: "0.1.0" } } });
  });

  type Operation = { operationId: string; responses: object; parameters?: { name: string }[] };
  type OpenApi = { paths: Record<string, Record<string, Operation>> };

  // @covers 9.item 1:upload
  test("describes exactly the available routes, with unique IDs", async () => {
    const fullApi = (await (await start()).get("/openapi.json")).body as unknown as OpenApi;
    expect(Object.keys(fullApi.paths["/v2/deployments/{deployment_id}"] ?? {})).toEqual(["get", "patch", "delete"]);
    const ids = Object.values(fullApi.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));
    expect(ids).toEqual([...new Set(ids)]);
    const smallApi = (await (await start({ interfaceOnly: true })).get("/openapi.json")).body as unknown as OpenApi;
    const routes = Object.entries(smallApi.paths).map(([path, methods]) => `${Object.keys(methods)} ${path}`);
    expect(routes).toEqual([
      "get,post /v2/deployments",
      "get,patch /v2/deployments/{deployment_id}",
      "get /v2/deployments/{deployment_id}/revisions/{revision_id}",
      "get /v2/listeners",
      "post /deployments/{deployment_id}/upload-url",
      "put /uploads/{upload_id}",
      "get /v1/integrations/githost/install",
      "post /api/v1/bulk-exports/destinations",
      "post /api/v1/bulk-exports",
      "get /api/v1/bulk-exports/{export_id}",
      "get /api/v1/workspaces/{workspace_id}",
      "post /agents/{deployment_id}/threads",
      "post /agents/{deployment_id}/threads/search",
      "get /agents/{deployment_id}/threads/{thread_id}",
      "post /agents/{deployment_id}/threads/{thread_id}/copy",
      "get /agents/{deployment_id}/threads/{thread_id}/state",
      "get /agents/{deployment_id}/threads/{thread_id}/state/{checkpoint_id}",
      "post /agents/{deployment_id}/threads/{thread_id}/history",
    ]);
  });

  test("documents the partial success of deleting several deployments", async () => {
    const { paths } = (await (await start()).get("/openapi.json")).body as unknown as OpenApi;
    expect(Object.keys(paths["/v2/deployments"]?.delete?.responses ?? {}).join(" ")).toBe("200 207 401 403 404 422");
  });

  // @covers 4A.GET /v2/deployments
  test("lists the query parameters, and references only existing schemas", async () => {
    const text = JSON.stringify((await (await start({ interfaceOnly: true })).get("/openapi.json")).body);
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
    const client = await start({ vocabulary: { githost: "github", agentgraph: "langgraph" } });
    const text = JSON.stringify((await client.get("/openapi.json")).body);
    expect(text).toContain("langgraph_config_path");
    expect(text).not.toContain("githost");
  });
});
