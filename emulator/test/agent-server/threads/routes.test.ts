import { conversation, startAgent, unknownId } from "../../support/agent-server";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

// API `4B`, row by row, under --strict and under --interface-only.
describe.each(["strict", "interfaceOnly"] as const)("with %s,", (mode) => {
  const echo = { metadata: { graph_id: "echo" }, supersteps: conversation };

  // @covers 4B.POST /threads, 4B.POST /threads:empty
  test("POST /threads with an empty object creates an empty thread that is idle", async () => {
    const agent = await startAgent({ [mode]: true });
    const { status, body } = await agent.call("POST", "/threads", {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "idle", metadata: {}, values: {} });
    expect(body.thread_id).toMatch(uuid);
    expect(body.created_at).toBe(body.updated_at);
  });

  // @covers 2B.Thread.values, 2B.Superstep:order, 4B.POST /threads:state
  test("POST /threads with supersteps builds the initial state, in order", async () => {
    const agent = await startAgent({ [mode]: true });
    const thread = await agent.thread(echo);
    expect(thread.status).toBe("idle");
    expect(thread.values.messages?.map(({ content }) => content)).toEqual(["Hello", "Hello, you"]);
  });

  // @covers 2B.Thread.values, 4B.POST /threads/{thread_id}/copy
  test("POST /threads/{thread_id}/copy returns a new thread", async () => {
    const agent = await startAgent({ [mode]: true });
    const thread = await agent.thread(echo);
    const copy = (await agent.call("POST", `/threads/${thread.thread_id}/copy`)).body;
    expect(copy).toMatchObject({ status: "idle", metadata: thread.metadata, values: thread.values });
    expect(copy.thread_id).not.toBe(thread.thread_id);
  });

  // @covers 4B.POST /threads/search, 4B.POST /threads/search:metadata
  test("POST /threads/search returns the threads with matching metadata", async () => {
    const agent = await startAgent({ [mode]: true });
    const thread = await agent.thread({ metadata: { team: "a" } });
    await agent.thread({ metadata: { team: "b" } });
    const matches = await agent.call("POST", "/threads/search", { metadata: { team: "a" }, status: "idle", limit: 5 });
    expect(matches.list.map(({ thread_id }) => thread_id)).toEqual([thread.thread_id]);
  });

  // @covers 2B.Thread.thread_id, 4B.GET /threads/{thread_id}
  test("GET /threads/{thread_id} returns the thread", async () => {
    const agent = await startAgent({ [mode]: true });
    const thread = await agent.thread(echo);
    expect((await agent.call("GET", `/threads/${thread.thread_id}`)).body).toEqual(thread);
    expect(await agent.call("GET", `/threads/${unknownId}`)).toMatchObject({
      status: 404,
      body: { detail: `Thread with ID ${unknownId} not found` },
    });
  });

  // @covers 2B.Thread state.values, 2B.Thread state.metadata, 2B.Thread state.checkpoint
  // @covers 2B.Thread state.parent_checkpoint, 2B.Thread state.checkpoint_id, 4B.GET /threads/{thread_id}/state
  test("GET /threads/{thread_id}/state returns the latest state with every field of the interface", async () => {
    const agent = await startAgent({ [mode]: true });
    const { thread_id, values } = await agent.thread(echo);
    const state = await agent.state(thread_id);
    const { checkpoint_id, parent_checkpoint_id } = state;
    expect(state).toMatchObject({ values, next: [], tasks: [], created_at: expect.any(String) });
    expect(state.checkpoint).toEqual({ checkpoint_id, thread_id, checkpoint_ns: "" });
    expect(state).toMatchObject({ parent_checkpoint: { checkpoint_id: parent_checkpoint_id, thread_id } });
    expect(state.metadata).toEqual({
      thread_id,
      checkpoint_id,
      graph_id: "echo",
      source: "update",
      step: 1,
      parents: {},
      writes: { echo: { messages: [{ type: "ai", content: "Hello, you" }] } },
    });
  });

  // @covers 2B.Thread state.checkpoint_id, 4B.GET /threads/{thread_id}/state/{checkpoint_id}
  test("GET /threads/{thread_id}/state/{checkpoint_id} returns the state at that checkpoint", async () => {
    const agent = await startAgent({ [mode]: true });
    const { thread_id } = await agent.thread(echo);
    const history = await agent.history(thread_id);
    expect(history).toHaveLength(3);
    for (const state of history) {
      const response = await agent.call("GET", `/threads/${thread_id}/state/${state.checkpoint_id}`);
      expect(response).toMatchObject({ status: 200, body: state });
    }
  });

  // @covers 2B.Thread state.next, 2B.Thread state.parent_checkpoint, 2B.Thread state.parent_checkpoint_id
  // @covers 4B.POST /threads/{thread_id}/history
  test("POST /threads/{thread_id}/history returns states, most recent first", async () => {
    const agent = await startAgent({ [mode]: true });
    const { thread_id } = await agent.thread(echo);
    const history = await agent.history(thread_id);
    expect(history.map(({ metadata }) => metadata.step)).toEqual([1, 0, -1]);
    expect(history.map(({ next }) => next)).toEqual([[], ["echo"], ["__start__"]]);
    const parents = history.map(({ parent_checkpoint_id }) => parent_checkpoint_id);
    expect(parents).toEqual([...history.slice(1).map(({ checkpoint_id }) => checkpoint_id), null]);
    const two = await agent.call("POST", `/threads/${thread_id}/history`, { limit: 2 });
    expect(two.list).toEqual(history.slice(0, 2));
  });
});
