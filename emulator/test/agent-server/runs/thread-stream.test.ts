import { type Agent, startAgent, startRun, startThread, unknownId } from "../../support/agent-server";

const counter = { assistant_id: "counter", input: { steps: 1 }, stream_mode: ["updates"] };

function open({ emulator, deploymentId }: Agent, threadId: string, query = "", lastId?: string): Promise<Response> {
  const url = `${emulator.urls.controlPlane}/agents/${deploymentId}/threads/${threadId}/stream${query}`;
  return fetch(url, { headers: lastId === undefined ? {} : { "last-event-id": lastId } });
}

/** Returns the events of a stream, which ends with its thread. */
async function eventsOf(response: Response): Promise<{ id: string; event: string; data: object }[]> {
  const events = [...(await response.text()).matchAll(/^id: (.*)\nevent: (.*)\ndata: (.*)$/gm)];
  return events.map(([, id = "", event = "", data = ""]) => ({ id, event, data: JSON.parse(data) }));
}

describe("the stream of a thread", () => {
  // @covers 4B.GET /threads/{thread_id}/stream
  test("has the events of all its runs, each with its end", async () => {
    const { agent, thread_id } = await startThread({ strict: true });
    const first = await startRun(agent, thread_id, counter);
    // Clients send the one parameter, and the server reads the other.
    const all = await open(agent, thread_id, "?stream_mode=run_modes");
    const lifecycle = await open(agent, thread_id, "?stream_modes=lifecycle");
    const second = await startRun(agent, thread_id, counter, 5000);
    await agent.call("DELETE", `/threads/${thread_id}`);
    const [begins, ends] = [{ attempt: 1 }, { status: "run_done" }];
    const expected = [first, second].flatMap((run_id) => [begins, ends].map((data) => ({ run_id, ...data })));
    const ofBoth = (await eventsOf(lifecycle)).map(({ data }) => data);
    expect(ofBoth).toHaveLength(4);
    expect(ofBoth).toEqual(expect.arrayContaining(expected));
    const names = (await eventsOf(all)).map(({ event }) => event);
    expect(names.sort()).toEqual(["metadata", "metadata", "metadata", "metadata", "updates", "updates"]);
  });

  test("continues after the last event that a client has, with resumable runs", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    await startRun(agent, thread_id, counter);
    await startRun(agent, thread_id, { ...counter, stream_resumable: true });
    const responses = await Promise.all(["-", "1"].map((id) => open(agent, thread_id, "", id)));
    await agent.call("DELETE", `/threads/${thread_id}`);
    const [events = [], same] = await Promise.all(responses.map(eventsOf));
    expect(events.map(({ event }) => event)).toEqual(["metadata", "updates", "metadata"]);
    expect(same).toEqual(events);
  });

  test("rejects unknown modes and threads, and does not exist on a JavaScript server", async () => {
    const { agent, thread_id } = await startThread();
    expect((await open(agent, thread_id, "?stream_modes=values")).status).toBe(422);
    expect((await open(agent, thread_id, "", "x")).status).toBe(422);
    expect((await open(agent, unknownId)).status).toBe(404);
    const javascript = await startAgent({ agentServer: "javascript" });
    expect((await open(javascript, (await javascript.thread()).thread_id)).status).toBe(404);
  });
});
