import { conversation, human, startAgent, startThread } from "../support/agent-server";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

// @covers 2B.Thread.thread_id, 2B.Thread.created_at, 2B.Thread.updated_at, 2B.Thread.config
test("a Thread has exactly the fields of the interface under --interface-only", async () => {
  const thread = await (await startAgent({ interfaceOnly: true })).thread({ metadata: { a: 1 } });
  expect(thread).toEqual({
    thread_id: expect.stringMatching(uuid),
    created_at: expect.stringMatching(timestamp),
    updated_at: expect.stringMatching(timestamp),
    metadata: { a: 1 },
    status: "idle",
    config: {},
    values: {},
  });
});

describe("supersteps", () => {
  // @covers 2B.Superstep
  test("may contain several updates, each attributed to its node, that create one checkpoint", async () => {
    const agent = await startAgent({ strict: true });
    const updates = [
      { values: { messages: [human("one")] }, as_node: "prepare" },
      { values: { messages: [human("two")] }, as_node: "finish" },
    ];
    const { thread_id } = await agent.thread({ metadata: { graph_id: "interrupt" }, supersteps: [{ updates }] });
    const history = await agent.history(thread_id);
    expect(history).toHaveLength(1);
    expect(Object.keys(history[0]?.metadata.writes as object)).toEqual(["prepare", "finish"]);
    expect(history[0]?.values.messages?.map(({ content }) => content)).toEqual(["one", "two"]);
  });

  // @covers 2B.Superstep:graph
  test("may be commands instead of values", async () => {
    const agent = await startAgent({ strict: true });
    const updates = [{ command: { update: { topic: "cats" }, goto: "finish" }, as_node: "prepare" }];
    const { thread_id } = await agent.thread({ metadata: { graph_id: "interrupt" }, supersteps: [{ updates }] });
    expect(await agent.state(thread_id)).toMatchObject({ values: { topic: "cats" }, next: ["finish"] });
  });
});

// @covers 2B.Thread state.values, 2B.Thread state.next, 2B.Thread state.tasks, 2B.Thread state.metadata
// @covers 2B.Thread state.created_at, 2B.Thread state.checkpoint, 2B.Thread state.parent_checkpoint
// @covers 2B.Thread state.checkpoint_id, 2B.Thread state.parent_checkpoint_id
test("a Thread state has the fields of the interface, each with its type", async () => {
  const { agent, thread_id } = await startThread(
    { interfaceOnly: true },
    { metadata: { graph_id: "echo" }, supersteps: conversation },
  );
  const history = (await agent.history(thread_id)).slice(0, 2);
  expect(history).toHaveLength(2);
  for (const state of history) {
    const checkpoint = { checkpoint_id: expect.stringMatching(uuid), thread_id, checkpoint_ns: "" };
    expect(state).toEqual({
      values: expect.any(Object),
      next: expect.any(Array),
      tasks: expect.any(Array),
      metadata: {
        thread_id,
        checkpoint_id: state.checkpoint_id,
        graph_id: "echo",
        source: "update",
        step: expect.any(Number),
        writes: expect.any(Object),
        parents: {},
      },
      created_at: expect.stringMatching(timestamp),
      checkpoint,
      parent_checkpoint: checkpoint,
      checkpoint_id: state.checkpoint.checkpoint_id,
      parent_checkpoint_id: expect.stringMatching(uuid),
    });
  }
});
