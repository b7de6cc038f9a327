import { human, runMs, startAgent, startRun, startThread, unknownId } from "../support/agent-server";

const hello = { assistant_id: "echo", input: { messages: [human("Hi")] } };

describe("an agent server in Python", () => {
  // @covers 4B.GET /
  test("is healthy at its address, with and without a slash at the end", async () => {
    const agent = await startAgent({ strict: true });
    const healthy = { status: 200, body: { ok: true } };
    expect([await agent.call("GET", ""), await agent.call("GET", "/")]).toMatchObject([healthy, healthy]);
  });

  // @covers 4B.GET /openapi.json, 4B.GET /docs
  test("describes its operations at paths without its address, for programs and persons", async () => {
    const agent = await startAgent({ without: ["threads-prune"] });
    const { paths } = (await agent.call("GET", "/openapi.json")).body as unknown as { paths: Record<string, object> };
    expect(Object.keys(paths["/threads/{thread_id}"] ?? {})).toEqual(["get", "patch", "delete"]);
    expect(Object.keys(paths).filter((path) => /agents|prune/.test(path))).toEqual([]);
    const page = await fetch(`${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}/docs`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toContain("<code>/threads/search</code>");
  });

  // @covers 4B.GET /metrics
  test("counts its runs for Prometheus and as JSON", async () => {
    const { agent, thread_id } = await startThread();
    await startRun(agent, thread_id, hello);
    await startRun(agent, thread_id, hello);
    const url = `${agent.emulator.urls.controlPlane}/agents/${agent.deploymentId}/metrics`;
    expect(await (await fetch(url)).text()).toContain("lg_api_workers_max 1.0\n");
    expect((await agent.call("GET", "/metrics?format=json")).body).toMatchObject({ queue: { n_pending: 2 } });
    await agent.advance(runMs);
    expect((await agent.call("GET", "/metrics?format=json")).body).toMatchObject({ queue: { n_pending: 0 } });
  });

  // @covers 4B:slash
  test.each([
    ["GET", "/threads/?limit=1", 307, "/threads?limit=1"],
    ["POST", "/mcp/", 307, "/mcp"],
    ["GET", "/mcp/", 307, "/mcp"],
    ["GET", "/ok/", 404, null],
    ["GET", "/nothing/", 404, null],
  ])("responds to %s %s with %i and the location %s", async (method, path, status, location) => {
    const { emulator, deploymentId } = await startAgent();
    const address = `${emulator.urls.controlPlane}/agents/${deploymentId}`;
    const response = await fetch(address + path, { method, redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([status, location && address + location]);
  });
});

test("an agent server in JavaScript has only /ok and /info, and redirects nothing", async () => {
  const agent = await startAgent({ agentServer: "javascript" });
  const paths = ["/ok", "/info", "/", "/docs", "/metrics", "/openapi.json", "/threads/search/"];
  const statuses = await Promise.all(paths.map(async (path) => (await agent.call("GET", path)).status));
  expect(statuses).toEqual([200, 200, 404, 404, 404, 404, 404]);
});

// @covers 4B.GET /threads/{thread_id}/storage
test("GET /threads/{thread_id}/storage counts checkpoints, and the bytes of each value", async () => {
  const { agent, thread_id } = await startThread({ strict: true });
  const storage = async (id: string) => agent.call("GET", `/threads/${id}/storage`);
  const nothing = { count: 0, bytes: 0 };
  expect((await storage(thread_id)).body).toEqual({
    ...{ thread_id, total_bytes: 0, checkpoints: nothing, pending_writes: nothing },
    channel_values: { ...nothing, by_channel: {} },
  });
  await startRun(agent, thread_id, { assistant_id: "counter", input: { steps: 2 } }, runMs);
  expect((await storage(thread_id)).body).toMatchObject({
    checkpoints: { count: 4 },
    channel_values: { by_channel: { count: { versions: 2, bytes: 2 }, steps: { versions: 3, bytes: 3 } } },
  });
  expect((await storage(unknownId)).status).toBe(404);
});
