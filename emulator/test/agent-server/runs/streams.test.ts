import { type Agent, human, runMs, startAgent } from "../../support/agent-server";

const input = { messages: [human("Hello")] };

interface Event {
  event: string;
  data: unknown;
}

/** Sends a request whose body arrives later. When this returns, the server has acted on it and sent the headers. */
async function startRequest(
  agent: Agent,
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Response> {
  const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}${path}`;
  const headers = { "content-type": "application/json" };
  return fetch(url, { method, ...(signal && { signal }), ...(body && { headers, body: JSON.stringify(body) }) });
}

function parseEvents(text: string): Event[] {
  const blocks = text.split("\n\n").filter((block) => block !== "");
  return blocks.map((block) => {
    const [event = "", data = ""] = block.split("\n");
    return { event: event.replace("event: ", ""), data: JSON.parse(data.replace("data: ", "")) };
  });
}

describe("waiting for a run", () => {
  // @covers 4B.POST /threads/{thread_id}/runs/wait
  test("returns the final values once the clock has reached the end of the run", async () => {
    const agent = await startAgent({ strict: true });
    const { thread_id } = await agent.thread();
    const response = await startRequest(agent, "POST", `/threads/${thread_id}/runs/wait`, {
      assistant_id: "echo",
      input,
    });
    expect(response.status).toBe(200);
    await agent.advance(runMs);
    expect(await response.json()).toEqual((await agent.state(thread_id)).values);
  });

  // @covers 4B.GET /threads/{thread_id}/runs/{run_id}/join
  test("is also possible later, with join", async () => {
    const agent = await startAgent({ strict: true });
    const { thread_id } = await agent.thread();
    const run = (await agent.call("POST", `/threads/${thread_id}/runs`, { assistant_id: "echo", input })).body.run_id;
    const response = await startRequest(agent, "GET", `/threads/${thread_id}/runs/${run}/join`);
    await agent.advance(runMs);
    expect(await response.json()).toMatchObject({ messages: [{ content: "Hello" }, { content: "Echo: Hello" }] });
  });

  test("returns the error of a failed run immediately with speed instant", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const { thread_id } = await agent.thread();
    const response = await agent.call("POST", `/threads/${thread_id}/runs/wait`, { assistant_id: "failing", input });
    const __error__ = { error: "GraphError", message: "This graph always fails" };
    expect(response).toMatchObject({ status: 200, body: { __error__ } });
  });

  test("finishes on a running clock without advance", async () => {
    const agent = await startAgent({ strict: true, speed: 100 });
    const { thread_id } = await agent.thread();
    const response = await agent.call("POST", `/threads/${thread_id}/runs/wait`, {
      assistant_id: "counter",
      input: {},
    });
    expect(response.body).toEqual({ count: 3, steps: 0 });
  });

  test("ends when the thread is deleted", async () => {
    const agent = await startAgent({ strict: true });
    const { thread_id } = await agent.thread();
    const response = await startRequest(agent, "POST", `/threads/${thread_id}/runs/wait`, {
      assistant_id: "echo",
      input,
    });
    await agent.call("DELETE", `/threads/${thread_id}`);
    expect(await response.json()).toEqual({});
  });
});

describe("the stream of a run", () => {
  // @covers 4B.POST /threads/{thread_id}/runs/stream
  test("sends metadata, values and updates as they occur", async () => {
    const agent = await startAgent({ strict: true });
    const { thread_id } = await agent.thread();
    const body = { assistant_id: "counter", input: { steps: 2 }, stream_mode: ["values", "updates"] };
    const response = await startRequest(agent, "POST", `/threads/${thread_id}/runs/stream`, body);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    await agent.advance(runMs);
    const events = parseEvents(await response.text());
    const [run] = (await agent.call("GET", `/threads/${thread_id}/runs`)).list;
    expect(response.headers.get("content-location")).toBe(`/threads/${thread_id}/runs/${run?.run_id}`);
    expect(events).toEqual([
      { event: "metadata", data: { run_id: run?.run_id, attempt: 1 } },
      { event: "values", data: { steps: 2 } },
      { event: "updates", data: { count: { count: 1, steps: 1 } } },
      { event: "values", data: { count: 1, steps: 1 } },
      { event: "updates", data: { count: { count: 2, steps: 0 } } },
      { event: "values", data: { count: 2, steps: 0 } },
    ]);
  });

  test("sends errors and interrupts", async () => {
    const agent = await startAgent({ strict: true, speed: "instant" });
    const { thread_id } = await agent.thread();
    const stream = async (assistant_id: string) => {
      const body = { assistant_id, input: {}, stream_mode: "updates" };
      return parseEvents(await (await startRequest(agent, "POST", `/threads/${thread_id}/runs/stream`, body)).text());
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
    await startRequest(agent, "POST", `/threads/${thread_id}/runs/stream`, body, client.signal);
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
