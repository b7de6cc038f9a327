import { start } from "../support/emulator";

interface Operation {
  summary: string;
  requestBody?: { required: boolean };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

describe("/openapi.json", () => {
  const operationsOf = async (): Promise<[string, Operation][]> => {
    const { body } = await (await start()).get("/openapi.json");
    const { paths } = body as unknown as { paths: Record<string, Record<string, Operation>> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
    );
  };

  test("says of every operation what it does, and what it returns", async () => {
    for (const [name, { summary, responses }] of await operationsOf()) {
      expect(`${name}: ${summary}`).toMatch(/: [A-Z][\w ']+/);
      const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
      expect(`${name}: ${successes.length}`).not.toBe(`${name}: 0`);
      for (const [status, { description }] of successes)
        expect(`${name} ${status}: ${description}`).toMatch(/\d: [A-Z][\w ]/);
    }
  });

  test.each([
    ["post /threads", true, ["200", "201", "409"]],
    ["post /threads/count", true, ["200"]],
    ["post /threads/prune", true, ["200"]],
    ["get /threads/{thread_id}", undefined, ["200"]],
    ["patch /threads/{thread_id}", true, ["200"]],
    ["post /threads/{thread_id}/copy", undefined, ["200"]],
    ["get /threads/{thread_id}/state", undefined, ["200"]],
    ["post /threads/{thread_id}/state", true, ["200", "400", "409"]],
    ["get /threads/{thread_id}/state/{checkpoint_id}", undefined, ["200"]],
    ["post /threads/{thread_id}/state/checkpoint", true, ["200"]],
    ["post /threads/{thread_id}/history", true, ["200"]],
  ])("of %s has a body that is required: %s, and responses with the statuses %j", async (name, required, statuses) => {
    const [method = "", path] = name.split(" ");
    const operation = Object.fromEntries(await operationsOf())[`${method} /agents/{deployment_id}${path}`];
    expect(operation?.requestBody?.required).toBe(required);
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
    expect(operation?.responses["200"]?.content?.["application/json"]?.schema).not.toEqual({});
    expect(operation?.responses["200"]?.content).toBeDefined();
  });
});
