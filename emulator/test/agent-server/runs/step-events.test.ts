import { type Agent, human, startAgent, startRun, startThread } from "../../support/agent-server";

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
  const joined = await fetch(`${url}/${metadata?.[1].run_id}/stream`, { headers: { "last-event-id": "-1" } });
  expect(await read(joined)).toEqual(events);
  return events.slice(1);
}

/** Returns what an event is about: the step of a checkpoint, or the name of a task. */
const subjectOf = ([, { type, payload }]: Event): string =>
  `${type}: ${payload.name ?? (payload.metadata as { step: number }).step}`;

// The recordings contain the events of each mode.
describe("the stream of a run in single steps", () => {
  const modes = ["values", "updates", "tasks", "checkpoints", "debug", "messages", "messages-tuple"];

  // @covers 4B.POST /threads/{thread_id}/runs/stream:modes
  test.each([
    ["python", "interrupt", { prepared: false }],
    ["javascript", "failing", {}],
    ["python", "echo", { messages: [human("Hi")] }],
    ["javascript", "echo", { messages: [human("Hi")] }],
  ] as const)("is the same for a client of a %s server that lost it: %s", async (agentServer, assistant_id, input) => {
    const agent = await startAgent({ strict: true, speed: "instant", agentServer });
    expect((await stream(agent, { assistant_id, input, stream_mode: modes })).length).toBeGreaterThan(10);
  });

  test("shows where a run continues, and the start of a task before its end", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
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
});
