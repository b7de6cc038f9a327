import { startAgent, unknownId } from "../../support/agent-server";

const start = { tags: ["t"], recursion_limit: 5, configurable: { a: 1 } };

/** The body of a PATCH of an assistant with `start`, and what it has afterwards. The recordings have other forms. */
const patches = [
  [{ config: { configurable: { b: 1 } } }, { config: { configurable: { b: 1 } }, context: { b: 1 } }],
  [
    { context: {}, config: { configurable: { b: 1 } } },
    { config: { configurable: { b: 1 } }, context: { b: 1 } },
  ],
] as const;

// @covers 2B.Assistant.mirrors, 2B.Assistant.mirrors:context, 2B.Assistant.mirrors:empty, 10B.assistant-patch
test("context and config.configurable mirror each other in a PATCH, with the exceptions of the server", async () => {
  const agent = await startAgent({ strict: true });
  const path = `/assistants/${unknownId}`;
  for (const [body, expected] of patches) {
    await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "echo", config: start });
    const { config, context, version } = (await agent.call("PATCH", path, body)).body;
    expect([body, { config, context, version }]).toEqual([body, { ...expected, version: 2 }]);
    await agent.call("DELETE", path);
  }
});

// @covers 2B.Assistant.mirrors:both
test("an empty context counts as not sent, and a request with both mirrors makes no version", async () => {
  const agent = await startAgent({ strict: true });
  const config = { configurable: { a: 1 } };
  const { body } = await agent.call("POST", "/assistants", { graph_id: "echo", config, context: {} });
  expect(body).toMatchObject({ config, context: { a: 1 } });
  const path = `/assistants/${body.assistant_id}`;
  expect((await agent.call("PATCH", path)).status).toBe(422);
  expect((await agent.call("PATCH", path, { config, context: { b: 1 } })).status).toBe(400);
  expect((await agent.call("GET", path)).body).toEqual(body);
  const run = { assistant_id: body.assistant_id, input: {}, config, context: { b: 1 } };
  expect((await agent.call("POST", "/runs", run)).status).toBe(400);
});
