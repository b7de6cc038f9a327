/** The request log: a line for each attempt, whatever happens to the request, and no secret in it. */
import { execFile, execFileSync } from "node:child_process";
import { linkSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { newFolder } from "../../../emulator/test/support/folder";
import { OutgoingText } from "../../../provider/engine/host/log";
import { credentialsIn, readSettings } from "../../../provider/settings/settings";
import { ObservedRequests } from "../../../provider/telemetry/observed-requests";
import { openHttpClient } from "../../support/servers/http-client";
import { json, TestServer } from "../../support/servers/server";

const SECRET = "canary-of-the-api-key";
const OTHER_SECRET = "canary of another deployment";
const folder = newFolder();

function openLog(name: string, more: Record<string, string> = {}) {
  const path = join(folder, name);
  const requests = new ObservedRequests();
  const config: Record<string, string> = { "agentgraph:requestLog": path, "agentgraph:apiKey": SECRET, ...more };
  const settings = readSettings((key) => config[key], {});
  const [debug, warnings]: [string[], string[]] = [[], []];
  const outgoing = new OutgoingText({
    show: (kind, _urn, text) => void (kind === "warn" ? warnings : debug).push(text),
    flush: async () => undefined,
  });
  outgoing.protect("", credentialsIn(settings));
  const urn = "urn:pulumi:dev::project::type::agent";
  const call = {
    ...{ urn, kind: "Deployment", operation: "create" },
    clean: (text: string) => outgoing.clean(urn, text),
    debug: async (text: string) => outgoing.show("debug", urn, text),
    warn: (text: string) => outgoing.show("warn", urn, text),
  };
  const read = () =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const protect = (secret: string) => outgoing.protect(urn, [secret]);
  return { path, requests, call, observe: requests.observer(settings), debug, warnings, read, protect };
}

test("The request log has one line for each attempt, with its wait, status, request ID and resource", async () => {
  const server = await TestServer.start([
    json(429, { detail: "slow down" }, { "retry-after": "2", "x-request-id": "r-1" }),
    json(200, {}, { "x-request-id": "r-2" }),
  ]);
  const { requests, call, observe, debug, read } = openLog("attempts.jsonl");
  const { http } = openHttpClient(server.url, { observe });
  const query = { token: "canary-of-a-query" };
  await requests.during(call, () => http.send({ method: "GET", path: "/v2/things", query }));
  const url = `${server.url.origin}/v2/things?token=REDACTED`;
  const common = { method: "GET", url, urn: call.urn, operation: "create" };
  expect(read()).toMatchObject([
    { ...common, attempt: 1, status: 429, requestId: "r-1", error: "slow down" },
    { ...common, attempt: 2, status: 200, requestId: "r-2", waitMs: 2000 },
  ]);
  expect(debug.join().split("\n")).toEqual([
    expect.stringMatching(/^GET \S+\/v2\/things\?token=REDACTED 429 in \d+ ms, request ID r-1: slow down$/),
    expect.stringMatching(/ 200 in \d+ ms, attempt 2, waited 2000 ms, request ID r-2$/),
  ]);
  expect(read()[0]).not.toHaveProperty("responseBody");
});

test("A secret that a server repeats is not in the request log, which only its owner can read", async () => {
  const server = await TestServer.start([json(400, { detail: `bad key ${SECRET}` })]);
  const { path, requests, call, observe, debug, read } = openLog("secrets.jsonl");
  writeFileSync(path, "", { mode: 0o644 });
  const { http } = openHttpClient(server.url, { observe });
  await requests.during(call, () => http.send({ method: "POST", path: "/v2/things" })).catch(() => undefined);
  expect(read()).toMatchObject([{ status: 400, error: "bad key [secret]" }]);
  expect(`${readFileSync(path)}${debug}`).not.toContain(SECRET);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("With requestLogBodies, the request log has all bodies, truncated and without anybody's secrets", async () => {
  const deployment = { name: "other", secrets: [{ name: "KEY", value: OTHER_SECRET }], text: "x".repeat(40_000) };
  const server = await TestServer.start([
    json(400, { detail: `bad key ${SECRET}` }),
    json(200, { upload_url: `https://store.example/path?signature=${OTHER_SECRET}`, ...deployment }),
  ]);
  const { path, requests, call, observe, read } = openLog("bodies.jsonl", { "agentgraph:requestLogBodies": "true" });
  const { http } = openHttpClient(server.url, { observe });
  const body = { name: "agent", api_key: OTHER_SECRET, nested: { secrets: [{ name: "KEY", value: OTHER_SECRET }] } };
  const send = () => http.send({ method: "POST", path: "/v2/things", body });
  await requests.during(call, send).catch(() => undefined);
  await requests.during(call, send);
  const [rejected, created] = read();
  expect(JSON.parse(rejected.requestBody)).toEqual({
    ...{ name: "agent", api_key: "REDACTED" },
    nested: { secrets: [{ name: "KEY", value: "REDACTED" }] },
  });
  expect(rejected.responseBody).toBe('{"detail":"bad key [secret]"}');
  expect(created.responseBody).toContain('{"upload_url":"https://store.example/path?REDACTED","name":"other"');
  expect(created.responseBody.length).toBeLessThan(17_000);
  for (const secret of [SECRET, OTHER_SECRET]) expect(readFileSync(path, "utf8")).not.toContain(secret);
});

/** Returns the body of a response in the request log. */
async function loggedBody(name: string, response: object): Promise<string> {
  const server = await TestServer.start([json(200, response)]);
  const { requests, call, observe, read } = openLog(name, { "agentgraph:requestLogBodies": "true" });
  const { http } = openHttpClient(server.url, { observe });
  await requests.during(call, () => http.send({ method: "GET", path: "/v2/things" }));
  return read()[0].responseBody;
}

test("A signature, and the headers of an upload, are not in the bodies of the request log", async () => {
  const response = {
    ...{ upload_headers: { "x-store-auth": "canary-of-a-header" }, signature: "canary-of-a-signature" },
    ...{ "Upload-Headers": ["canary-of-a-list"], X_Amz_Signature: "canary-of-another", Cookie: "canary-of-a-cookie" },
    ...{ "x-api-key": "canary-of-a-key", "PRIVATE-KEY": "canary", privateKey: "canary", private_key: ["canary"] },
  };
  expect(await loggedBody("signatures.jsonl", response)).not.toContain("canary");
});

const HOOK = "https://hooks.example.com/services/canary-of-the-path";
test.each([
  ["with a query", `${HOOK}?channel=a`, `${HOOK}?channel=a`],
  ["whose query the server removed", `${HOOK}?channel=a`, HOOK],
  ["of which only a part is the secret, up to the query", "services/canary-of-the-path?channel=a", `${HOOK}?channel=a`],
])("The path of a secret URL %s is not in the bodies of the request log", async (_what, secret, url) => {
  const server = await TestServer.start([json(400, { detail: `not reachable: ${url}`, nested: [{ webhook: url }] })]);
  const log = openLog("webhook.jsonl", { "agentgraph:requestLogBodies": "true" });
  log.protect(secret);
  const { http } = openHttpClient(server.url, { observe: log.observe });
  const send = () => http.send({ method: "POST", path: "/runs/crons", body: { webhook: url } });
  await log.requests.during(log.call, send).catch(() => undefined);
  expect(readFileSync(log.path, "utf8")).not.toContain("canary-of-the-path");
  rmSync(log.path);
});

test("A URL that is not secret is in the request log without its query", async () => {
  const response = { url: `${HOOK}?sig="a\\"#b`, text: "a?b", long: `${HOOK}?${"x".repeat(40_000)}` };
  expect(await loggedBody("query.jsonl", response)).toBe(
    `{"url":"${HOOK}?REDACTED","text":"a?b","long":"${HOOK}?REDACTED`,
  );
});

test.each([
  ["a symbolic link", symlinkSync, "is a symbolic link"],
  ["a hard link", linkSync, "has further names"],
])("A request log that is %s to another file is a warning, and the file is unchanged", async (what, link, reason) => {
  const target = join(folder, `target of ${what}`);
  writeFileSync(target, "of someone else", { mode: 0o644 });
  link(target, join(folder, what));
  const server = await TestServer.start([json(200, {})]);
  const { requests, call, observe, warnings } = openLog(what);
  const { http } = openHttpClient(server.url, { observe });
  await requests.during(call, () => http.send({ method: "GET", path: "/a" }));
  expect(warnings).toEqual([
    expect.stringMatching(new RegExp(`^requestLog: the request log is not written: .*${reason}`)),
  ]);
  expect([readFileSync(target, "utf8"), statSync(target).mode & 0o777]).toEqual(["of someone else", 0o644]);
});

test.each([
  ["in a folder that does not exist", "missing/folder.jsonl", "ENOENT"],
  ["that is a folder", ".", "EISDIR"],
  ["on a full disk", "../../../../../../dev/full", "ENOSPC"],
])("A request log %s is a warning, once, and the requests are sent", async (_what, name, code) => {
  const server = await TestServer.start([json(200, {}), json(200, {})]);
  const { requests, call, observe, warnings } = openLog(name);
  const { http } = openHttpClient(server.url, { observe });
  for (const path of ["/a", "/b"]) await requests.during(call, () => http.send({ method: "GET", path }));
  expect(server.requests).toHaveLength(2);
  expect(warnings).toEqual([
    expect.stringMatching(new RegExp(`^requestLog: the request log is not written: .*${code}`)),
  ]);
});

/** Appends attempts in another process. */
const APPEND = `
  const { appendEntry } = require(${JSON.stringify(join(__dirname, "../../../dist/provider/telemetry/request-log"))});
  const [path, operation, count] = process.argv.slice(1);
  for (let attempt = 1; attempt <= count; attempt++)
    appendEntry(path, { time: 0, operation, attempt, durationMs: 0, waitMs: 0, responseBody: "x".repeat(16000) });`;
const appendArgs = (name: string, operation: string, count: number) => [
  ...["-e", APPEND, join(folder, name)],
  ...[operation, String(count)],
];

test("Lines that several processes append at the same time stay whole and in the order of each process", async () => {
  const operations = ["create", "update", "delete"];
  await Promise.all(
    operations.map((operation) => promisify(execFile)(process.execPath, appendArgs("many.jsonl", operation, 200))),
  );
  const lines = readFileSync(join(folder, "many.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const operation of operations)
    expect(lines.filter((line) => line.operation === operation).map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 1),
    );
});

test("A named pipe that nobody reads is an error at once, as it would otherwise stop the process", () => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const append = () =>
    execFileSync(process.execPath, appendArgs("pipe", "create", 1), { stdio: "pipe", timeout: 60_000 });
  expect(append).toThrow("ENXIO");
});
