import { bulkExports, headers } from "../support/bulk-export/exports";
import { followCommand, type RunningEmulator, runCommand, startCommand } from "../support/cli/command";
import { docker, request } from "../support/emulator";

/** Runs a command with --json, and returns the parsed output. */
async function runJson<T>(emulator: RunningEmulator, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runCommand([...args, "--json", "--url", emulator.url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** Runs a command, and returns its text. */
async function runText({ url }: RunningEmulator, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand([...args, "--url", url]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("reset", () => {
  test("removes all data and shows what was removed", async () => {
    const emulator = await startCommand();
    await emulator.send("POST", "/v2/deployments", docker("one"));
    await emulator.send("POST", "/v2/deployments", docker("two"));
    await emulator.send("POST", "/_emulator/faults", { status: 503 });
    expect(await runText(emulator, "reset")).toBe(
      `Reset the emulator at ${emulator.url}: removed 2 deployments, 2 revisions, 2 projects, 1 fault and 2 ` +
        "logged requests.\n",
    );
    expect((await emulator.send("GET", "/v2/deployments")).body.resources).toEqual([]);
  });

  test("shows the initial data that remains", async () => {
    const emulator = await startCommand("--demo");
    const { removed, left } = await runJson<Record<"removed" | "left", Record<string, number>>>(emulator, "reset");
    expect(removed).toMatchObject({ deployments: 3, faults: 0 });
    // The exports of the demo run, and its schedule creates more, only after the start.
    expect(left).toEqual({ ...removed, exports: 2, objects: 0 });
    expect(await runText(emulator, "reset")).toMatch(/ It now contains 3 deployments, .*trace runs/);
  });
});

describe("advance", () => {
  test("advances the clock and shows which revisions finished", async () => {
    const emulator = await startCommand();
    await emulator.send("POST", "/_emulator/clock", { frozen: true });
    const { id, latest_revision_id } = (await emulator.send("POST", "/v2/deployments", docker("agent"))).body;
    const { now } = (await emulator.send("GET", "/_emulator/clock")).body as unknown as { now: string };
    const later = (ms: number) => new Date(Date.parse(now) + ms).toISOString();

    expect(await runText(emulator, "advance", "1s")).toBe(
      `Advanced the clock of ${emulator.url} by 1s to ${later(1000)} (frozen).\nNo revision or export run ` +
        "finished meanwhile.\n",
    );
    const { ended, ...clock } = await runJson<{ ended: object[] }>(emulator, "advance", "1m30s");
    expect(clock).toMatchObject({ version: 1, url: emulator.url, now: later(91_000), frozen: true });
    const deployment = { deployment: "agent", deployment_id: id };
    expect(ended).toEqual([
      { kind: "revision", at: later(2800), id: latest_revision_id, status: "DEPLOYED", ...deployment },
    ]);
  });

  test("shows the export runs that finished and their errors", async () => {
    const emulator = await startCommand();
    await emulator.send("POST", "/_emulator/runs?project=chat", { name: "a", start_time: "2026-01-02T03:04:05Z" });
    const { projects } = (await emulator.send("GET", "/_emulator/projects")).body as unknown as {
      projects: { id: string }[];
    };
    const destination = "44444444-4444-4444-8444-444444444444";
    const config = { bucket_name: "exports", endpoint_url: "http://127.0.0.1:9" };
    const credentials = { access_key_id: "a", secret_access_key: "b" };
    const destinations = [{ id: destination, config, credentials }];
    await emulator.send("POST", "/_emulator/seed", { destinations });
    await emulator.send("POST", "/_emulator/faults", { export_run: { error: "the bucket sleeps" }, times: 21 });
    const times = { start_time: "2026-01-02T00:00:00Z", end_time: "2026-01-03T00:00:00Z" };
    const body = { bulk_export_destination_id: destination, session_id: projects[0]?.id, ...times };
    expect((await request(emulator.url, "POST", bulkExports, body, headers())).status).toBe(200);
    const output = await runText(emulator, "advance", "1h");
    expect(output).toMatch(/\n1 export run finished:\n/);
    expect(output).toMatch(/ FAILED {2}day 2026-01-02 of chat, export \S+: the bucket sleeps\n$/);
  });

  test.each(["10", "tomorrow", "1h 5m", "9999999d"])("rejects the duration %j", async (duration) => {
    const { code, stderr } = await runCommand(["advance", duration, "--url", "http://127.0.0.1:9"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`^error: .*uration "${duration}".*\n$`));
  });
});

describe("faults", () => {
  test("are added, listed, and removed individually or together", async () => {
    const emulator = await startCommand();
    expect(await runText(emulator, "faults")).toMatch(/^No faults are pending at http:\S+ Add one: /);
    const fault = ["--method", "get", "--path", "/v2/**", "--status", "429", "--header", "Retry-After: 1"];
    expect(await runText(emulator, "faults", "add", ...fault, "--times", "2", "--skip", "1")).toBe(
      "Added fault 1: GET /v2/**: status 429, Retry-After: 1 (2 times, after skipping 1 match).\n",
    );
    await runText(emulator, "faults", "add", "--hold", "DEPLOYING", "--deployment", "agent");
    expect(await runText(emulator, "faults")).toBe(
      [
        "ID  KIND     TIMES  SKIP  EFFECT",
        "1   request  2      1     GET /v2/**: status 429, Retry-After: 1",
        "2   hold     -      0     revisions of agent stay in DEPLOYING until this fault is removed",
        "",
      ].join("\n"),
    );
    expect(await runText(emulator, "faults", "remove", "1")).toBe("Removed fault 1.\n");
    expect(await runJson(emulator, "faults", "clear")).toEqual({ version: 1, url: emulator.url, removed: [2] });
    expect(await runJson(emulator, "faults", "list")).toEqual({ version: 1, url: emulator.url, faults: [] });
  });

  const failed = { ends: "BUILD_FAILED", logs: ["a", "b"] };
  const passed = { statuses: ["QUEUED", "UNKNOWN"], deployment: "x" };
  test.each<[string[], object]>([
    [["--status", "502", "--body", "<h1>"], { status: 502, body: "<h1>" }],
    [["--status", "502", "--body", '{"detail": "no"}', "--act"], { status: 502, body: { detail: "no" }, act: true }],
    [["--delay", "1m30s", "--path", "/v2/*"], { delay_ms: 90_000, path: "/v2/*" }],
    [["--connection", "reset-after"], { connection: "reset-after" }],
    [["--revision", "BUILD_FAILED", "--log", "a", "--log", "b"], { revision: failed }],
    [["--revision", "QUEUED, UNKNOWN", "--deployment", "x"], { revision: passed }],
    [["--export-error", "no", "--day", "2026-01-31"], { export_run: { error: "no", day: "2026-01-31" } }],
    [["--export-stalls"], { export_run: { stalls: true } }],
    [["--json-body", '{"status": 500, "times": 3}'], { status: 500, times: 3 }],
  ])("can be added with %j, as with POST /_emulator/faults", async (args, fault) => {
    const emulator = await startCommand();
    const { fault: added } = await runJson<{ fault: object }>(emulator, "faults", "add", ...args);
    expect(added).toEqual({ id: 1, times: 1, skip: 0, ...fault });
    expect((await emulator.send("GET", "/_emulator/faults")).body).toEqual({ faults: [added] });
  });

  test.each([
    [["add"], "--status"],
    [["add", "--status", "99"], "from 200 to 599"],
    [["add", "--status", "404", "--hold", "DEPLOYING"], "--status cannot be combined with --hold"],
    [["add", "--status", "404", "--header", "nothing"], "Retry-After: 1"],
    [["add", "--json-body", "{"], "is not valid JSON"],
    [["add", "--json-body", "{}", "--times", "2"], "cannot be combined with other options"],
    [["add", "--delay", "5"], "500ms"],
    [["remove", "first"], "agentgraph-emulator faults"],
    [["lst"], 'did you mean "list"'],
  ])("explain a mistake in %j", async (args, part) => {
    const { code, stdout, stderr } = await runCommand(["faults", ...args, "--url", "http://127.0.0.1:9"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(part);
  });

  test("that the emulator rejects show its error", async () => {
    const { url } = await startCommand();
    for (const [args, code, part] of [
      [["add", "--connection", "cut"], 2, "connection: Input should be 'refuse'"],
      [["remove", "7"], 1, "Fault 7 does not exist."],
    ] as const) {
      const result = await runCommand(["faults", ...args, "--url", url]);
      expect(result).toMatchObject({ code, stderr: expect.stringContaining(part) });
    }
  });
});

describe("logs", () => {
  const secret = "tops3cret";

  test("show the newest requests by method, path and status, without secrets", async () => {
    const emulator = await startCommand();
    expect(await runText(emulator, "logs")).toBe(`No requests at ${emulator.url} yet.\n`);
    await emulator.send("POST", "/v2/deployments", docker("agent", { secrets: [{ name: "KEY", value: secret }] }));
    await emulator.send("POST", "/_emulator/faults", { path: "/v2/deployments", status: 503 });
    await emulator.send("GET", "/v2/deployments?limit=5");
    await emulator.send("PUT", `/uploads/${"5".repeat(8)}?signature=${secret}`);
    const output = await runText(emulator, "logs");
    const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
    expect(output.replaceAll(time, "TIME").split("\n")).toEqual([
      "TIME  POST    201  /v2/deployments",
      "TIME  GET     503  /v2/deployments?limit=5  (fault: status 503)  (request ID 2)",
      expect.stringMatching(/^TIME {2}PUT {5}4\d\d {2}\/uploads\/5{8}\?signature=\*+ {2}\(request ID 3\)$/),
      "",
    ]);
    const lines = (await runText(emulator, "logs", "--json")).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).method)).toEqual(["POST", "GET", "PUT"]);
    expect(lines.join()).not.toContain(secret);
    const count = async (...filter: string[]) => (await runText(emulator, "logs", ...filter)).trim().split("\n").length;
    expect(await count("--status", "5xx")).toBe(1);
    expect(await count("--path", "/v2/**")).toBe(2);
    expect(await count("--method", "put", "--tail", "2")).toBe(1);
    expect(await runText(emulator, "logs", "--tail", "1")).toContain("PUT");
    expect(await runText(emulator, "logs", "--status", "none")).toBe(`No matching requests at ${emulator.url}.\n`);
  });

  test("and all other commands show hostile texts without what controls a terminal", async () => {
    const emulator = await startCommand();
    const hostile = "\u001b]0;title\u0007\u001b[2J\u202e\u009b2J\nforged";
    await emulator.send("POST", "/v2/deployments", { ...docker("agent"), [hostile]: 1, tags: [hostile] });
    await emulator.send("POST", "/_emulator/faults", { path: `/${hostile}`, status: 503, body: hostile });
    await emulator.send("POST", "/_emulator/faults", { revision: { ends: "DEPLOY_FAILED", logs: [hostile] } });
    await emulator.send("POST", "/v2/deployments", docker("failing"));
    for (const args of [["advance", "1m"], ["logs"], ["logs", "--deployment", "failing"], ["faults"], ["reset"]]) {
      for (const format of [[], ["--json"]]) {
        const output = await runText(emulator, ...args, ...format);
        expect([args, output]).toEqual([args, expect.not.stringMatching(/[^\P{Cc}\n]|\u202e/u)]);
        expect(output).not.toMatch(/^forged/m);
      }
    }
  });

  test("follow new entries", async () => {
    const emulator = await startCommand();
    await emulator.send("GET", "/v2/first");
    const lines = followCommand(["logs", "-f", "--url", emulator.url, "--path", "/v2/**"]);
    expect((await lines.next()).value).toContain("/v2/first");
    await emulator.send("GET", "/elsewhere");
    await emulator.send("GET", "/v2/second");
    expect((await lines.next()).value).toContain("/v2/second");
  });

  test("can be those of a deployment, selected by name", async () => {
    const emulator = await startCommand("--speed", "instant");
    await emulator.send("POST", "/v2/deployments", docker("agent"));
    await emulator.send("POST", "/v2/deployments", docker("other"));
    const output = await runText(emulator, "logs", "--deployment", "agent", "--type", "deploy");
    expect(output).toMatch(/^\S+Z {2}[0-9a-f]{8} {2}deploy {2}INFO {5}\S.*\n/);
    expect(output).toContain("rollout of agent");
    expect(output).not.toContain("other");
    const { code, stderr } = await runCommand(["logs", "--deployment", "agnt", "--url", emulator.url]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/deployment "agnt" not found; existing deployments: agent, other\.\n$/),
    });
  });

  test.each([
    [["--status", "4"], "4xx"],
    [["--tail", "0"], "from 1"],
    [["--deployment", "x", "--method", "GET"], "--method"],
    [["--type", "build"], "--deployment"],
  ])("explain a mistake in %j", async (args, part) => {
    const { code, stderr } = await runCommand(["logs", ...args, "--url", "http://127.0.0.1:9"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(part) });
  });
});
