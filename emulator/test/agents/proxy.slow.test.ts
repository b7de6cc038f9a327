import { agentEntry, ask, logOf, startDeployed, startWith, until } from "../support/agents/agents";
import { type Client, docker } from "../support/emulator";

const upstreamUrl = (client: Client, id: string, path: string) =>
  `${client.emulator.urls.controlPlane}/agents/${id}${path}`;

describe("the way to an agent", () => {
  it("forwards method, path, query, headers and body, and the address that the client used", async () => {
    const { client, id } = await startDeployed([agentEntry()]);
    const init = { method: "POST", body: '{"a":1}', headers: { "content-type": "application/json", "x-own": "1" } };
    const answer = await ask(client, id, "/threads/a%2Fb?x=1", init);
    expect(answer).toMatchObject({ method: "POST", path: "/threads/a%2Fb?x=1", body: '{"a":1}' });
    expect(answer?.headers).toMatchObject({
      "x-own": "1",
      "x-forwarded-prefix": `/agents/${id}`,
      "x-forwarded-host": new URL(client.emulator.urls.controlPlane).host,
    });
    const [entry] = client.emulator.requestLog.entries({ path: `/agents/${id}/**`, method: "POST" });
    expect(entry).toMatchObject({ status: 200, body: { a: 1 }, operation: "Forward to the agent", resources: [id] });
  });

  it("gives pages of an agent a separate origin, and lets the emulator decide who reads its responses", async () => {
    const { client, id } = await startDeployed([agentEntry()]);
    const headers = { origin: "http://localhost:3000" };
    const response = await fetch(upstreamUrl(client, id, "/page"), { headers });
    expect(await response.text()).toBe("<script>fetch('/_emulator')</script>");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-security-policy": expect.stringMatching(
        /^default-src 'self', sandbox (?!.*allow-(same-origin|top|popups-to))/,
      ),
      "access-control-allow-origin": "http://localhost:3000",
      "x-own": "1",
    });
    for (const name of ["service-worker-allowed", "clear-site-data", "access-control-allow-methods"])
      expect(response.headers.get(name)).toBeNull();
    const opaque = { method: "POST", headers: { origin: "null" }, body: "{}" };
    for (const path of ["/_emulator/faults", `/agents/${id}/page`])
      expect((await fetch(client.emulator.urls.controlPlane + path, opaque)).status).toBe(403);
  });

  it("forwards web sockets in both directions", async () => {
    const { client, id } = await startDeployed([agentEntry()]);
    const socket = new WebSocket(upstreamUrl(client, id, "/socket").replace("http", "ws"));
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    socket.close();
  });

  it("authenticates as the built-in agent servers do", async () => {
    const client = await startWith([agentEntry()], { agentAuth: "key", apiKey: "right" });
    const { body } = await client.send("POST", "/v2/deployments", docker("agent"), { "x-api-key": "right" });
    await client.advance(10_000);
    const status = async (path: string, key?: string) =>
      (await fetch(upstreamUrl(client, body.id, path), key ? { headers: { "x-api-key": key } } : {})).status;
    expect([await status("/ok"), await status("/threads", "right")]).toEqual([200, 200]);
    expect([await status("/threads", "wrong"), await status("/threads")]).toEqual([403, 401]);
  });

  it("applies faults, with and without the effect of the request", async () => {
    const { client, id } = await startDeployed([agentEntry()]);
    await client.admin("POST", "/faults", { path: `/agents/${id}/**`, status: 503 });
    expect((await fetch(upstreamUrl(client, id, "/threads"))).status).toBe(503);
    await client.admin("POST", "/faults", { path: `/agents/${id}/**`, connection: "reset-after" });
    await expect(fetch(upstreamUrl(client, id, "/threads"), { headers: { "x-own": "1" } })).rejects.toThrow();
    await until(async () => (await logOf(client, id)).includes("x-own: 1"));
    await client.admin("POST", "/faults", { path: `/agents/${id}/**`, delay_ms: 20 });
    expect((await fetch(upstreamUrl(client, id, "/threads"))).status).toBe(200);
    expect(client.emulator.requestLog.entries().map(({ fault }) => fault)).toContain("delay 20 ms");
  });

  it("is 502 if the agent ends during a request, then 503 until it runs again, and both name its log", async () => {
    const { client, id } = await startDeployed([agentEntry("", { restart: { pause: 60, longest: 60 } })]);
    const detailOf = async (path: string, status: number) => {
      const response = await fetch(upstreamUrl(client, id, path));
      return response.status === status ? ((await response.json()) as { detail: string }).detail : undefined;
    };
    const log = `Its log is on the page ${client.emulator.urls.controlPlane}/#/deployments/${id}`;
    expect(await detailOf("/crash", 502)).toMatch(/^The agent did not respond: .*\. Its log is on the page/);
    // Until its exit is known, its port may have been released or not.
    await until(
      async () => (await detailOf("/threads", 503)) === `The agent exited with code 7 and is started again. ${log}`,
    );
  });

  it("is 503 before the first revision is live", async () => {
    const { client, id } = await startDeployed([agentEntry("exit")]);
    const response = await fetch(upstreamUrl(client, id, "/threads"));
    expect([response.status, await response.json()]).toEqual([503, { detail: "The agent server is not running" }]);
  });
});
