import { human, startRun, startThread, threadStatus } from "../../support/agent-server";

describe("the built-in graph", () => {
  // @covers 1B, 1B.item 1, 1B.item 2, 3.4
  test("counter counts the steps in its input, and the next run continues counting", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 5 } });
    await startRun(agent, thread_id, { assistant_id: "counter", input: {} });
    expect((await agent.state(thread_id)).values.count).toBe(8);
  });

  test.each([["Hi"], [["user", "Hi"]], [{ role: "user", content: "Hi" }]])("echo repeats %j", async (one) => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    await startRun(agent, thread_id, { assistant_id: "echo", input: { messages: [one] } });
    const { messages } = (await agent.state(thread_id)).values;
    expect(messages).toMatchObject([
      { type: "human", content: "Hi" },
      { type: "ai", content: "Echo: Hi" },
    ]);
  });

  // @covers 4B.POST /threads/{thread_id}/history:namespace
  test("memory remembers in a subgraph, also in a copy of the thread and under another name of the graph", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant", graphs: { own: "memory" } });
    const say = (id: string, text: string) =>
      startRun(agent, id, { assistant_id: "own", input: { messages: [human(text)] } });
    await say(thread_id, "one");
    const copy = String((await agent.call("POST", `/threads/${thread_id}/copy`)).body.thread_id);
    await say(copy, "two");
    const { values } = await agent.state(copy);
    expect(Object.keys(values)).toEqual(["messages"]);
    expect(values.messages?.at(-1)?.content).toBe("I have heard: one, two");
    const child = { limit: 10, checkpoint: { checkpoint_ns: "remember" } };
    const lengthOf = async (id: string) => (await agent.call("POST", `/threads/${id}/history`, child)).list.length;
    expect([await lengthOf(thread_id), await lengthOf(copy)]).toEqual([3, 6]);
  });

  test.each(["interrupt_before", "interrupt_after"])(
    "counter stops where %s requires it, and a run without input continues",
    async (when) => {
      const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
      await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 2 }, [when]: ["count"] });
      const count = when === "interrupt_before" ? undefined : 1;
      expect((await agent.state(thread_id)).values.count).toBe(count);
      expect(await threadStatus(agent, thread_id)).toBe("interrupted");
      await startRun(agent, thread_id, { assistant_id: "counter" });
      expect((await agent.state(thread_id)).values.count).toBe(2);
    },
  );
});
