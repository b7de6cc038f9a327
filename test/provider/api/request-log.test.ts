/** The request log: a line for each attempt, whatever happens to the request, and no secret in it. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ObservedCall, ObservedRequests } from "../../../provider/api/request-log/observed-requests";
import { readSettings } from "../../../provider/settings/settings";
import { openHttpClient } from "../../support/servers/http-client";
import { json, TestServer } from "../../support/servers/server";

const SECRET = "canary-of-the-api-key";
const folder = mkdtempSync(join(tmpdir(), "request-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

function openLog(name: string) {
  const path = join(folder, name);
  const requests = new ObservedRequests();
  const [debug, warnings]: [string[], string[]] = [[], []];
  const call: ObservedCall = {
    urn: "urn:pulumi:dev::project::type::agent",
    operation: "create",
    clean: (text) => text,
    debug: (text) => debug.push(text),
    warn: (text) => warnings.push(text),
  };
  const config: Record<string, string> = { "agentgraph:requestLog": path, "agentgraph:apiKey": SECRET };
  const observe = requests.observer(readSettings((key) => config[key], {}));
  const read = () =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  return { path, requests, call, observe, debug, warnings, read };
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
  expect(debug).toEqual([
    expect.stringMatching(/^GET \S+\/v2\/things\?token=REDACTED 429 in \d+ ms, request ID r-1: slow down$/),
    expect.stringMatching(/ 200 in \d+ ms, attempt 2, waited 2000 ms, request ID r-2$/),
  ]);
});

test("A secret that a server repeats is not in the request log, and only the owner can read the file", async () => {
  const server = await TestServer.start([json(400, { detail: `bad key ${SECRET}` })]);
  const { path, requests, call, observe, debug, read } = openLog("secrets.jsonl");
  const { http } = openHttpClient(server.url, { observe });
  await requests.during(call, () => http.send({ method: "POST", path: "/v2/things" })).catch(() => undefined);
  expect(read()).toMatchObject([{ status: 400, error: "bad key [secret]" }]);
  expect(`${readFileSync(path)}${debug}`).not.toContain(SECRET);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("A request log that cannot be written is a warning, once, and the requests are sent", async () => {
  const server = await TestServer.start([json(200, {}), json(200, {})]);
  const { requests, call, observe, warnings } = openLog("missing/folder.jsonl");
  const { http } = openHttpClient(server.url, { observe });
  for (const path of ["/a", "/b"]) await requests.during(call, () => http.send({ method: "GET", path }));
  expect(server.requests).toHaveLength(2);
  expect(warnings).toEqual([expect.stringMatching(/^requestLog: the request log is not written: .*ENOENT/)]);
});
