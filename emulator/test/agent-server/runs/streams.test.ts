import { type Agent, runMs, startAgent } from "../../support/agent-server";

interface Event {
  event: string;
  data: unknown;
}

/** Sends a request whose body arrives later. When this returns, the server has acted on it and sent the headers. */
function startRequest(agent: Agent, path: string, body: object, signal?: AbortSignal): Promise<Response> {
  const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}${path}`;
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body), ...(signal && { signal }) });
}

function parseEvents(text: string): Event[] {
  const blocks = text.split("\n\n").filter((block) => block !== "");
  return blocks.map((block) => {
    const [event = "", data = ""] = block.split("\n");
    return { event: event.replace("event: ", ""), data: JSON.parse(data.replace("data: ", "")) };
  });
}

describe("waiting for a run", () => {
  test("finishes on a running clock without advance", async () => {
    const agent = await startAgent({ strict: true, speed: 100 });
    const { thread_id } = await agent.thread();
    const run = { assistant_id: "counter", input: {} };
    expect((await agent.call("POST", `/threads/${thread_id}/runs/wait`, run)).body).toEqual({ count: 3, steps: 0 });
  });

  test("ends when the thread is deleted", async () => {
    const agent = await startAgent({ strict: true });
    const { thread_id } = await agent.thread();
    const run = { assistant_id: "echo", input: {} };
    const response = await startRequest(agent, `/threads/${thread_id}/runs/wait`, run);
    await agent.call("DELETE", `/threads/${thread_id}`);
    expect(await response.json()).toEqual({});
  });
});

describe("the stream of a run", () => {
  test("sends errors and interrupts", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const { thread_id } = await agent.thread();
    const stream = async (assistant_id: string) => {
      const body = { assistant_id, input: {}, stream_mode: "updates" };
      return parseEvents(await (await startRequest(agent, `/threads/${thread_id}/runs/stream`, body)).text());
    };
    const error = { error: "GraphError", message: "This graph always fails" };
    expect((await stream("failing")).at(-1)).toEqual({ event: "error", data: error });
    expect((await stream("interrupt")).at(-1)).toMatchObject({
      event: "updates",
      data: { __interrupt__: [{ value: "Shall I finish?" }] },
    });
  });

  test.each([
    ["cancel", "interrupted"],
    ["continue", "success"],
  ])("that is disconnected with on_disconnect %s ends the run with %s", async (on_disconnect, status) => {
    const agent = await startAgent({ strict: true });
    const { thread_id } = await agent.thread();
    const client = new AbortController();
    const body = { assistant_id: "counter", input: {}, on_disconnect };
    await startRequest(agent, `/threads/${thread_id}/runs/stream`, body, client.signal);
    const [run] = (await agent.call("GET", `/threads/${thread_id}/runs`)).list;
    client.abort();
    // Only a run that continues needs time to finish.
    if (on_disconnect === "continue") await agent.advance(runMs);
    const joinResponse = await agent.call("GET", `/threads/${thread_id}/runs/${run?.run_id}/join`);
    expect(joinResponse.status).toBe(200);
    const after = await agent.call("GET", `/threads/${thread_id}/runs/${run?.run_id}`);
    expect(after.body.status).toBe(status);
  });
});
