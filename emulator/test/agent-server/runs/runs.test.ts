import {
  type Agent,
  agentOf,
  human,
  runMs,
  runStatus,
  startAgent,
  startRun,
  startThread,
  threadStatus,
  unknownId,
} from "../../support/agent-server";
import { start } from "../../support/emulator";
import { newFolder } from "../../support/folder";

const hello = { assistant_id: "echo", input: { messages: [human("Hello")] } };

const contents = async (agent: Agent, threadId: string) =>
  (await agent.state(threadId)).values.messages?.map(({ content }) => content);

describe("a run on a thread", () => {
  // @covers 2B.Run, 3.Run status, 3.Thread status:order, 4B.POST /threads/{thread_id}/runs
  // @covers 4B.GET /threads/{thread_id}/runs/{run_id}
  test("stays pending on a frozen clock, runs as the clock advances, and writes its output to the state", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const run = await startRun(agent, thread_id, hello);
    expect(await threadStatus(agent, thread_id)).toBe("busy");
    await agent.advance(100);
    expect(await runStatus(agent, thread_id, run)).toBe("running");
    await agent.advance(runMs);
    expect(await runStatus(agent, thread_id, run)).toBe("success");
    expect(await threadStatus(agent, thread_id)).toBe("idle");
    expect(await contents(agent, thread_id)).toEqual(["Hello", "Echo: Hello"]);
  });

  // @covers 4B.GET /threads/{thread_id}/runs
  test("waits until the previous run on its thread has finished", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const first = await startRun(agent, thread_id, { assistant_id: "counter", input: {} });
    const second = await startRun(agent, thread_id, hello, 1200);
    expect([await runStatus(agent, thread_id, first), await runStatus(agent, thread_id, second)]).toEqual([
      "running",
      "pending",
    ]);
    await agent.advance(runMs);
    expect(await runStatus(agent, thread_id, second)).toBe("success");
    const { list } = await agent.call("GET", `/threads/${thread_id}/runs`);
    expect(list.map(({ run_id }) => run_id)).toEqual([second, first]);
  });

  test("interrupts the unfinished run and keeps its changes, with the strategy interrupt", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const first = await startRun(agent, thread_id, { assistant_id: "counter", input: {} }, 600);
    const next = { assistant_id: "counter", input: { steps: 1 }, multitask_strategy: "interrupt" };
    await startRun(agent, thread_id, next);
    expect(await runStatus(agent, thread_id, first)).toBe("interrupted");
    await agent.advance(runMs);
    expect((await agent.state(thread_id)).values).toEqual({ count: 2, steps: 0 });
  });

  test("rolls back the unfinished run, with the strategy rollback", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    await startRun(agent, thread_id, hello, runMs);
    const before = await agent.history(thread_id);
    const canceledRun = await startRun(agent, thread_id, { assistant_id: "counter", input: {} }, 600);
    expect((await agent.state(thread_id)).values.count).toBe(1);
    await agent.call("POST", `/threads/${thread_id}/runs/${canceledRun}/cancel?action=rollback`);
    expect(await agent.history(thread_id)).toEqual(before);
    expect((await agent.call("GET", `/threads/${thread_id}/runs/${canceledRun}`)).status).toBe(404);
    const other = await startRun(agent, thread_id, { assistant_id: "counter", input: {} }, 600);
    await startRun(agent, thread_id, { ...hello, multitask_strategy: "rollback" });
    expect((await agent.call("GET", `/threads/${thread_id}/runs/${other}`)).status).toBe(404);
    await agent.advance(runMs);
    expect((await agent.state(thread_id)).values).not.toHaveProperty("count");
    expect((await agent.history(thread_id)).map(({ metadata }) => metadata.step)).toEqual([4, 3, 2, 1, 0, -1]);
  });

  test("resumes after a restart of the emulator", async () => {
    const data = newFolder();
    const first = await startAgent({ strict: true, data });
    const { thread_id } = await first.thread();
    const run = await startRun(first, thread_id, hello, 150);
    await first.emulator.stop();
    const second = agentOf(await start({ strict: true, data }), first.deploymentId);
    expect(await runStatus(second, thread_id, run)).toBe("running");
    await second.advance(runMs);
    expect(await contents(second, thread_id)).toEqual(["Hello", "Echo: Hello"]);
    await second.emulator.stop();
  });

  test.each([
    ["python", "interrupted"],
    ["javascript", "idle"],
  ] as const)("on a %s server leaves its thread %s when it is cancelled", async (agentServer, status) => {
    const { agent, thread_id } = await startThread({ strict: true, agentServer });
    const run = await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 9 } }, 600);
    await agent.call("POST", `/threads/${thread_id}/runs/${run}/cancel`);
    expect(await threadStatus(agent, thread_id)).toBe(status);
  });

  const error = { error: "GraphError", message: "This graph always fails" };
  const asked = { __interrupt__: [expect.objectContaining({ value: "Shall I finish?" })] };

  test.each([
    ["python", { __error__: error }, asked],
    ["javascript", { worked: true }, { prepared: true }],
  ] as const)("that a client of a %s server joins late responds with its thread", async (agentServer, ...results) => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant", agentServer });
    const failed = await startRun(agent, thread_id, { assistant_id: "failing", input: {} });
    const join = async () => {
      const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}/threads/${thread_id}`;
      return (await fetch(`${url}/runs/${failed}/join`)).json();
    };
    expect(await join()).toEqual(results[0]);
    await startRun(agent, thread_id, { assistant_id: "interrupt", input: {} });
    expect(await join()).toEqual(results[1]);
  });

  // @covers 2B.Run:request
  test("continues at the node that its command names, with the update of the command", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    await startRun(agent, thread_id, { assistant_id: "failing", input: {} });
    const command = (goto: string) => ({ assistant_id: "failing", command: { goto, update: [["fixed", true]] } });
    await startRun(agent, thread_id, command("work"));
    expect((await agent.state(thread_id)).values).toEqual({ worked: true, fixed: true });
    expect((await agent.history(thread_id)).map(({ next }) => next[0])).toEqual([
      ...["fail", "work", "fail", "work", "__start__"],
    ]);
  });

  test("with a command ignores an input, and continues at the checkpoint where its thread waits", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const { thread_id } = await agent.thread();
    const run = { assistant_id: "interrupt", input: {} };
    await startRun(agent, thread_id, run);
    const [waiting] = await agent.history(thread_id);
    await startRun(agent, thread_id, { ...run, checkpoint: waiting?.checkpoint, command: { resume: "yes" } });
    const history = await agent.history(thread_id);
    expect(history.map(({ next }) => next[0])).toEqual([undefined, "finish", "prepare", "__start__"]);
  });

  test("takes the response to a question by the ID of the question, and otherwise asks again", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const { thread_id } = await agent.thread();
    await startRun(agent, thread_id, { assistant_id: "interrupt", input: {} });
    const { id = "" } = (await agent.state(thread_id)).tasks[0]?.interrupts[0] ?? {};
    const resume = async (name: string) => {
      await startRun(agent, thread_id, { assistant_id: "interrupt", command: { resume: { [name]: "yes" } } });
      return (await agent.state(thread_id)).values.resumed;
    };
    expect([await resume("0".repeat(32)), await resume(id)]).toEqual([undefined, "yes"]);
  });

  test.each([
    ["python", {}, "success"],
    ["javascript", {}, "error"],
    ["python", { resume: null }, "error"],
  ] as const)("of a %s server with the command %j ends as %s", async (agentServer, command, status) => {
    const agent = await startAgent({ strict: true, speed: "instant", agentServer });
    const { thread_id } = await agent.thread();
    expect(await runStatus(agent, thread_id, await startRun(agent, thread_id, { ...hello, command }))).toBe(status);
  });

  test("applies the update of a command before an input of a superstep that has no message", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const supersteps = [{ updates: [{ as_node: "__input__", values: { messages: [] } }] }];
    const { thread_id } = await agent.thread({ metadata: { graph_id: "echo" }, supersteps });
    await startRun(agent, thread_id, { assistant_id: "echo", command: { update: { messages: [human("Upd")] } } });
    expect(await contents(agent, thread_id)).toEqual(["Upd", "Echo: Upd"]);
  });

  test("starts at the checkpoint that it names", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    await startRun(agent, thread_id, hello);
    const [firstState] = await agent.history(thread_id);
    await startRun(agent, thread_id, { ...hello, input: { messages: [human("Left")] } });
    const otherInput = { messages: [human("Right")] };
    await startRun(agent, thread_id, { ...hello, input: otherInput, checkpoint_id: firstState?.checkpoint_id });
    expect(await contents(agent, thread_id)).toEqual(["Hello", "Echo: Hello", "Right", "Echo: Right"]);
    await startRun(agent, thread_id, { ...hello, checkpoint_id: unknownId });
    expect(await contents(agent, thread_id)).toEqual(["Hello", "Echo: Hello"]);
    const withoutInput = await startRun(agent, thread_id, { assistant_id: "echo", checkpoint_id: unknownId });
    expect(await runStatus(agent, thread_id, withoutInput)).toBe("error");
  });

  test("repeats an input whose checkpoint it names", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    await startRun(agent, thread_id, hello);
    const input = (await agent.history(thread_id)).at(-1);
    expect(input?.next).toEqual(["__start__"]);
    for (const _ of [1, 2])
      await startRun(agent, thread_id, { assistant_id: "echo", checkpoint_id: input?.checkpoint_id });
    expect(await contents(agent, thread_id)).toEqual(["Hello", "Echo: Hello"]);
  });

  test.each([
    [3, "success"],
    [2, "error"],
    [0, "error"],
  ])("of two steps with a recursion limit of %d ends as %s", async (recursion_limit, status) => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    const counter = { assistant_id: "counter", input: { steps: 2 }, config: { recursion_limit } };
    expect(await runStatus(agent, thread_id, await startRun(agent, thread_id, counter))).toBe(status);
  });

  // @covers 1B.item 4
  test("on an unknown thread creates it with if_not_exists", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    await startRun(agent, unknownId, { ...hello, if_not_exists: "create" });
    expect(await contents(agent, unknownId)).toEqual(["Hello", "Echo: Hello"]);
  });

  // @covers 3.item 3
  test("that succeeds after one that failed leaves its thread idle", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    const run = (assistant_id: string) => agent.call("POST", `/threads/${thread_id}/runs`, { assistant_id, input: {} });
    await run("failing");
    await run("echo");
    expect((await agent.call("GET", `/threads/${thread_id}`)).body).toMatchObject({ status: "idle", error: null });
  });
});
