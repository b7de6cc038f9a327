import { type Agent, human, startAgent, startRun } from "../../support/agent-server";

type Event = [name: string, data: Record<string, unknown> & { payload: Record<string, unknown> }];

async function read(response: Response): Promise<Event[]> {
  const events = (await response.text()).matchAll(/^event: (.*)\ndata: (.*)$/gm);
  return [...events].map(([, name = "", data = ""]) => [name, JSON.parse(data)]);
}

const urlOf = (agent: Agent, path: string) => `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}${path}`;

/** Starts a run on a new thread, and returns the events of its stream after `metadata`, with what `join` repeats. */
async function stream(agent: Agent, body: object): Promise<Event[]> {
  const { thread_id } = await agent.thread();
  const url = urlOf(agent, `/threads/${thread_id}/runs`);
  const headers = { "content-type": "application/json" };
  const started = { method: "POST", headers, body: JSON.stringify({ ...body, stream_resumable: true }) };
  const events = await read(await fetch(`${url}/stream`, started));
  const [metadata] = events;
  const joined = await fetch(`${url}/${metadata?.[1].run_id}/stream`, { headers: { "last-event-id": "-" } });
  expect(await read(joined)).toEqual(events);
  return events.slice(1);
}

/** Returns what an event is about: the step of a checkpoint, or the name of a task. */
function subjectOf([name, data]: Event): string {
  const { type, payload } = data;
  if (name.startsWith("debug")) return `${type}: ${payload.name ?? (payload.metadata as { step: number }).step}`;
  return name;
}

const asked = [expect.objectContaining({ value: "Shall I finish?" })];
const servers = ["python", "javascript"] as const;

describe("the stream of a run in single steps", () => {
  // @covers 4B.POST /threads/{thread_id}/runs/stream:modes
  test.each(servers)("of a %s server has its checkpoints and tasks, also with a question", async (agentServer) => {
    const agent = await startAgent({ strict: true, speed: "instant", agentServer });
    const body = { assistant_id: "interrupt", input: { prepared: false } };
    const debug = await stream(agent, { ...body, stream_mode: "debug" });
    expect(debug.map(subjectOf)).toEqual([
      "checkpoint: -1",
      "checkpoint: 0",
      ...["task: prepare", "task_result: prepare"],
      "checkpoint: 1",
      ...["task: finish", "task_result: finish"],
    ]);
    const isPython = agentServer === "python";
    expect(debug[4]?.[1]).toMatchObject({
      step: 1,
      payload: {
        values: { prepared: true },
        next: ["finish"],
        tasks: [{ name: "finish", interrupts: [], ...(isPython ? { state: null } : { path: expect.anything() }) }],
        checkpoint: { checkpoint_ns: "" },
        config: { configurable: { graph_id: "interrupt", checkpoint_ns: "" } },
      },
    });
    const tasks = await stream(agent, { ...body, stream_mode: "tasks" });
    const [, , begun, asking] = tasks.map(([, data]) => data);
    const task = { id: expect.any(String), name: "finish" };
    expect(begun).toEqual({
      ...task,
      input: { prepared: true },
      triggers: ["branch:to:finish"],
      metadata: expect.objectContaining({ graph_id: "interrupt", run_attempt: 1 }),
      ...(!isPython && { interrupts: [] }),
    });
    expect(asking).toEqual({ ...task, id: begun?.id, error: null, result: {}, interrupts: asked });
    const checkpoints = await stream(agent, { ...body, stream_mode: ["checkpoints", "values"] });
    expect(checkpoints.map(subjectOf)).toEqual([
      "checkpoints",
      ...["values", "checkpoints", "values", "checkpoints"],
      "values",
    ]);
    expect(Object.keys(checkpoints[0]?.[1] ?? {})).toHaveLength(isPython ? 6 : 3);
  });

  test.each([
    ["python", { error: "GraphError", message: "This graph always fails" }],
    ["javascript", { name: "GraphError", message: "This graph always fails" }],
  ] as const)("of a %s server ends with the task that failed", async (agentServer, error) => {
    const agent = await startAgent({ strict: true, speed: "instant", agentServer });
    const events = await stream(agent, { assistant_id: "failing", input: {}, stream_mode: "tasks" });
    expect(events.map(subjectOf)).toEqual(["tasks", "tasks", "tasks", "tasks", "error"]);
    expect(events[3]?.[1]).toMatchObject({ name: "fail", error, result: {}, interrupts: [] });
  });

  test("shows the steps of a subgraph between the start and the end of its node", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const body = { assistant_id: "memory", input: { messages: [human("Hi")] }, stream_subgraphs: true };
    const events = await stream(agent, { ...body, stream_mode: ["tasks", "debug"] });
    expect(events.filter(([name]) => name.startsWith("debug")).map(subjectOf)).toEqual([
      ...["checkpoint: -1", "checkpoint: 0", "task: remember"],
      ...["checkpoint: -1", "checkpoint: 0", "task: recall", "task_result: recall", "checkpoint: 1"],
      ...["task_result: remember", "checkpoint: 1"],
    ]);
    const names = events.filter(([name]) => name.startsWith("tasks")).map(([name]) => name);
    expect(names).toEqual(["tasks", "tasks|remember", "tasks|remember", "tasks"]);
  });

  test("shows where a run continues, and the start of a task before its end", async () => {
    const agent = await startAgent({ strict: true });
    const { thread_id } = await agent.thread();
    const body = { assistant_id: "counter", input: { steps: 9 }, stream_mode: "debug", stream_resumable: true };
    const cancelled = async (run: object): Promise<string[]> => {
      const id = await startRun(agent, thread_id, run);
      const path = `/threads/${thread_id}/runs/${id}`;
      const response = await fetch(urlOf(agent, `${path}/stream`));
      await agent.advance(300);
      await agent.call("POST", `${path}/cancel`);
      const events = await read(response);
      // The same later, for a client that lost the stream.
      expect(await read(await fetch(urlOf(agent, `${path}/stream`), { headers: { "last-event-id": "-" } }))).toEqual(
        events,
      );
      return events.slice(1).map(subjectOf);
    };
    expect(await cancelled(body)).toEqual(["checkpoint: -1", "checkpoint: 0", "task: count"]);
    expect(await cancelled({ ...body, input: null })).toEqual(["checkpoint: 0", "task: count"]);
  });

  test.each([
    ["python", ["messages/metadata", "messages/complete", "updates"]],
    // This one shows messages of inputs, too.
    ["javascript", ["messages/complete", "updates", "messages/complete"]],
  ] as const)("of a %s server has whole messages", async (agentServer, names) => {
    const agent = await startAgent({ strict: true, speed: "instant", agentServer });
    const body = { assistant_id: "echo", input: { messages: [human("Hi")] } };
    const events = await stream(agent, { ...body, stream_mode: ["updates", "messages"] });
    expect(events.map(([name]) => name)).toEqual(names);
    const message = expect.objectContaining({ type: "ai", content: "Echo: Hi", id: expect.any(String) });
    expect(events.findLast(([name]) => name === "messages/complete")?.[1]).toEqual([message]);
    const tuples = await stream(agent, { ...body, stream_mode: ["values", "messages-tuple"] });
    expect(tuples.map(([name]) => name)).toEqual(["values", "messages", "values"]);
    expect(tuples[1]?.[1]).toEqual([message, expect.objectContaining({ langgraph_node: "echo", langgraph_step: 1 })]);
  });
});
