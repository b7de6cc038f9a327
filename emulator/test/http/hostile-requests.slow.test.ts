import { connect } from "node:net";
import { type Agent, runMs, startAgent, startRun, startThread } from "../support/agent-server";
import { createDestination, destinationBody } from "../support/bucket/client";
import { bulkExports, headers, TracingClient } from "../support/bulk-export/exports";
import { type Client, docker, start, startDeployment } from "../support/emulator";

// Malicious requests are rejected with an explanation or have no effect. They never cause an internal error.
const hugeOffset = `1${"0".repeat(30)}`;
/** An object that JavaScript cannot convert to a string. */
const unprintable = { toString: 1, valueOf: 1 };

describe("a nested body", () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

  test("that is too deep is rejected as by FastAPI, and the request log records it", async () => {
    const agent = await startAgent();
    const response = await agent.post("/v2/deployments", deep);
    expect(response).toMatchObject({ status: 400, body: { detail: "There was an error parsing the body" } });
    const entry = agent.emulator.requestLog.entries({ method: "POST" }).at(-1);
    expect(entry).toMatchObject({ status: 400, body: "40000 bytes of invalid JSON" });
    expect(await agent.call("POST", "/threads", `{"metadata":{"a":${deep}}}`)).toMatchObject({ status: 400 });
    expect(await agent.admin("POST", "/faults", deep)).toMatchObject({ status: 422 });
  });

  test("is accepted with the depth of real programs", async () => {
    const agent = await startAgent();
    const nested = JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`);
    expect((await agent.thread({ metadata: { nested } })).metadata).toEqual({ nested });
  });
});

test("an object in place of a boolean is rejected", async () => {
  const body = docker("agent", { source: "internal_docker", source_config: {}, source_revision_config: {} });
  const { client, id } = await startDeployment({}, body);
  const response = await client.post(`/v2/deployments/${id}/push-token`, { supports_registry_username: unprintable });
  expect(response).toMatchObject({ status: 422, body: { detail: [{ type: "bool_type" }] } });
});

test("an object in place of a time is rejected", async () => {
  const tracing = new TracingClient(await start());
  const response = await tracing.post(bulkExports, await tracing.threeDayExport({ start_time: unprintable }));
  expect(response).toMatchObject({ status: 422, body: { detail: [{ type: "datetime_type" }] } });
});

test("an offset beyond all rows returns an empty page", async () => {
  const agent = await startAgent();
  await agent.thread();
  const sessions = await agent.send("GET", `/api/v1/sessions?offset=${hugeOffset}`, undefined, headers());
  expect(sessions).toMatchObject({ status: 200, body: [] });
  expect(await agent.get(`/v2/listeners?offset=${hugeOffset}`)).toMatchObject({ status: 200, body: { resources: [] } });
  expect(await agent.call("POST", "/threads/search", `{"offset":${hugeOffset}}`)).toMatchObject({
    status: 200,
    list: [],
  });
});

test("an export over years has a run for each day, and runs of days without traces complete at once", async () => {
  const tracing = new TracingClient(await start());
  const session_id = await tracing.project("old");
  await tracing.client.emulator.loadRuns({ project: "old" }, [{ name: "chat", start_time: "2020-02-29T12:00:00Z" }]);
  const bulk_export_destination_id = await createDestination(tracing);
  const times = { start_time: "2016-01-01T00:00:00Z", end_time: "2021-01-01T00:00:00Z" };
  const body = await tracing.threeDayExport({ bulk_export_destination_id, session_id, ...times });
  const { id } = await tracing.create(body, 1000);
  const runs = await tracing.runs(id);
  expect(runs).toHaveLength(1827);
  expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(["Completed"]));
  const runsWithRows = runs.filter(({ metadata: { result } }) => result?.rows_written !== 0);
  expect(runsWithRows.map(({ start_time }) => start_time)).toEqual(["2020-02-29T00:00:00+00:00"]);
  expect(runs[0]?.metadata).toMatchObject({
    result: { rows_written: 0, exported_files: [], export_path: expect.stringMatching(/year=2016\/month=01\/day=01$/) },
  });
});

test.each([
  ["access_key_id", "schlüssel-🔑"],
  ["access_key_id", "two\nlines"],
  ["session_token", "🔑"],
])("a destination whose %s is %j is rejected like any wrong key", async (name, value) => {
  const tracing = new TracingClient(await start());
  const body = destinationBody(tracing.client.emulator.bucket, {}, { [name]: value });
  const response = await tracing.post(`${bulkExports}/destinations`, body);
  expect(response.status).toBe(400);
  expect(response.body.detail).toMatch(/^Failed to validate S3 destination: .*character/);
  expect(JSON.stringify(response.body)).not.toContain(value);
});

describe("a run", () => {
  const runWithMessage = async (agent: Agent, message: object) => {
    const { thread_id } = await agent.thread({ metadata: { graph_id: "echo" } });
    await startRun(agent, thread_id, { assistant_id: "echo", input: { messages: [message] } }, runMs);
    return agent.state(thread_id);
  };

  test.each([[unprintable], ["constructor"], [null]])("accepts a message whose role is %j", async (role) => {
    const { values } = await runWithMessage(await startAgent(), { role, content: "Hello" });
    expect(values.messages?.[0]).toMatchObject({ type: expect.any(String), content: "Hello" });
  });

  test("continues when the TTL of its thread expires immediately", async () => {
    const { agent, thread_id } = await startThread({}, { ttl: { ttl: 0 } });
    await startRun(agent, thread_id, { assistant_id: "echo", input: {} }, 1);
    expect((await agent.call("GET", `/threads/${thread_id}`)).body).toMatchObject({ status: "busy" });
    await agent.advance(runMs);
    expect(await agent.call("GET", `/threads/${thread_id}`)).toMatchObject({ status: 404 });
  });

  test("with an invalid mode is rejected", async () => {
    const { agent, thread_id } = await startThread({ speed: "instant" });
    const body = { assistant_id: "echo", input: {}, stream_mode: [unprintable] };
    expect((await agent.call("POST", `/threads/${thread_id}/runs/stream`, body)).status).toBe(422);
  });
});

describe("a client with hundreds of pipelined requests", () => {
  const sendPipelined = (client: Client, times: number) => {
    const { port, host, hostname } = new URL(client.emulator.urls.controlPlane);
    const requestText = (time: number) => `GET /openapi.json?time=${time} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;
    const socket = connect(Number(port), hostname);
    socket.write(Array.from({ length: times }, (_, time) => requestText(time)).join(""));
    return socket;
  };
  const executedRequests = (client: Client) => client.emulator.requestLog.entries({ path: "/openapi.json" });

  test("that reads no response does not block others, and its requests are not executed ahead", async () => {
    const client = await start();
    const times = 800;
    const socket = sendPipelined(client, times).pause();
    while (executedRequests(client).length === 0) await client.get("/v2/listeners");
    expect(executedRequests(client).length).toBeLessThan(times / 4);
    for (let turn = 0; turn < 200; turn++) await client.get("/v2/listeners");
    // The operating system buffers a few megabytes of responses; these have tens.
    expect(executedRequests(client).length).toBeLessThan(times / 2);
    socket.destroy();
  });

  test("receives responses in order", async () => {
    const client = await start();
    const socket = sendPipelined(client, 20);
    let text = "";
    for await (const chunk of socket) {
      text += chunk;
      if (text.split("HTTP/1.1 200").length > 20 && text.endsWith("}")) break;
    }
    expect(executedRequests(client).map(({ query }) => query.time)).toEqual(
      Array.from({ length: 20 }, (_, time) => [`${time}`]),
    );
  });
});
