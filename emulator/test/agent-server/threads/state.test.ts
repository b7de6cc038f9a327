import {
  type Agent,
  conversation,
  human,
  runMs,
  startAgent,
  startRun,
  startThread,
  unknownId,
} from "../../support/agent-server";

const echo = { metadata: { graph_id: "echo" }, supersteps: conversation };
const messageUpdate = (content: string, as_node = "echo") => ({ values: { messages: [human(content)] }, as_node });
const updateState = (agent: Agent, id: string, body: object) => agent.call("POST", `/threads/${id}/state`, body);

describe("the state of a thread", () => {
  test("can be updated at an earlier checkpoint, which starts a branch", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, echo);
    const [, earlier] = await agent.history(thread_id);
    await updateState(agent, thread_id, { ...messageUpdate("A different reply"), checkpoint: earlier?.checkpoint });
    const after = await agent.state(thread_id);
    expect(after.parent_checkpoint_id).toBe(earlier?.checkpoint_id);
    expect(after.values.messages?.map(({ content }) => content)).toEqual(["Hello", "A different reply"]);
    expect(await agent.history(thread_id)).toHaveLength(4);
  });

  // Agent SDKs use this route when the checkpoint is an object.
  // @covers 4B.POST /threads/{thread_id}/state/checkpoint
  test("can be read at a checkpoint that lacks its thread, and at the latest one", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, echo);
    const [latest, earlier] = await agent.history(thread_id);
    const stateAt = async (checkpoint: object) =>
      (await agent.call("POST", `/threads/${thread_id}/state/checkpoint`, { checkpoint, subgraphs: false })).body;
    expect(await stateAt({ checkpoint_id: earlier?.checkpoint_id, checkpoint_ns: "" })).toEqual(earlier);
    expect(await stateAt({ thread_id })).toEqual(latest);
  });

  // @covers 2B.Thread state.next, 3.Thread status:order
  test("determines the status: interrupted if nodes remain to run, otherwise idle", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, echo);
    const status = async () => (await agent.call("GET", `/threads/${thread_id}`)).body.status;
    await updateState(agent, thread_id, messageUpdate("Again", "__start__"));
    expect([await status(), (await agent.state(thread_id)).next]).toEqual(["interrupted", ["echo"]]);
    await updateState(agent, thread_id, { values: null, as_node: "__end__" });
    expect([await status(), (await agent.state(thread_id)).next]).toEqual(["idle", []]);
  });

  test("is copied to a new checkpoint by __copy__", async () => {
    const { agent, thread_id, values } = await startThread({ strict: true }, echo);
    await updateState(agent, thread_id, { values: null, as_node: "__copy__" });
    expect(await agent.state(thread_id)).toMatchObject({ values, metadata: { source: "fork", step: 2, writes: null } });
  });

  test("replaces a message that has the same ID", async () => {
    const { agent, thread_id, values } = await startThread({ strict: true }, echo);
    const id = values.messages?.[1]?.id;
    const better = { messages: [{ type: "ai", content: "Better", id }] };
    await updateState(agent, thread_id, { values: better, as_node: "echo" });
    expect((await agent.state(thread_id)).values.messages?.map(({ content }) => content)).toEqual(["Hello", "Better"]);
    await updateState(agent, thread_id, { values: { messages: { type: "remove", id } }, as_node: "echo" });
    expect((await agent.state(thread_id)).values.messages?.map(({ content }) => content)).toEqual(["Hello"]);
  });

  // @covers 2B.Superstep:input
  test("leaves an input for the next run, and a node that follows discards it", async () => {
    const input = { updates: [{ values: { messages: [human("Hello")] }, as_node: "__input__" }] };
    const reply = { updates: [{ values: { messages: [{ type: "ai", content: "Hi" }] }, as_node: "echo" }] };
    const { agent, ...waiting } = await startThread({ strict: true }, { ...echo, supersteps: [input] });
    expect(await agent.state(waiting.thread_id)).toMatchObject({ values: {}, next: ["__start__"] });
    await startRun(agent, waiting.thread_id, { assistant_id: "echo" }, runMs);
    const applied = (await agent.state(waiting.thread_id)).values.messages;
    expect(applied?.map(({ content }) => content)).toEqual(["Hello", expect.any(String)]);
    const discarded = await agent.thread({ ...echo, supersteps: [input, reply] });
    expect((await agent.state(discarded.thread_id)).values.messages?.map(({ content }) => content)).toEqual(["Hi"]);
  });

  // @covers 2B.Superstep:graph
  test("rejects an ambiguous update, and one of an unknown checkpoint", async () => {
    const agent = await startAgent({ strict: true });
    const several = await agent.thread({ metadata: { graph_id: "interrupt" } });
    const response = await updateState(agent, several.thread_id, { values: {} });
    expect(response).toMatchObject({ status: 400, body: { detail: "Ambiguous update, specify as_node" } });
    const unknown = { values: {}, as_node: "finish", checkpoint: { checkpoint_id: unknownId } };
    expect((await updateState(agent, several.thread_id, unknown)).status).toBe(404);
    expect(await agent.history(several.thread_id)).toEqual([]);
  });
});

describe("the history of a thread", () => {
  test("has checkpoint IDs that sort by time", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, echo);
    const ids = (await agent.history(thread_id)).map(({ checkpoint_id }) => checkpoint_id);
    expect([...ids].sort().reverse()).toEqual(ids);
  });

  // @covers 3.5
  test("is identical after a copy, and independent afterwards", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" }, echo);
    const run = { assistant_id: "echo", input: { messages: ["More"] } };
    await agent.call("POST", `/threads/${thread_id}/runs/wait`, run);
    const original = await agent.history(thread_id);
    const copy = (await agent.call("POST", `/threads/${thread_id}/copy`)).body.thread_id;
    const renamed = JSON.parse(JSON.stringify(original).replaceAll(thread_id, copy));
    expect(await agent.history(copy)).toEqual(renamed);
    await updateState(agent, copy, messageUpdate("Only here"));
    await updateState(agent, thread_id, messageUpdate("Only there"));
    await agent.call("DELETE", `/threads/${thread_id}`);
    expect((await agent.history(copy)).slice(1)).toEqual(renamed);
    expect((await agent.state(copy)).values.messages?.at(-1)?.content).toBe("Only here");
  });

  // @covers 2B.Thread state.parent_checkpoint_id
  test("keeps the updates of 50 concurrent writers", async () => {
    const { agent, thread_id } = await startThread({ strict: true }, { metadata: { graph_id: "echo" } });
    const texts = Array.from({ length: 50 }, (_, index) => `word ${index}`);
    const responses = await Promise.all(texts.map((word) => updateState(agent, thread_id, messageUpdate(word))));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    const contents = (await agent.state(thread_id)).values.messages?.map(({ content }) => content) ?? [];
    expect([...contents].sort()).toEqual([...texts].sort());
    const history = await agent.history(thread_id);
    expect(history.map(({ metadata }) => metadata.step)).toEqual(texts.map((_, index) => 49 - index));
    const parents = history.map(({ parent_checkpoint_id }) => parent_checkpoint_id);
    expect(parents).toEqual([...history.slice(1).map(({ checkpoint_id }) => checkpoint_id), null]);
  });
});
