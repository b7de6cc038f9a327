import { conversation, startAgent, unknownId } from "../../support/agent-server";

// API `4B`, row by row. The recordings show the same without --interface-only.
describe("with --interface-only,", () => {
  const echo = { metadata: { graph_id: "echo" }, supersteps: conversation };

  // @covers 2B.Thread.values, 2B.Superstep:order, 4B.POST /threads:state
  test("POST /threads with supersteps builds the initial state, in order", async () => {
    const agent = await startAgent({ interfaceOnly: true });
    const thread = await agent.thread(echo);
    expect(thread.status).toBe("idle");
    expect(thread.values.messages?.map(({ content }) => content)).toEqual(["Hello", "Hello, you"]);
  });

  // @covers 2B.Thread.values, 4B.POST /threads/{thread_id}/copy
  test("POST /threads/{thread_id}/copy returns a new thread", async () => {
    const agent = await startAgent({ interfaceOnly: true });
    const thread = await agent.thread(echo);
    const copy = (await agent.call("POST", `/threads/${thread.thread_id}/copy`)).body;
    expect(copy).toMatchObject({ status: "idle", metadata: thread.metadata, values: thread.values });
    expect(copy.thread_id).not.toBe(thread.thread_id);
  });

  // @covers 4B.POST /threads/search, 4B.POST /threads/search:metadata
  test("POST /threads/search returns the threads with matching metadata", async () => {
    const agent = await startAgent({ interfaceOnly: true });
    const thread = await agent.thread({ metadata: { team: "a" } });
    await agent.thread({ metadata: { team: "b" } });
    const matches = await agent.call("POST", "/threads/search", { metadata: { team: "a" }, status: "idle", limit: 5 });
    expect(matches.list.map(({ thread_id }) => thread_id)).toEqual([thread.thread_id]);
  });

  // @covers 2B.Thread.thread_id, 4B.GET /threads/{thread_id}
  test("GET /threads/{thread_id} returns the thread", async () => {
    const agent = await startAgent({ interfaceOnly: true });
    const thread = await agent.thread(echo);
    expect((await agent.call("GET", `/threads/${thread.thread_id}`)).body).toEqual(thread);
    expect(await agent.call("GET", `/threads/${unknownId}`)).toMatchObject({
      status: 404,
      body: { detail: `Thread with ID ${unknownId} not found` },
    });
  });

  // @covers 2B.Thread state.checkpoint_id, 4B.GET /threads/{thread_id}/state/{checkpoint_id}
  test("GET /threads/{thread_id}/state/{checkpoint_id} returns the state at that checkpoint", async () => {
    const agent = await startAgent({ interfaceOnly: true });
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
    const agent = await startAgent({ interfaceOnly: true });
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
