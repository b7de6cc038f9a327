import { type Agent, startAgent, startThread, unknownId } from "../../support/agent-server";

interface Event {
  seq: number;
  method: string;
  params: { data: object };
}

function open({ emulator, deploymentId }: Agent, threadId: string, body: object): Promise<Response> {
  const url = `${emulator.urls.controlPlane}/agents/${deploymentId}/threads/${threadId}/stream/events`;
  return fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/** Returns the events of a stream, which ends with its thread. */
async function eventsOf(response: Response): Promise<Event[]> {
  return [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
}

describe("the events of a thread", () => {
  // @covers 4B.POST /threads/{thread_id}/commands, 4B.POST /threads/{thread_id}/stream/events
  test.each(["python", "javascript"] as const)("of a %s server begin before it exists", async (agentServer) => {
    const agent = await startAgent({ strict: true, speed: "instant", agentServer });
    const command = (method: string, params: object) =>
      agent.call("POST", `/threads/${unknownId}/commands`, { id: 1, method, params });
    const first = await open(agent, unknownId, { channels: ["values", "input", "lifecycle"] });
    await command("run.start", { assistant_id: "interrupt", input: {} });
    const id = (await agent.state(unknownId)).tasks[0]?.interrupts[0]?.id;
    const answered = await command("input.respond", { interrupt_id: id, response: "yes" });
    expect(answered.body).toMatchObject({ type: "success", id: 1, result: {} });
    await agent.call("DELETE", `/threads/${unknownId}`);
    const events = await eventsOf(first);
    const last = { data: { prepared: true, resumed: "yes", finished: true }, namespace: [] };
    expect(events.findLast(({ method }) => method === "values")?.params).toMatchObject(last);
    const asked = events.find(({ method }) => method === "input.requested")?.params.data;
    expect(asked).toEqual({ interrupt_id: id, payload: "Shall I finish?" });
    const stages = events.filter(({ method }) => method === "lifecycle").map(({ params }) => params.data);
    const expected = ["running", "interrupted", "running", "completed"];
    expect(stages).toEqual(expected.map((event) => ({ event, graph_name: "interrupt" })));
  });

  test("are those after the last one that a client has", async () => {
    const { agent, thread_id } = await startThread({ strict: true, speed: "instant" });
    const params = { assistant_id: "counter", input: { steps: 2 } };
    await agent.call("POST", `/threads/${thread_id}/commands`, { id: 1, method: "run.start", params });
    const [all, rest] = [await open(agent, thread_id, { channels: ["values"] }), { channels: ["values"], since: 2 }];
    const later = await open(agent, thread_id, rest);
    await agent.call("DELETE", `/threads/${thread_id}`);
    const events = await eventsOf(all);
    expect(events.map(({ seq }) => seq)).toEqual([2, 3, 4]);
    expect((await eventsOf(later)).map(({ seq }) => seq)).toEqual([3, 4]);
  });
});
