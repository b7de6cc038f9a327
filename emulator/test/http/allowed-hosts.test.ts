import { request as sendWithNode } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { defaultTenantId, type EmulatorOptions } from "../../src/index";
import { sign } from "../support/bucket/s3-request";
import { type Client, docker, rolloutMs, start, startDeployment } from "../support/emulator";

// A web page whose name is resolved to this machine (DNS rebinding) sends its own name as Host; others their Origin.
const credentials = { "x-api-key": "a-key", "x-tenant-id": defaultTenantId };

/** What a client sends besides the request. */
interface Sent {
  host?: string;
  origin?: string;
}

interface Target {
  url: string;
  method?: string;
  headers?: Record<string, string>;
}

/** One request to each part of the emulator, all of which succeed. */
function targetsOf({ emulator }: Client, deploymentId: string): Record<string, Target> {
  const { controlPlane, admin, bucket } = emulator.urls;
  const signed = sign(bucket, emulator.bucket, "GET", "/exports");
  return {
    "the control plane": { url: `${controlPlane}/v2/deployments`, headers: credentials },
    "an agent server": { url: `${controlPlane}/agents/${deploymentId}/ok` },
    "the tracing API": { url: `${controlPlane}/api/v1/sessions`, headers: credentials },
    "the description": { url: `${controlPlane}/openapi.json` },
    "the admin API": { url: `${admin}/health` },
    "the page": { url: `${controlPlane}/`, headers: { accept: "text/html" } },
    "the bucket": { url: signed.url, headers: signed.headers },
  };
}

/** Sends a request to the address of a target with another Host, which only Node.js's own client allows. */
function send({ url, method = "GET", headers = {} }: Target, { host, origin }: Sent, body?: Buffer) {
  const all = { ...headers, ...(host !== undefined && { host }), ...(origin !== undefined && { origin }) };
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const outgoing = sendWithNode(url, { method, headers: all }, (response) => {
      text(response).then((content) => resolve({ status: response.statusCode, body: content }), reject);
    });
    outgoing.on("error", reject).end(body);
  });
}

async function startWithTargets(options: EmulatorOptions = {}) {
  const { client, id } = await startDeployment(options, docker("agent"), rolloutMs);
  return { client, targets: targetsOf(client, id) };
}

/** Returns the status of the request to each part. */
async function statuses(targets: Record<string, Target>, sent: Sent): Promise<Record<string, number | undefined>> {
  const results = Object.entries(targets).map(async ([name, target]) => [name, (await send(target, sent)).status]);
  return Object.fromEntries(await Promise.all(results));
}

const all = (targets: object, status: number) => Object.fromEntries(Object.keys(targets).map((name) => [name, status]));
const hostOf = (target?: Target) => new URL(target?.url ?? "").host;

describe.each<[string, EmulatorOptions]>([
  ["by default", {}],
  ["with --strict", { strict: true }],
])("every part of an emulator, %s,", (_, options) => {
  test("rejects the name of another host, and the log has no request of it", async () => {
    const { client, targets } = await startWithTargets(options);
    await client.emulator.requestLog.clear();
    for (const host of ["evil.example:7420", "127.0.0.1.evil.example", "localhost.evil.example", "emulator:7420"])
      expect(await statuses(targets, { host })).toEqual(all(targets, 403));
    expect(client.emulator.requestLog.count()).toBe(0);
  });

  test("rejects the origin of a web page of another host, port or scheme", async () => {
    const { targets } = await startWithTargets(options);
    for (const origin of ["https://evil.example", "null", "", "http://127.0.0.1.evil.example", "file://"])
      expect(await statuses(targets, { origin })).toEqual(all(targets, 403));
    const { "an agent server": _agent, ...others } = targets;
    for (const origin of ["http://localhost:1", "http://127.0.0.1"])
      expect(await statuses(others, { origin })).toEqual(all(others, 403));
  });

  test("accepts its own origin and requests without one", async () => {
    const { targets } = await startWithTargets(options);
    expect(await statuses(targets, {})).toEqual(all(targets, 200));
    for (const target of Object.values(targets)) {
      expect((await send(target, { origin: `http://${hostOf(target)}` })).status).toBe(200);
    }
  });
});

describe("an emulator on a loopback address", () => {
  test.each([
    ...["localhost:9000", "LOCALHOST", "agents.localhost", "127.0.0.1:1", "127.8.9.1", "[::1]:7420", "192.0.2.7:80"],
  ])("accepts %s, which no web page can have as its name, with any port", async (host) => {
    const { targets } = await startWithTargets();
    const { "the bucket": _signed, ...others } = targets;
    expect(await statuses(others, { host })).toEqual(all(others, 200));
    expect(await statuses(others, { host, origin: `http://${host}` })).toEqual(all(others, 200));
  });

  test("explains how to allow a name, and leaves the request without effect", async () => {
    const { client, targets } = await startWithTargets();
    const detail =
      'The host name "emulator.test" is not allowed. If it is a name of this emulator, start it with ' +
      "--allow-host emulator.test";
    const create = { url: `${client.emulator.urls.controlPlane}/v2/deployments`, method: "POST", headers: credentials };
    const body = Buffer.from(JSON.stringify(docker("other", { secrets: [{ name: "A", value: "x".repeat(500_000) }] })));
    const rejection = { status: 403, body: JSON.stringify({ detail }) };
    expect(await send(create, { host: "emulator.test" }, body)).toEqual(rejection);
    expect((await client.get("/v2/deployments?name=other")).body.resources).toEqual([]);
    const bucket = await send(targets["the bucket"] as Target, { host: "emulator.test" });
    expect(bucket.body).toContain(`<Code>AccessDenied</Code><Message>${detail.replaceAll('"', "&quot;")}</Message>`);
  });

  test("names the origin that it rejects, and uses up no fault for it", async () => {
    const { client, targets } = await startWithTargets();
    await client.emulator.faults.add({ status: 503 });
    const { body } = await send(targets["the control plane"] as Target, { origin: "https://evil.example" });
    expect(JSON.parse(body).detail).toBe(
      'Requests from web pages of "https://evil.example" are not allowed. If it is an address of this ' +
        "emulator, start it with --allow-host evil.example",
    );
    expect(client.emulator.faults.list()).toHaveLength(1);
  });

  test("checks the address of a request line in absolute form, and rejects a request without Host", async () => {
    const client = await start();
    const { host, hostname, port } = new URL(client.emulator.urls.controlPlane);
    const sendRaw = (head: string) => text(connect(Number(port), hostname).end(`${head}\r\n\r\n`));
    const absolute = (target: string) => sendRaw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close`);
    expect(await absolute("http://evil.example/openapi.json")).toMatch(/^HTTP\/1.1 403 Forbidden/);
    expect(await absolute(`http://${host}/openapi.json`)).toMatch(/^HTTP\/1.1 200 OK/);
    // Only HTTP/1.0 allows it.
    const without = await sendRaw("GET /openapi.json HTTP/1.0");
    expect(without).toMatch(/^HTTP\/1.1 400 [\s\S]*\{"detail":"Invalid address or Host header"\}/);
  });
});

describe("a front end in a browser", () => {
  const preflight = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "x-api-key,content-type",
  };
  const fetchFrom = (url: string, origin: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { origin, ...(init.headers as Record<string, string>) } });

  test.each([
    ...["http://localhost:3000", "http://127.0.0.1:5173", "https://[::1]:8443", "http://app.localhost"],
    "https://chat.example",
  ])("at %s can talk to an agent, also after an error, and to nothing else", async (origin) => {
    const { client, targets } = await startWithTargets({ allowOrigin: ["https://chat.example/"], agentAuth: "key" });
    const agent = targets["an agent server"]?.url ?? "";
    for (const url of [agent, agent.replace("/ok", "/threads/search")]) {
      const response = await fetchFrom(url, origin, { method: "OPTIONS", headers: preflight });
      expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([
        204,
        {
          "access-control-allow-origin": origin,
          "access-control-allow-methods": expect.stringContaining("PATCH"),
          "access-control-allow-headers": "x-api-key,content-type",
          vary: "Origin",
        },
      ]);
    }
    const search = await fetchFrom(agent.replace("/ok", "/threads/search"), origin, { method: "POST", body: "{}" });
    expect([search.status, search.headers.get("access-control-allow-origin")]).toEqual([401, origin]);
    const admin = await fetchFrom(`${client.emulator.urls.admin}/faults`, origin, {
      method: "OPTIONS",
      headers: preflight,
    });
    expect([admin.status, admin.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });

  test("at any other address cannot", async () => {
    const { targets } = await startWithTargets({ allowOrigin: ["https://chat.example"] });
    const others = ["https://chat.example.evil", "http://chat.example", "null"];
    for (const origin of ["https://evil.example", "http://localhost.evil.example", ...others]) {
      const agent = targets["an agent server"]?.url ?? "";
      const response = await fetchFrom(agent, origin, { method: "OPTIONS", headers: preflight });
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    }
  });

  test("cannot be allowed as anything but an origin", async () => {
    for (const origin of ["chat.example", "https://chat.example/path", "*", "null"])
      await expect(start({ allowOrigin: [origin] })).rejects.toThrow(
        `Invalid --allow-origin "${origin}"; expected an origin`,
      );
  });
});

describe("allowHost", () => {
  test("allows its names everywhere, with any port, and buckets in front of them", async () => {
    const { client, targets } = await startWithTargets({ allowHost: ["Emulator.Test", "other"] });
    const { "the bucket": _signed, ...others } = targets;
    for (const host of ["emulator.test", "EMULATOR.test:1", "other:7420"]) {
      expect(await statuses(others, { host, origin: `http://${host}` })).toEqual(all(others, 200));
    }
    expect(await statuses(others, { host: "sub.emulator.test" })).toEqual(all(others, 403));
    // Behind a proxy that changes the Host and decrypts HTTPS.
    expect(await statuses(others, { host: "localhost", origin: "https://emulator.test" })).toEqual(all(others, 200));
    // The host is signed, so the request is signed for that name and sent to the address.
    const { port } = new URL(client.emulator.urls.bucket);
    for (const [name, path] of [
      ["emulator.test", "/exports"],
      ["exports.emulator.test", "/"],
    ]) {
      const signed = sign(`http://${name}:${port}`, client.emulator.bucket, "GET", path as string);
      const url = `http://127.0.0.1:${port}${path}`;
      expect(await send({ url, headers: signed.headers }, {})).toMatchObject({
        status: 200,
        body: expect.stringContaining("<Name>exports</Name>"),
      });
    }
  });

  test("rejects what is not a host name", async () => {
    const expected = "expected a host name without a port, such as emulator or agents.example.test.";
    for (const name of ["http://emulator", "emulator:7420", "", "*", "a b"])
      await expect(start({ allowHost: [name] })).rejects.toThrow(`Invalid --allow-host "${name}"; ${expected}`);
  });
});

test("an emulator on all interfaces accepts names without a dot, which containers have, and no others", async () => {
  const { targets } = await startWithTargets({ host: "0.0.0.0" });
  const { "the bucket": _signed, ...others } = targets;
  for (const host of ["emulator:7420", "localhost", "10.1.2.3:7420"])
    expect(await statuses(others, { host })).toEqual(all(others, 200));
  expect(await statuses(others, { host: "evil.example" })).toEqual(all(others, 403));
});
