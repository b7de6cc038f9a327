import { type Agent, human, runMs, startAgent, startRun, startThread, unknownId } from "../../support/agent-server";

// Requests that agent SDKs send in addition to runs on a thread.
const hello = { assistant_id: "echo", input: { messages: [human("Hello")] } };
const echoedValues = { messages: [{ content: "Hello" }, { content: "Echo: Hello" }] };

const searchThreads = async (agent: Agent) => (await agent.call("POST", "/threads/search", {})).list;

describe("a run without a thread", () => {
  // @covers 4B.POST /runs
  test("gets its own thread, which is deleted some time after the run", async () => {
    const agent = await startAgent();
    const { status, body } = await agent.call("POST", "/runs", hello);
    expect([status, body.status]).toEqual([200, "pending"]);
    await agent.advance(runMs);
    expect((await agent.state(body.thread_id)).values).toMatchObject(echoedValues);
    await agent.advance(180_000);
    expect(await searchThreads(agent)).toEqual([]);
  });

  test("keeps its thread with on_completion keep", async () => {
    const agent = await startAgent();
    const { body } = await agent.call("POST", "/runs", { ...hello, on_completion: "keep" });
    await agent.advance(180_000);
    expect((await searchThreads(agent)).map(({ thread_id }) => thread_id)).toEqual([body.thread_id]);
  });

  // @covers 4B.POST /runs/batch
  test("may be one of a batch that runs in parallel", async () => {
    const agent = await startAgent();
    const { status, list } = await agent.call("POST", "/runs/batch", [hello, { ...hello, assistant_id: "counter" }]);
    expect(status).toBe(200);
    expect(new Set(list.map(({ thread_id }) => thread_id)).size).toBe(2);
    await agent.advance(runMs);
    const [, counter] = list;
    expect((await agent.state(counter?.thread_id ?? "")).values).toMatchObject({ count: 3 });
  });
});

const long = { assistant_id: "counter", input: { steps: 1000 } };

// @covers 4B.POST /runs/cancel
test("several runs are canceled by thread and ID, or by status", async () => {
  const agent = await startAgent();
  const [one, two] = [await agent.thread(), await agent.thread()];
  const statusOf = async (id: string) => (await agent.call("GET", `/threads/${id}`)).body.status;
  const status = () => Promise.all([one, two].map(({ thread_id }) => statusOf(thread_id)));
  const cancel = async (body: object) => (await agent.call("POST", "/runs/cancel", body)).status;
  const run = await startRun(agent, one.thread_id, long);
  await startRun(agent, two.thread_id, long, 1000);
  expect(await cancel({ thread_id: one.thread_id, run_ids: [unknownId] })).toBe(404);
  expect(await cancel({ run_ids: [run] })).toBe(422);
  expect(await cancel({ thread_id: one.thread_id })).toBe(422);
  expect(await cancel({ thread_id: one.thread_id, run_ids: [run], status: "all" })).toBe(422);
  expect(await cancel({})).toBe(422);
  expect(await cancel({ thread_id: one.thread_id, run_ids: [run] })).toBe(204);
  expect(await status()).toEqual(["interrupted", "busy"]);
  expect(await cancel({ status: "pending" })).toBe(404);
  expect(await cancel({ status: "running" })).toBe(204);
  expect(await status()).toEqual(["interrupted", "interrupted"]);
});

// @covers 4B.POST /threads/prune
test("several threads are pruned at once: deleted, or reduced to their latest state", async () => {
  const agent = await startAgent({ speed: "instant" });
  const [one, two] = [await agent.thread(), await agent.thread()];
  for (const { thread_id } of [one, two]) await agent.call("POST", `/threads/${thread_id}/runs/wait`, hello);
  const prune = async (body: object) => (await agent.call("POST", "/threads/prune", body)).body;
  expect(await prune({ thread_ids: [one.thread_id, unknownId], strategy: "keep_latest" })).toEqual({ pruned_count: 1 });
  expect((await agent.history(one.thread_id)).map(({ values }) => values)).toMatchObject([echoedValues]);
  expect(await prune({ thread_ids: [two.thread_id] })).toEqual({ pruned_count: 1 });
  expect((await searchThreads(agent)).map(({ thread_id }) => thread_id)).toEqual([one.thread_id]);
});

test("an update of the state may be a list, which is applied in order and creates one checkpoint", async () => {
  const { agent, thread_id } = await startThread({}, { metadata: { graph_id: "echo" } });
  const update = (values: unknown) => agent.call("POST", `/threads/${thread_id}/state`, { values, as_node: "echo" });
  expect((await update([{ a: 1, b: 1 }, { b: 2 }])).status).toBe(200);
  expect((await agent.state(thread_id)).values).toEqual({ a: 1, b: 2 });
  expect(await agent.history(thread_id)).toHaveLength(1);
  expect(await update("text")).toMatchObject({ status: 422, body: { detail: expect.stringContaining("body.values") } });
});
