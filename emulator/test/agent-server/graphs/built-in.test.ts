import { human, runStatus, startAgent, startRun, threadStatus } from "../../support/agent-server";

describe("the built-in graph", () => {
  // @covers 2B.Thread state.tasks
  test("interrupt stops before its second node until a run resumes it", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const { thread_id } = await agent.thread();
    await startRun(agent, thread_id, { assistant_id: "interrupt", input: { topic: "cats" } });
    const interrupted = await agent.state(thread_id);
    expect(interrupted).toMatchObject({ next: ["finish"], values: { topic: "cats", prepared: true } });
    expect(interrupted.tasks).toMatchObject([
      { name: "finish", interrupts: [{ value: "Shall I finish?", id: expect.any(String) }] },
    ]);
    expect(await threadStatus(agent, thread_id)).toBe("interrupted");
    await startRun(agent, thread_id, { assistant_id: "interrupt", command: { resume: "yes" } });
    expect(await agent.state(thread_id)).toMatchObject({ next: [], values: { resumed: "yes", finished: true } });
    expect(await threadStatus(agent, thread_id)).toBe("idle");
  });

  // @covers 2B.Thread state.tasks:items
  test("failing ends with an error in the run, the thread and the task", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const { thread_id } = await agent.thread();
    const run = await startRun(agent, thread_id, { assistant_id: "failing", input: {} });
    expect(await runStatus(agent, thread_id, run)).toBe("error");
    expect(await threadStatus(agent, thread_id)).toBe("error");
    expect(await agent.state(thread_id)).toMatchObject({
      next: ["fail"],
      tasks: [{ name: "fail", error: "This graph always fails" }],
    });
  });

  test("counter counts the steps in its input, and the next run continues counting", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const { thread_id } = await agent.thread();
    await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 5 } });
    await startRun(agent, thread_id, { assistant_id: "counter", input: {} });
    expect((await agent.state(thread_id)).values.count).toBe(8);
  });

  // @covers 4B.POST /threads/{thread_id}/history:namespace
  test("memory remembers in a subgraph, also in a copy of the thread and under another name of the graph", async () => {
    const agent = await startAgent({ strict: true, speed: "instant", graphs: { own: "memory" } });
    const { thread_id } = await agent.thread();
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
      const agent = await startAgent({ strict: true, speed: "instant" });
      const { thread_id } = await agent.thread();
      await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 2 }, [when]: ["count"] });
      const count = when === "interrupt_before" ? undefined : 1;
      expect((await agent.state(thread_id)).values.count).toBe(count);
      expect(await threadStatus(agent, thread_id)).toBe("interrupted");
      await startRun(agent, thread_id, { assistant_id: "counter" });
      expect((await agent.state(thread_id)).values.count).toBe(2);
    },
  );
});
