/** What a thread and a run show afterwards, and what a command sends to a node. */
import { human, runMs, startRun, startThread } from "../../support/agent-server";

const counting = { assistant_id: "counter", input: { steps: 100 } };

// @covers 2B.Thread.more
test.each([
  ["interrupt", "UserInterrupt", "interrupted"],
  ["rollback", "UserRollback", "idle"],
])("a thread whose run was cancelled by %s has the error %s, and is %s", async (action, error, status) => {
  const { agent, thread_id } = await startThread({ strict: true });
  await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 1 } }, runMs);
  const run = await startRun(agent, thread_id, counting, 2000);
  await agent.call("POST", `/threads/${thread_id}/runs/${run}/cancel?action=${action}`);
  const path = "/threads/{thread_id}/runs/{run_id}/cancel";
  const thread = { status, error: { error, message: `${action} requested via POST ${path}` } };
  expect((await agent.call("GET", `/threads/${thread_id}`)).body).toMatchObject(thread);
});

test("a result of a cancelled run is its values, and the next run removes its error from the thread", async () => {
  const { agent, thread_id } = await startThread({ strict: true });
  const run = await startRun(agent, thread_id, counting, 2000);
  const cancel = async () => (await agent.call("POST", "/runs/cancel", { thread_id, run_ids: [run] })).status;
  expect([await cancel(), await cancel()]).toEqual([204, 404]);
  const { body } = await agent.call("GET", `/threads/${thread_id}`);
  expect(body).toMatchObject({
    error: { error: "UserInterrupt", message: "interrupt requested via POST /runs/cancel" },
  });
  const result = await agent.call("GET", `/threads/${thread_id}/runs/${run}/join`);
  expect(result.body).toEqual((await agent.state(thread_id)).values);
  await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 1 } }, runMs);
  expect((await agent.call("GET", `/threads/${thread_id}`)).body).toMatchObject({ status: "idle", error: null });
});

// @covers 2B.Thread.config:runs
test("a thread has the tags and the recursion limit of its runs, and what their assistants configure", async () => {
  const { agent, thread_id } = await startThread({ strict: true });
  const configuration = { graph_id: "echo", config: { tags: ["a"], configurable: { letters: "upper" } } };
  const { assistant_id } = (await agent.call("POST", "/assistants", configuration)).body;
  const config = { tags: ["b"], recursion_limit: 9, configurable: { key: "value" } };
  await startRun(agent, thread_id, { assistant_id, input: { messages: [human("Hi")] }, config }, runMs);
  const expected = { tags: ["b"], recursion_limit: 9, configurable: { letters: "upper" } };
  expect((await agent.call("GET", `/threads/${thread_id}`)).body.config).toEqual(expected);
});

// @covers 2B.Run
test("a run shows how it streams, where it stops, and how it stores its steps", async () => {
  const { agent, thread_id } = await startThread({ strict: true });
  const settings = { stream_mode: "updates", interrupt_before: ["echo"], stream_resumable: true };
  const { body } = await agent.call("POST", `/threads/${thread_id}/runs`, { assistant_id: "echo", ...settings });
  const config = { configurable: { thread_id, graph_id: "echo" } };
  const stored = {
    config,
    stream_mode: ["updates"],
    interrupt_before: ["echo"],
    interrupt_after: null,
    resumable: true,
  };
  expect(body).toMatchObject({ kwargs: { ...stored, webhook: null, durability: "async", checkpoint_during: true } });
});

// @covers 2B.Thread state.metadata:run
test("states have the metadata of their run, by which a history is filtered", async () => {
  const { agent, thread_id } = await startThread({ strict: true }, { metadata: { of: "thread" } });
  const run = { assistant_id: "counter", input: { steps: 1 } };
  await startRun(agent, thread_id, { ...run, metadata: { name: "one", source: "reserved" } }, runMs);
  await startRun(agent, thread_id, { ...run, metadata: { name: "two" } }, runMs);
  const read = async (metadata: object) =>
    (await agent.call("POST", `/threads/${thread_id}/history`, { limit: 9, metadata })).list;
  const states = await read({ name: "one" });
  expect(states.map(({ metadata }) => metadata.source)).toEqual(["loop", "loop", "input"]);
  expect(states[0]?.metadata).toMatchObject({ of: "thread", graph_id: "counter", thread_id });
});

test.each([
  ["a recursion limit", "GraphRecursionError", { input: { steps: 9 }, config: { recursion_limit: 1 } }],
  ["no input", "EmptyInputError", { input: null }],
])("a run that fails for %s has the error %s of the library", async (_, error, settings) => {
  const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
  const run = { assistant_id: "counter", ...settings };
  const { body } = await agent.call("POST", `/threads/${thread_id}/runs/wait`, run);
  expect(body).toMatchObject({ __error__: { error } });
});

// @covers 2B.Run:goto
test.each([
  ["python", "Echo: Sent"],
  ["javascript", "Echo: Hi"],
] as const)("a node gets what a command sends to it from a %s server: %s", async (agentServer, reply) => {
  const { agent, thread_id } = await startThread({ strict: true, agentServer, speed: "instant" });
  const replyTo = async (body: object) => {
    await agent.call("POST", `/threads/${thread_id}/runs/wait`, { assistant_id: "echo", ...body });
    return (await agent.state(thread_id)).values.messages?.at(-1)?.content;
  };
  expect(await replyTo({ input: { messages: [human("Hi")] } })).toBe("Echo: Hi");
  const sent = { node: "echo", input: { messages: [human("Sent")] } };
  for (const goto of [sent, [sent]]) expect(await replyTo({ command: { goto } })).toBe(reply);
  expect(await replyTo({ command: { goto: "echo" } })).toBe("Echo: Hi");
});

// @covers 2B.Run:checkpoint
test.each([
  ["python", 422],
  ["javascript", 200],
] as const)("a server in %s responds with %i to a checkpoint_id that is not a UUID", async (agentServer, status) => {
  const { agent, thread_id } = await startThread({ strict: true, agentServer });
  const run = { assistant_id: "echo", checkpoint_id: "abc" };
  expect((await agent.call("POST", `/threads/${thread_id}/runs`, run)).status).toBe(status);
});

test("a body has numbers and booleans as such", async () => {
  const { agent, thread_id } = await startThread();
  for (const [path, body] of [
    ["/threads/search", { limit: "5" }],
    ["/store/namespaces", { limit: true }],
    [`/threads/${thread_id}/runs`, { assistant_id: "echo", after_seconds: "5" }],
    [`/threads/${thread_id}/runs`, { assistant_id: "echo", stream_subgraphs: "true" }],
  ] as const)
    expect((await agent.call("POST", path, body)).status).toBe(422);
  expect((await agent.call("GET", `/threads/${thread_id}/runs?limit=5`)).status).toBe(200);
});
