/** What each server receives, what its errors say, and which settings share clients. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { ClientPool, Clients } from "../../../provider/api/clients";
import type { HttpError } from "../../../provider/http/errors";
import { noRetry } from "../../../provider/http/retry";
import { readSettings, type Settings } from "../../../provider/settings/settings";
import { type SettingKey, settingKeys } from "../../../provider/settings/settings-schema";
import { failureOf } from "../../support/errors";
import { json, TestServer } from "../../support/servers/server";
import { TestClock } from "../../support/time/clock";

const tenantId = "5f0c9a52-6d3f-4c1b-9a3e-2b7a1d7f4f10";

const settingsOf = (config: Record<string, string>): Settings =>
  readSettings((key) => config[key.replace("agentgraph:", "")], {});

/** Returns clients whose servers have one URL. */
function clientsAt(server: TestServer, config: Record<string, string>, clock = new TestClock()): Clients {
  const urls = { controlPlaneUrl: server.url.origin, tracingApiUrl: server.url.origin };
  return new Clients(settingsOf({ ...urls, tenantId, ...config }), clock);
}

const deploymentAt = (url: string) => ({ id: "d", url });

const BOTH = { apiKey: "k", bearerToken: "t" };

/** Sends one request to each server at the same URL, and returns the credentials that each received. */
async function credentialsSent(config: Record<string, string>) {
  const server = await TestServer.start([json(200, [])]);
  const clients = clientsAt(server, config);
  await clients.sources.listIntegrations();
  await clients.tracing.listExports();
  return server.requests.map(({ headers }) => [headers["x-api-key"], headers.authorization, headers["x-tenant-id"]]);
}

// @covers 5.item 1, 5.item 1:alternatives, 5.item 4
test.each<[string, Record<string, string>, unknown[], unknown[]]>([
  ["receive the API key", { apiKey: "k" }, ["k", undefined], ["k", undefined]],
  ["of which one requires the API key receive what they prefer", BOTH, [undefined, "Bearer t"], ["k", undefined]],
  ["receive the only bearer token", { bearerToken: "t" }, [undefined, "Bearer t"], [undefined, "Bearer t"]],
])("Both servers %s", async (_what, config, controlPlane, tracing) => {
  const sent = [controlPlane, tracing].map((credentials) => [...credentials, tenantId]);
  expect(await credentialsSent(config)).toEqual(sent);
});

const toBoth = ({ sources, tracing }: Clients) => [sources.listIntegrations(), tracing.listExports()];

/** Reads a thread of an agent, which the small servers here do not have. */
const readThread = ({ agentServers }: Clients, url: string) =>
  agentServers
    .serverOf(deploymentAt(url))
    ?.threads.get("t")
    .catch(() => undefined);

test.each<[string, Record<string, string>, (clients: Clients, url: string) => unknown[], number]>([
  ["to two servers at one URL, with one credential,", { apiKey: "k" }, toBoth, 1000],
  ["to two servers at one URL, with two credentials,", BOTH, toBoth, 1000],
  [
    "to the agents behind one address, and to the APIs there,",
    { apiKey: "k" },
    (clients, url) => [clients.sources.listIntegrations(), ...[..."abc"].map((at) => readThread(clients, url + at))],
    3000,
  ],
  [
    "for the health of agents at one address",
    { apiKey: "k" },
    (clients, url) => [1, 2, 3].map(() => clients.checkAgentHealth(url)),
    2000,
  ],
])("Requests %s share one rate limit", async (_which, credentials, requests, elapsedMs) => {
  const clock = new TestClock();
  const server = await TestServer.start([json(200, [])]);
  const clients = clientsAt(server, { ...credentials, requestsPerSecond: "1" }, clock);
  await Promise.all(requests(clients, server.url.href));
  expect(clock.elapsedMs).toBe(elapsedMs);
});

const KEY_REQUIRED = "Bulk exports require an API key, but only a bearer token is set. Set apiKey as well: ";

test.each<[string, (clients: Clients, url: string) => Promise<unknown>, string]>([
  ["the control plane", ({ controlPlane }) => controlPlane.newestDeployment(), "Is controlPlaneUrl correct?"],
  ["the sources", ({ sources }) => sources.listIntegrations(), "Is controlPlaneUrl correct?"],
  ["a log", (clients) => clients.revisions.logs("d", "r", { type: "deploy", limit: 1 }), "Is controlPlaneUrl correct?"],
  ["the tracing API", ({ tracing }) => tracing.listExports(), "Is tracingApiUrl correct?"],
  [
    "an agent server",
    async ({ agentServers }, url) => agentServers.serverOf(deploymentAt(url))?.threads.get("t"),
    "Does the URL point to an agent server?",
  ],
])("An unexpected response of %s asks to check its URL", async (_what, request, hint) => {
  const server = await TestServer.start([json(200, "text")]);
  const clients = clientsAt(server, { apiKey: "k" });
  await expect(request(clients, server.url.href)).rejects.toThrow(`\n${hint}`);
});

it.each(["controlPlane", "tracing"] as const)(
  "Two servers at one URL each have their own remedy when %s is used first",
  async (first) => {
    const server = await TestServer.start([json(401, { detail: "Not authenticated" })]);
    const { sources, tracing } = clientsAt(server, { bearerToken: "t" });
    const send = { controlPlane: () => sources.listIntegrations(), tracing: () => tracing.listExports() };
    const early = (await failureOf(send[first]())) as HttpError;
    const late = (await failureOf(send[first === "tracing" ? "controlPlane" : "tracing"]())) as HttpError;
    const [ofControlPlane, ofTracing] = first === "tracing" ? [late, early] : [early, late];
    expect(ofControlPlane.message).toMatch(/The bearer token may be expired.*\n.*\(controlPlaneUrl, from/);
    expect(ofTracing.message).toContain(KEY_REQUIRED);
    expect(ofTracing.message).toMatch(/\(tracingApiUrl, from/);
    // They do not share the cause of a failure whose remedies differ.
    expect(ofControlPlane.sharedCause).toBeDefined();
    expect(ofTracing.sharedCause).not.toBe(ofControlPlane.sharedCause);
  },
);

describe("Clients", () => {
  const urls = { controlPlaneUrl: "https://agents.example.com", tracingApiUrl: "https://traces.example.com" };
  const values: Record<SettingKey, string> = {
    apiKey: "k2",
    apiKeyEnv: "OTHER_KEY",
    bearerToken: "t",
    platform: "langsmith",
    url: "https://other.example.com",
    tenantId: "99999999-9999-4999-8999-999999999999",
    controlPlaneUrl: "https://other.example.com",
    tracingApiUrl: "https://other.example.com",
    vocabulary: '{"githost": "github"}',
    agentHeaders: '{"X-Team": "payments"}',
    agentOrigins: '["https://agent.example.com"]',
    ownerId: "acme",
    ownerMarker: "false",
    resumeWithin: "2h",
    requestsPerSecond: "7",
    maxConcurrentRequests: "7",
    requestTimeout: "7s",
    streamLogs: "true",
    requestLog: "requests.jsonl",
    requestLogBodies: "true",
    allowServerChange: "true",
    allowInsecureHttp: "true",
  };
  const config = { ...urls, tenantId, apiKey: "k" };
  const clock = new TestClock();
  const pool = new ClientPool();
  const clientsOf = (settings: Settings) => pool.get(settings, clock);

  it("are shared by equal settings", () => {
    expect(clientsOf(settingsOf(config))).toBe(clientsOf(settingsOf({ ...config })));
  });

  it.each(settingKeys)("are not shared by settings that differ in %s", (key) => {
    const other = settingsOf({ ...config, [key]: values[key] });
    expect(clientsOf(other)).not.toBe(clientsOf(settingsOf(config)));
  });

  it("are not shared by settings from different sources, which errors name", () => {
    const fromEnvironment = readSettings(
      (key) => (key === "agentgraph:apiKey" ? undefined : config[key.replace("agentgraph:", "") as "apiKey"]),
      { AGENTGRAPH_API_KEY: "k" },
    );
    expect(clientsOf(fromEnvironment)).not.toBe(clientsOf(settingsOf(config)));
  });

  it("are not shared by runs", () => {
    expect(new ClientPool().get(settingsOf(config), clock)).not.toBe(clientsOf(settingsOf(config)));
  });

  it("leave no connection open when their run ends, and open new ones when a request follows", async () => {
    const sockets = new Set<Socket>();
    const server = await TestServer.start([
      (response, request) => {
        sockets.add(request.socket);
        json(200, [])(response, request);
      },
    ]);
    const ownPool = new ClientPool();
    const urls = { controlPlaneUrl: server.url.origin, tracingApiUrl: server.url.origin };
    const clients = ownPool.get(settingsOf({ ...urls, tenantId, apiKey: "k" }), clock);
    const request = () =>
      Promise.all([...toBoth(clients), ...["a", "b"].map((path) => readThread(clients, server.url.href + path))]);
    await request();
    const open = [...sockets].filter(({ destroyed }) => !destroyed);
    const ended = open.map((socket) => once(socket, "close", { signal: AbortSignal.timeout(2000) }));
    await ownPool.close();
    await Promise.all(ended);
    await request();
    await ownPool.close();
  });

  // @covers 10.tenant-header
  it("of two workspaces send the ID of each", async () => {
    const server = await TestServer.start([json(200, [])]);
    const tenants = [tenantId, values.tenantId];
    for (const tenant of tenants) {
      const settings = settingsOf({ controlPlaneUrl: server.url.origin, apiKey: "k", tenantId: tenant });
      await clientsOf(settings).sources.listIntegrations();
    }
    expect(server.requests.map(({ headers }) => headers["x-tenant-id"])).toEqual(tenants);
  });
});

describe("An upload", () => {
  /** A clock whose deadlines pass only when the test advances it. */
  class DeadlineClock extends TestClock {
    override deadline(milliseconds: number): AbortSignal {
      const controller = new AbortController();
      void this.sleep(milliseconds).then(() => controller.abort(new DOMException("its time is over", "TimeoutError")));
      return controller.signal;
    }
  }

  /** Uploads to a server that takes a time to respond. Returns the server's end of the connection. */
  async function upload(milliseconds: number): Promise<Socket> {
    const clock = new DeadlineClock();
    clock.pause();
    const sockets: Socket[] = [];
    const server = await TestServer.start([
      (response, request) => {
        sockets.push(request.socket);
        clock.advance(milliseconds);
        setImmediate(() => response.end());
      },
    ]);
    const settings = settingsOf({ controlPlaneUrl: server.url.origin, apiKey: "k" });
    const content = { size: 1, type: "application/gzip", open: () => Readable.from(["x"]) };
    await new Clients(settings, clock, noRetry).upload(new URL("/source", server.url).href, {}, content);
    return sockets[0] as Socket;
  }

  it("may take a quarter of an hour, although the timeout of a request is half a minute", async () => {
    await upload(14 * 60_000);
    await expect(upload(15 * 60_000)).rejects.toThrow("did not respond in time");
  });

  it("closes its connection, since no other request goes to the store", async () => {
    const socket = await upload(0);
    await once(socket, "close", { signal: AbortSignal.timeout(1000) });
  });
});
