import { type Agent, runMs, runStatus, startRun, startThread, threadStatus } from "../../support/agent-server";

interface Event {
  id?: string;
  event: string;
  data: unknown;
}

const both = ["values", "updates"];

/** Sends a request whose body arrives later. When this returns, the server has acted on it and sent the headers. */
function startRequest(agent: Agent, path: string, body: object, signal?: AbortSignal): Promise<Response> {
  const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}${path}`;
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body), ...(signal && { signal }) });
}

function parseEvents(text: string): Event[] {
  const blocks = text.split("\n\n").filter((block) => block !== "");
  return blocks.map((block) => {
    const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/, 2)));
    return { ...fields, data: JSON.parse(fields.data) } as Event;
  });
}

describe("waiting for a run", () => {
  test("finishes on a running clock without advance", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: 100 });
    const run = { assistant_id: "counter", input: {} };
    expect((await agent.call("POST", `/threads/${thread_id}/runs/wait`, run)).body).toEqual({ count: 3, steps: 0 });
  });

  test("ends when the thread is deleted", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const response = await startRequest(agent, `/threads/${thread_id}/runs/wait`, { assistant_id: "echo", input: {} });
    await agent.call("DELETE", `/threads/${thread_id}`);
    expect(await response.json()).toEqual({});
  });
});

// The recordings contain the events of each kind of run.
describe("the stream of a run", () => {
  test("shows the question of a run that was queued behind the one that asked it first", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const body = { assistant_id: "interrupt", stream_mode: both };
    await startRun(agent, thread_id, { ...body, input: {} });
    const path = `/threads/${thread_id}/runs/stream`;
    const queued = await startRequest(agent, path, { ...body, input: null, multitask_strategy: "enqueue" });
    await agent.advance(runMs);
    await agent.advance(runMs);
    const names = parseEvents(await queued.text()).map(({ event }) => event);
    expect(names).toEqual(["metadata", "values", "updates", "values"]);
  });

  describe("that is resumable", () => {
    const counter = { assistant_id: "counter", input: { steps: 2 }, stream_mode: both };

    const join = async (agent: Agent, path: string, lastId?: string): Promise<Event[]> => {
      const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}${path}`;
      return parseEvents(await (await fetch(url, { headers: lastId ? { "last-event-id": lastId } : {} })).text());
    };

    test.each([
      ["python", /^\d+-\d+$/],
      ["javascript", /^\d$/],
    ] as const)("continues on a %s server after the last event that a client has", async (agentServer, form) => {
      const { agent, thread_id } = await startThread({ strict: true, speed: "instant", agentServer });
      const body = { ...counter, stream_resumable: true };
      const response = await startRequest(agent, `/threads/${thread_id}/runs/stream`, body);
      const events = parseEvents(await response.text());
      expect(events.map(({ event }) => event)).toEqual([
        ...["metadata", "values", "updates", "values", "updates", "values"],
      ]);
      expect(events.every(({ id = "" }) => form.test(id))).toBe(true);
      const { list } = await agent.call("GET", `/threads/${thread_id}/runs`);
      const run = `/threads/${thread_id}/runs/${list[0]?.run_id}`;
      expect(await join(agent, `${run}/stream`, "-1")).toEqual(events);
      expect(await join(agent, `${run}/stream`, events[2]?.id)).toEqual(events.slice(3));
      for (const other of [undefined, "x", "9999999999999-0"])
        expect(await join(agent, `${run}/stream`, other)).toEqual([]);
      if (agentServer === "javascript")
        expect(await join(agent, `/runs/${list[0]?.run_id}/stream`, "-1")).toEqual(events);
    });

    test("is joined with the modes that the client names, as text or as JSON", async () => {
      const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
      const body = { ...counter, stream_resumable: true };
      await (await startRequest(agent, `/threads/${thread_id}/runs/stream`, body)).text();
      const { list } = await agent.call("GET", `/threads/${thread_id}/runs`);
      const run = `/threads/${thread_id}/runs/${list[0]?.run_id}`;
      const namesOf = async (query: string) =>
        (await join(agent, `${run}/stream?cancel_on_disconnect=false&${query}`, "-")).map(({ event }) => event);
      expect(await namesOf("stream_mode=updates")).toEqual(["updates", "updates"]);
      expect(await namesOf("stream_mode=%5B%22updates%22%2C%22debug%22%5D")).toEqual(["updates", "updates"]);
      expect(await namesOf("stream_mode=values&stream_mode=updates")).toEqual(["updates", "updates"]);
    });
  });

  test("ends without an error or a question when the run is cancelled, as does waiting for it", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const run = await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 9 }, stream_mode: both });
    const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}/threads/${thread_id}/runs/${run}`;
    const [streamed, joined] = [await fetch(`${url}/stream`), await fetch(`${url}/join`)];
    await agent.advance(600);
    await agent.call("POST", `/threads/${thread_id}/runs/${run}/cancel`);
    expect(parseEvents(await streamed.text()).map(({ event }) => event)).toEqual([
      ...["metadata", "values", "updates", "values"],
    ]);
    expect(await joined.json()).toEqual({ count: 1, steps: 8 });
  });

  test("that is joined with cancel_on_disconnect ends the run when the client leaves", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const run = await startRun(agent, thread_id, { assistant_id: "counter", input: {} });
    const client = new AbortController();
    const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}/threads/${thread_id}/runs/${run}`;
    await fetch(`${url}/stream?cancel_on_disconnect=true`, { signal: client.signal });
    client.abort();
    await agent.call("GET", `/threads/${thread_id}/runs/${run}/join`);
    expect(await runStatus(agent, thread_id, run)).toBe("interrupted");
  });

  test.each([
    ["python", "stream", "cancel", "interrupted"],
    ["python", "wait", "cancel", "interrupted"],
    ["javascript", "stream", "cancel", "interrupted"],
    // This server continues it.
    ["javascript", "wait", "cancel", "success"],
    ["python", "stream", "continue", "success"],
  ] as const)("of a %s server, read by %s, has at on_disconnect %s the status %s", async (agentServer, ...expected) => {
    const [suffix, on_disconnect, status] = expected;
    const { agent, thread_id } = await startThread({ strict: true, agentServer });
    const client = new AbortController();
    const body = { assistant_id: "counter", input: {}, on_disconnect };
    await startRequest(agent, `/threads/${thread_id}/runs/${suffix}`, body, client.signal);
    const [run] = (await agent.call("GET", `/threads/${thread_id}/runs`)).list;
    client.abort();
    await threadStatus(agent, thread_id);
    // Only a run that continues needs time to finish.
    if (status === "success") await agent.advance(runMs);
    expect((await agent.call("GET", `/threads/${thread_id}/runs/${run?.run_id}/join`)).status).toBe(200);
    expect(await runStatus(agent, thread_id, run?.run_id ?? "")).toBe(status);
  });
});
