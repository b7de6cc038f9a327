/** Failed rollouts: the cause in the log, rollbacks, and the health check. */
import { createDeployment, startDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, repository, withImage } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { type Platform, startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";

type Lines = (string | { level: string; message: string })[];
const info = (message: string) => ({ level: "INFO", message });

/** Returns the error of a create whose revision fails with these lines in its log. */
async function failureWith(ends: string, logs: Lines, declared = dockerDeployment()): Promise<string> {
  const platform = await startPlatform({}, { revision: { ends, logs } });
  return (await failureOf(new Stack(platform).up(declared))).message;
}

describe("the cause of a failed rollout", () => {
  it.each<[string, Lines, string]>([
    [
      "the first line of level ERROR or above",
      [info("it failed a bit"), { level: "CRITICAL", message: "disk full" }, "later"],
      "disk full",
    ],
    [
      "the exception of a traceback whose lines are all of level ERROR",
      ["Traceback (most recent call last):", '  File "main.py", line 1, in <module>', "KeyError: 'MODEL_API_KEY'"].map(
        (message) => ({ level: "ERROR", message }),
      ),
      "KeyError: 'MODEL_API_KEY'",
    ],
    [
      "the line that matches the most specific pattern when no line is severe",
      [info("connection refused"), info("Traceback: boom"), info("bye")],
      "Traceback: boom",
    ],
    [
      "the first of several lines that match the same pattern",
      [info("npm could not resolve a"), info("npm could not resolve b")],
      "npm could not resolve a",
    ],
    ["an exit code if there is nothing else", [info("all well"), info("exited with code 137")], "exited with code 137"],
  ])("is %s", async (_what, logs, cause) => {
    expect(await failureWith("DEPLOY_FAILED", logs)).toContain(`  cause      ${cause}\n`);
  });

  it("is omitted when no line contains one", async () => {
    expect(await failureWith("DEPLOY_FAILED", [info("all well")])).not.toContain("  cause ");
  });
});

describe("the log in the error of a failed rollout", () => {
  const many = Array.from({ length: 50 }, (_, index) => info(`line number ${index + 1}.`));

  it("consists of the last thirty lines, oldest first", async () => {
    const message = await failureWith("DEPLOY_FAILED", many);
    const displayed = message.split("\n").filter((line) => line.startsWith("  | "));
    expect(displayed).toHaveLength(30);
    expect([displayed[0], displayed.at(-1)]).toEqual([
      expect.stringContaining("number 21."),
      expect.stringContaining("number 50."),
    ]);
  });

  it("is a single line, or the statement that there is none", async () => {
    const messageOf = async (lines: object[]) => {
      const platform = await startPlatform({}, { revision: { ends: "DEPLOY_FAILED" } });
      const body = { logs: lines, next_offset: "" };
      await platform.addFault({ path: "/v2/deployments/*/revisions/*/logs", status: 200, body, times: 2 });
      return (await failureOf(new Stack(platform).up(dockerDeployment()))).message;
    };
    // Some servers write times in milliseconds since the epoch.
    expect(await messageOf([{ timestamp: 1767225600123, level: "INFO", message: "all well" }])).toContain(
      "\nThe last line of the deploy log:\n  | 2026-01-01T00:00:00.123Z INFO all well\n",
    );
    expect(await messageOf([])).toContain("\nThe build log and the deploy log are empty.\n");
  });

  it.each([
    ["deploy", "BUILD_FAILED", "build"],
    ["build", "DEPLOY_FAILED", "deploy"],
  ])("is the %s log after %s if the %s log is empty", async (type, ends, empty) => {
    const platform = await startPlatform({}, { revision: { ends } });
    const path = "/v2/deployments/*/revisions/*/logs";
    const respond = (logs: object[]) => ({ path, status: 200, body: { logs, next_offset: "" } });
    await platform.addFault(respond([]));
    await platform.addFault(respond([{ message: null }, { level: "ERROR", message: "first\nsecond" }]));
    const { message } = await failureOf(new Stack(platform).up(repository()));
    const requests = platform.emulator.requestLog.entries({ path }).flatMap(({ query }) => query.type);
    expect(requests).toEqual([empty, type]);
    expect(message).toContain("\n  cause      first second\n");
    expect(message).toContain(`\nThe last 2 lines of the ${type} log:\n  | ERROR first\n  | second\n  | \n`);
  });

  it("is read from the build log first when the revision is still queued", async () => {
    const { platform, stack } = await startDeployment({
      faults: [{ revision: { statuses: ["QUEUED"] } }],
      stack: { timeouts: { create: "1m" } },
    });
    await expect(stack.up(repository())).rejects.toThrow("(QUEUED)");
    const requests = platform.emulator.requestLog.entries({ path: "/v2/deployments/*/revisions/*/logs" });
    expect(requests.flatMap(({ query }) => query.type)[0]).toBe("build");
  });
});

it("Deployment: an error stays short for a long log and keeps its last lines", async () => {
  const long = Array.from({ length: 40 }, (_, index) => info(`${index} ${"x".repeat(50_000)}`));
  const message = await failureWith("DEPLOY_FAILED", [...long, info("the end"), `error ${"y".repeat(50_000)}`]);
  expect(message.length).toBeLessThan(10_000);
  expect(message).toContain("the end");
  expect(message).toMatch(/ {2}cause {6}error y{394}…\n/);
});

const SECRET = "s3cr3t-value-that-is-long";
const LONG_SECRET = `s3cr3t${"0123456789".repeat(500)}`;
const filler = "x".repeat(360);
const red = (text: string) => info(`\u001b[31m${text}\u001b[0m`);
const error = (message: string) => ({ level: "ERROR", message });

it.each<[string, string, Lines, RegExp]>([
  ["at the end of a truncated line", SECRET, [info(filler + SECRET)], /x\[secr/],
  ["after 360 characters of the cause", SECRET, [error(filler + SECRET)], /^ {2}cause {6}x+\[secr/m],
  ["after 395 characters in it", SECRET, [error(`${filler}${"x".repeat(35)}${SECRET}`)], /^ {2}cause {6}x+\[secr/m],
  ["that is very long", LONG_SECRET, [error(`refused ${LONG_SECRET}`), info(LONG_SECRET)], /refused \[secret\]/],
  [
    "in two colored lines",
    SECRET,
    [red(`key=${SECRET.slice(0, 12)}`), red(`${SECRET.slice(12)} is bad`)],
    /\| .*key=\[secret\]\n.*\| .* is bad/,
  ],
])("Deployment: a secret %s is redacted before the text is truncated", async (_what, secret, logs, expected) => {
  const message = await failureWith("DEPLOY_FAILED", logs, dockerDeployment({ secrets: { A: secret } }));
  expect(message).toMatch(expected);
  expect(message).not.toMatch(/s3cr|that-is-long|0123456789/);
});

it("Deployment: a secret of others is redacted in the error of the update that replaces it", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment({ secrets: { A: "declared-before" } }));
  await platform.updateOutOfBand(stateOf(stack).id, { secrets: [{ name: "A", value: "s3cr3t-of-others" }] });
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED", logs: [info("started with s3cr3t-of-others")] } });
  await expect(stack.up(dockerDeployment({ secrets: { A: "declared-after" } }))).rejects.toThrow(
    "started with [secret]",
  );
});

it.each<[string, Parameters<Platform["emulator"]["faults"]["add"]>[0], RegExp]>([
  [
    "fails",
    { revision: { ends: "DEPLOY_FAILED", logs: ["the old one is broken too"] } },
    /^.* The rollback to revision .* failed too: .*\n.*the new one is broken.*the old one is broken too/s,
  ],
  ["is rejected", { method: "POST", path: "/v2/**", status: 409, body: { detail: "busy" } }, /failed too: .*busy/],
])("Deployment: a rollback that %s is reported, and the next up deploys what is declared", async (_, fault, error) => {
  const { platform, stack, id } = await createDeployment(dockerDeployment({ rollbackOnFailure: true }));
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED", logs: ["the new one is broken"] } });
  await platform.addFault(fault);
  const expected = dockerDeployment({ ...withImage("2"), rollbackOnFailure: true });
  await expect(stack.up(expected)).rejects.toThrow(error);
  expect(stateOf(stack).failed).toBe(true);
  expect(await stack.up(expected)).toBe("update");
  const remote = await platform.getDeployment(id);
  expect(remote.source_revision_config.image_uri).toBe("registry.example.com/agent:2");
  expect(remote.revisions[0]).toMatchObject({ id: remote.active_revision_id, status: "DEPLOYED" });
});

// The server ends it, does not show it, or shows that its agent does not respond.
const ended = { id: "", name: "agent", status: "READY", latest_revision_id: "x", active_revision_id: null };
it.each<[string, (id: string) => object, (previous: string) => string]>([
  ["live", () => ({ path: "/none", status: 503 }), (previous) => `${previous} (the previous revision)`],
  [
    "not responding",
    () => ({ path: "/agents/*/ok", status: 503, body: { detail: "starting" }, times: 9 }),
    (previous) => `${previous} (the previous revision, but it does not respond: /ok: 503: starting)`,
  ],
  [
    "ended",
    (id) => ({ method: "GET", path: `/v2/deployments/${id}`, status: 200, body: { ...ended, id }, times: 9 }),
    () => "nothing yet",
  ],
  [
    "unknown",
    (id) => ({ method: "GET", path: `/v2/deployments/${id}`, status: 403, times: 9 }),
    () => "unknown, because the server did not return the deployment",
  ],
])("Deployment: the error of a failed rollout says that the previous revision is %s", async (what, fault, expected) => {
  const { platform, stack, id, outputs } = await createDeployment();
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED" } });
  platform.duringNextWait(() => platform.addFault(fault(id)));
  const { message } = await failureOf(stack.up(dockerDeployment(withImage("2"))));
  expect(/^ {2}live +(.*)$/m.exec(message)?.[1]).toBe(expected(String(outputs.activeRevisionId)));
  if (what === "ended") expect(stateOf(stack).outputs).not.toHaveProperty("activeRevisionId");
});

test("a create with a state too large for an error is stored with a warning, and the next up continues", async () => {
  const { platform, stack } = await startDeployment();
  await platform.addFault({ revision: { ends: "BUILD_FAILED" } });
  const declared = dockerDeployment({ redeployTriggers: { text: "x".repeat(9_000_000) } });
  expect(await stack.up(declared)).toBe("create");
  expect(stack.messages).toContainEqual(expect.stringMatching(/BUILD_FAILED.*too large for an error/s));
  expect([await stack.up(declared), await stack.up(declared)]).toEqual(["update", "same"]);
});

// @covers 2A.Revision.status_message
it("Deployment: a rollout that fails says why, as the server does, also where the log cannot be read", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment(), { server: { platform: "today" } });
  await platform.addFault({ path: "/v2/deployments/*/revisions/*/logs", status: 404, times: 9 });
  await platform.addFault({ path: "/v1/projects/**", status: 404, times: 9 });
  const logs = [{ level: "ERROR", message: "the image has no tag 2" }];
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED", logs } });
  await expect(stack.up(dockerDeployment(withImage("2")))).rejects.toThrow(/cause +the image has no tag 2\n/);
});

it("Deployment: a rollout that fails says what the server says, also where the log has another error", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment(), { server: { platform: "today" } });
  const logs = ["no module named tools", "exited with code 1"].map((message) => ({ level: "ERROR", message }));
  await platform.addFault({ revision: { ends: "DEPLOY_FAILED", logs } });
  await expect(stack.up(dockerDeployment(withImage("2")))).rejects.toThrow(
    /cause +no module named tools\n +message +exited with code 1\n/,
  );
});
