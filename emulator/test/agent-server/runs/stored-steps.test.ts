import { runMs, startAgent, startRun, startThread, unknownId } from "../../support/agent-server";

const asking = { assistant_id: "interrupt", input: {}, durability: "exit" };

// @covers 4B.POST /threads/{thread_id}/history
test.each([
  ["python", [2, 1]],
  ["javascript", [2, 1, 0, -1]],
] as const)("a run with the durability exit leaves its last step in a history of %s", async (agentServer, steps) => {
  const { agent, thread_id } = await startThread({ agentServer, speed: "instant" });
  const call = (path: string, body?: object) => agent.call(body ? "POST" : "GET", `/threads/${thread_id}${path}`, body);
  await call("/runs/wait", asking);
  await call("/runs/wait", { assistant_id: "interrupt", command: { resume: "Yes" }, checkpoint_during: false });
  const states = (await call("/history", { limit: 10 })).list;
  expect(states.map(({ metadata }) => metadata.step)).toEqual(steps);
  const parents = [...states.slice(1).map(({ checkpoint_id }) => checkpoint_id), null];
  expect(states.map(({ parent_checkpoint_id }) => parent_checkpoint_id)).toEqual(parents);
  expect(states[0]?.values).toEqual({ prepared: true, resumed: "Yes", finished: true });
});

// @covers 2B.Thread state.values
test("a run sees and leaves the values of its own graph, which a run of another one does not change", async () => {
  const { agent, thread_id } = await startThread({ speed: "instant" });
  const run = async (body: object) => (await agent.call("POST", `/threads/${thread_id}/runs/wait`, body)).body;
  expect(await run({ assistant_id: "counter", input: { steps: 1 } })).toEqual({ count: 1, steps: 0 });
  const { __interrupt__: _, ...asked } = { __interrupt__: [], ...(await run(asking)) };
  expect(asked).toEqual({ prepared: true });
  expect(await run({ assistant_id: "counter", input: { steps: 1 } })).toEqual({ count: 2, steps: 0 });
});

// @covers 4B.POST /runs/cancel
test("a run that is named twice, beside one that does not exist, is rolled back once", async () => {
  const { agent, thread_id } = await startThread();
  const run = await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 9 } }, 1000);
  const body = { thread_id, run_ids: [run, unknownId, run] };
  expect((await agent.call("POST", "/runs/cancel?action=rollback", body)).status).toBe(204);
  expect((await agent.call("GET", `/threads/${thread_id}/runs?status=unknown`)).list).toEqual([]);
  const other = await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 9 } }, 1000);
  expect((await agent.call("POST", `/threads/${thread_id}/runs/${other}/cancel?action=other&wait=no`)).status).toBe(
    202,
  );
});

// @covers 4.list-order
test("the server in Python lists threads by their last change", async () => {
  const agent = await startAgent();
  const [first, second] = [await agent.thread(), await agent.thread()];
  await startRun(agent, first.thread_id, asking, runMs);
  const { list } = await agent.call("POST", "/threads/search", {});
  expect(list.map(({ thread_id }) => thread_id)).toEqual([first.thread_id, second.thread_id]);
});

// @covers 4B.POST /threads/{thread_id}/runs/stream:modes
test("tasks show the metadata and the tags of a run's configuration", async () => {
  const { agent, thread_id } = await startThread({ speed: "instant" });
  const config = { metadata: { of: "run" }, tags: ["one"] };
  const body = { ...asking, config, stream_mode: ["tasks"] };
  const { body: text } = await agent.call("POST", `/threads/${thread_id}/runs/stream`, body);
  expect(String(text)).toMatch(/"metadata":\{[^{}]*"of":"run"[^{}]*"tags":\["one"\]/);
});
