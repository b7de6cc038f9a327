/** `agentgraph requests`: what it prints of a request log, as text, JSON and an HTTP archive. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newFolder } from "../../../emulator/test/support/folder";
import { agentgraph, type Ended } from "../support/command";

const folder = newFolder();

const urn = "urn:pulumi:dev::shop::agentgraph:index:Deployment::support-agent";
const attempt = (more: object) => ({
  ...{ time: "2026-03-01T12:00:00.000Z", method: "PATCH", url: "https://agents.example.com/v2/deployments/1" },
  ...{ status: 200, attempt: 1, durationMs: 10, waitMs: 0, urn, operation: "update" },
  ...more,
});
const LOG = [
  attempt({ status: 429, requestId: "r-1", error: "slow down\u001b[2J" }),
  attempt({ attempt: 2, durationMs: 30, waitMs: 2000, requestBody: '{"a":1}', responseBody: '{"b":2}' }),
  attempt({ urn: "", operation: "getDeployments", method: "GET", url: "https://agents.example.com/v2?limit=REDACTED" }),
];

async function run(lines: readonly unknown[], ...options: string[]): Promise<Ended> {
  writeFileSync(join(folder, "log.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return agentgraph({ args: ["requests", "log.jsonl", ...options], cwd: folder });
}

test("The text has a table for each resource with its retries, and what is unusual in the whole run", async () => {
  const { code, stdout } = await run(LOG);
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "agentgraph:index:Deployment support-agent (attempts: 2, retries: 1, with status 429: 1, failed: 1)",
    "  time          operation  method  path               status  duration  details",
    "  12:00:00.000  update     PATCH   /v2/deployments/1  429     10 ms     request ID r-1, slow down [2J",
    ...["  12:00:00.000  update     PATCH   /v2/deployments/1  200     30 ms     attempt 2, waited 2000 ms", ""],
    ...["Functions (attempts: 1)", "  time          operation       method  path  status  duration  details"],
    ...["  12:00:00.000  getDeployments  GET     /v2   200     10 ms", ""],
    "All requests (attempts: 3, retries: 1, with status 429: 1, failed: 1)",
    "50 ms in requests and 2000 ms in waits, of which many may overlap",
    "Slowest: PATCH https://agents.example.com/v2/deployments/1 (30 ms)",
    ...["Most repeated: PATCH https://agents.example.com/v2/deployments/1 (2 attempts)", ""],
  ]);
});

test("Checks have a table besides the requests, and are not counted among them", async () => {
  const check = { time: "2026-03-01T12:00:01.000Z", urn, operation: "update", step: "check ask", durationMs: 2100 };
  const failed = { ...check, check: "ask agent", attempts: 3, outcome: "failed", error: "expected x, but got y" };
  const { stdout } = await run([...LOG, { ...check, check: "ok", attempts: 1, outcome: "passed" }, failed]);
  const resource = "agentgraph:index:Deployment support-agent";
  expect(stdout.split("\n").slice(9, 14)).toEqual([
    ...["Checks", "  time          resource                                   check      outcome  duration  details"],
    `  12:00:01.000  ${resource}  ok         passed   2100 ms`,
    ...[`  12:00:01.000  ${resource}  ask agent  failed   2100 ms   attempts 3, expected x, but got y`, ""],
  ]);
  expect(stdout).toContain("All requests (attempts: 3, ");
  expect(JSON.parse((await run([...LOG, failed], "--json")).stdout)).toMatchObject({
    ...{ version: 1, totals: { attempts: 3, waitMs: 2000 }, attempts: [{}, {}, {}], steps: [failed] },
  });
});

test("The HTTP archive has an entry for each attempt, with its wait, its bodies and the request ID", async () => {
  const { log } = JSON.parse((await run(LOG, "--har")).stdout);
  expect(log).toMatchObject({ version: "1.2", creator: { name: "pulumi-agentgraph", version: expect.anything() } });
  // All members that the format requires, see http://www.softwareishard.com/blog/har-12-spec/.
  const message = { httpVersion: "HTTP/1.1", cookies: [], headers: [], headersSize: -1, bodySize: -1 };
  expect(log.entries[2]).toEqual({
    ...{ startedDateTime: "2026-03-01T12:00:00.000Z", time: 10, cache: {}, comment: "getDeployments" },
    request: {
      ...{ ...message, method: "GET", url: "https://agents.example.com/v2?limit=REDACTED" },
      queryString: [{ name: "limit", value: "REDACTED" }],
    },
    response: {
      ...{ ...message, status: 200, statusText: "", redirectURL: "" },
      content: { size: 0, mimeType: "application/json" },
    },
    timings: { blocked: 0, send: 0, wait: 10, receive: 0 },
  });
  expect(log.entries).toMatchObject([
    { response: { status: 429, headers: [{ name: "x-request-id", value: "r-1" }] }, comment: `update ${urn}` },
    {
      startedDateTime: "2026-03-01T11:59:58.000Z",
      time: 2030,
      request: { method: "PATCH", postData: { mimeType: "application/json", text: '{"a":1}' } },
      response: { status: 200, content: { size: 7, text: '{"b":2}' } },
      timings: { blocked: 2000, wait: 30 },
    },
    {},
  ]);
  expect(log.entries[0].request).not.toHaveProperty("postData");
});

test.each([
  ["a wait that no date can be before", { waitMs: 1e300 }],
  ["a negative duration", { durationMs: -1 }],
  ["a method that forges a line", { method: "GET\nAll requests (attempts: 0)" }],
])("A log with %s is rejected", async (_, change) => {
  for (const format of [[], ["--har"], ["--json"]]) {
    const { code, stderr } = await run([attempt(change)], ...format);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Line 1 of log.jsonl is not an entry")]);
  }
});

test("A file without an end is read up to the limit, and a pipe as any file", async () => {
  const endless = await agentgraph({ args: ["requests", "/dev/zero"], cwd: folder });
  expect(endless).toMatchObject({ code: 2, stderr: expect.stringContaining("/dev/zero exceeds the limit of 100 MB") });
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const reading = agentgraph({ args: ["requests", "pipe"], cwd: folder });
  await writeFile(pipe, `${JSON.stringify(LOG[1])}\n`);
  expect(await reading).toMatchObject({ code: 0, stdout: expect.stringContaining("(attempts: 1, retries: 1)") });
});

test("An empty log is not an error, and another file is one that names the line", async () => {
  expect(await run([])).toMatchObject({ code: 0, stdout: "The request log is empty.\n" });
  const other = await run([LOG[0], { other: 1 }]);
  expect(other).toMatchObject({ code: 2, stdout: "" });
  expect(other.stderr).toContain(
    "Line 2 of log.jsonl is not an entry of a request log. Pass the file of requestLog, or delete the line if " +
      "it is damaged.",
  );
  expect(await run(LOG, "--har", "--json")).toMatchObject({ code: 2, stderr: expect.stringContaining("Pass either") });
});
