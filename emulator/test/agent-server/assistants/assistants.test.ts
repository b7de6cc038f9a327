import { startAgent, startRun, startThread, unknownId } from "../../support/agent-server";

describe("POST /assistants", () => {
  // @covers 2B.Assistant.graph_id, 7:assistants
  test("rejects what the server rejects, and stores nothing", async () => {
    const agent = await startAgent();
    for (const [body, status] of [
      [undefined, 422],
      [{ graph_id: "echo", metadata: null }, 422],
      [{ graph_id: "echo", context: [] }, 422],
      [{ graph_id: "echo", config: { tags: "a" } }, 422],
      [{ graph_id: "echo", config: { configurable: [] } }, 422],
      [{ graph_id: "echo", if_exists: "replace" }, 422],
    ] as const) {
      const response = await agent.call("POST", "/assistants", body);
      expect([body, response]).toMatchObject([body, { status, body: { detail: expect.any(String) } }]);
    }
    expect((await agent.call("POST", "/assistants/count", { name: "Untitled" })).body).toBe(0);
  });

  // @covers 2B.Assistant.assistant_id, 4B.POST /assistants:exists
  test("refuses an unknown graph also of an existing one, and begins again at version 1 after a deletion", async () => {
    const agent = await startAgent({ strict: true });
    const assistant_id = "ABCDEF00000040008000000000000001";
    const other = { assistant_id, graph_id: "counter" };
    for (const status of [200, 409]) expect((await agent.call("POST", "/assistants", other)).status).toBe(status);
    const missing = { assistant_id, graph_id: "missing", if_exists: "do_nothing" };
    expect((await agent.call("POST", "/assistants", missing)).status).toBe(404);
    expect((await agent.call("DELETE", `/assistants/${assistant_id}`)).status).toBe(204);
    expect((await agent.call("POST", "/assistants", other)).body).toMatchObject({ graph_id: "counter", version: 1 });
  });
});

// @covers 4B.DELETE /assistants/{assistant_id}:threads
test("DELETE /assistants/{assistant_id} keeps threads unless delete_threads is true", async () => {
  const { agent, thread_id } = await startThread({ strict: true });
  for (const [query, status] of [["?delete_threads=1", 200] as const, ["?delete_threads=true", 404] as const]) {
    await agent.call("POST", "/assistants", { assistant_id: unknownId, graph_id: "counter" });
    await startRun(agent, thread_id, { assistant_id: unknownId, input: {} });
    await agent.call("DELETE", `/assistants/${unknownId}${query}`);
    expect((await agent.call("GET", `/threads/${thread_id}`)).status).toBe(status);
  }
});

describe("an assistant", () => {
  // @covers 1B.item 3, 1B.item 3:configuration, 2B.Assistant.metadata:runs, 2B.Assistant.version, 2B.Assistant.schema
  test("gives its runs its configuration, its metadata and its current version", async () => {
    const agent = await startAgent({ strict: true });
    const create = { graph_id: "echo", metadata: { customer: "c-1" } };
    const { assistant_id } = (await agent.call("POST", "/assistants", create)).body;
    const answers: unknown[] = [];
    for (const context of [{ prefix: "Reply: " }, { letters: "upper" }]) {
      await agent.call("PATCH", `/assistants/${assistant_id}`, { context });
      const { thread_id } = await agent.thread();
      const start = { assistant_id, input: { messages: "Hello" }, metadata: { a: 1 } };
      const run = await startRun(agent, thread_id, start, 5000);
      const { body } = await agent.call("GET", `/threads/${thread_id}/runs/${run}`);
      expect(body).toMatchObject({ metadata: { customer: "c-1", a: 1 }, kwargs: { context } });
      answers.push((await agent.state(thread_id)).values.messages?.at(-1)?.content);
    }
    expect(answers).toEqual(["Reply: Hello", "Echo: HELLO"]);
  });

  // @covers 2B.Assistant.default:owner
  test("is seen only by its owner under custom authentication, who can run a hidden default assistant", async () => {
    const agent = await startAgent({ strict: true, agentAuth: "custom" });
    const as = (user: string) => (method: string, path: string, body?: unknown) =>
      agent.call(method, path, body, { authorization: `Bearer ${user}` });
    const create = { assistant_id: unknownId, graph_id: "echo", if_exists: "do_nothing" };
    const { body } = await as("ann")("POST", "/assistants", create);
    expect(body.metadata).toEqual({ agentgraph_auth_user_id: "ann" });
    expect((await as("ann")("POST", "/assistants/search", {})).list).toEqual([body]);
    for (const [method, requestBody] of [["GET"], ["PATCH", {}], ["DELETE"]] as const)
      expect((await as("bob")(method, `/assistants/${unknownId}`, requestBody)).status).toBe(404);
    expect((await as("bob")("POST", "/assistants", create)).status).toBe(409);
    expect((await as("bob")("POST", "/runs", { assistant_id: unknownId, input: {} })).status).toBe(404);
    expect((await as("bob")("POST", "/runs", { assistant_id: "echo", input: {} })).status).toBe(200);
  });
});

test("a Python server draws a graph by its name, with subgraphs to a depth that is a positive number", async () => {
  const agent = await startAgent({ strict: true });
  const [echo] = (await agent.call("POST", "/assistants/search", { graph_id: "echo" })).list;
  const draw = (name: string, query = "") => agent.call("GET", `/assistants/${name}/graph${query}`);
  const byId = await draw(echo?.assistant_id.toUpperCase() ?? "");
  expect(byId.status).toBe(200);
  for (const query of ["", "?xray=true", "?xray=false", "?xray=2"])
    expect((await draw("echo", query)).body).toEqual(byId.body);
  for (const query of ["?xray=0", "?xray=-1", "?xray=deep"]) expect((await draw("echo", query)).status).toBe(422);
  const nodesOf = async (query: string) =>
    ((await draw("memory", query)).body as unknown as { nodes: { id: string }[] }).nodes.map(({ id }) => id);
  expect(await nodesOf("?xray=false")).toEqual(["__start__", "remember", "__end__"]);
  for (const query of ["?xray=true", "?xray=1"])
    expect(await nodesOf(query)).toEqual(["__start__", "remember:recall", "__end__"]);
  expect((await draw("missing")).status).toBe(422);
  expect((await agent.call("GET", "/assistants/echo/schemas")).status).toBe(422);
});
