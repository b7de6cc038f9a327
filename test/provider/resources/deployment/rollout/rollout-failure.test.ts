/** Failed rollouts: the cause in the log, rollbacks, and the health check. */
import { createDeployment } from "../../../../support/deployments/create";
import { dockerDeployment, repository, withImage } from "../../../../support/deployments/inputs";
import { failureOf } from "../../../../support/errors";
import { type Platform, startPlatform } from "../../../../support/platform";
import { Stack, stateOf } from "../../../../support/stack";

type Lines = (string | { level: string; message: string })[];
const info = (message: string) => ({ level: "INFO", message });

/** Returns the error of a create whose revision fails with these lines in its log. */
async function failureWith(ends: string, logs: Lines, declared = dockerDeployment()): Promise<string> {
  const platform = await startPlatform();
  await platform.emulator.faults.add({ revision: { ends, logs } });
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
    [
      "an exit code when there is nothing else",
      [info("all well"), info("exited with code 137")],
      "exited with code 137",
    ],
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
      const platform = await startPlatform();
      await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
      const body = { logs: lines, next_offset: "" };
      await platform.emulator.faults.add({ path: "/v2/deployments/*/revisions/*/logs", status: 200, body, times: 2 });
      return (await failureOf(new Stack(platform).up(dockerDeployment()))).message;
    };
    expect(await messageOf([{ level: "INFO", message: "all well" }])).toContain(
      "\nThe last line of the deploy log:\n  | INFO all well\n",
    );
    expect(await messageOf([])).toContain("\nThe build log and the deploy log are empty.\n");
  });

  it.each([
    ["deploy", "BUILD_FAILED", "build"],
    ["build", "DEPLOY_FAILED", "deploy"],
  ])("is the %s log after %s if the %s log is empty", async (type, ends, empty) => {
    const platform = await startPlatform();
    await platform.emulator.faults.add({ revision: { ends } });
    const path = "/v2/deployments/*/revisions/*/logs";
    const respond = (logs: object[]) => ({ path, status: 200, body: { logs, next_offset: "" } });
    await platform.emulator.faults.add(respond([]));
    await platform.emulator.faults.add(respond([{ message: null }, { level: "ERROR", message: "first\nsecond" }]));
    const { message } = await failureOf(new Stack(platform).up(repository()));
    const requests = platform.emulator.requestLog.entries({ path }).flatMap(({ query }) => query.type);
    expect(requests).toEqual([empty, type]);
    expect(message).toContain("\n  cause      first second\n");
    expect(message).toContain(`\nThe last 2 lines of the ${type} log:\n  | ERROR first\n  | second\n  | \n`);
  });

  it("is read from the build log first when the revision is still queued", async () => {
    const platform = await startPlatform();
    await platform.emulator.faults.add({ revision: { statuses: ["QUEUED"] } });
    const stack = new Stack(platform, { timeouts: { create: "1m" } });
    await expect(stack.up(repository())).rejects.toThrow("(QUEUED)");
    const requests = platform.emulator.requestLog.entries({ path: "/v2/deployments/*/revisions/*/logs" });
    expect(requests.flatMap(({ query }) => query.type)[0]).toBe("build");
  });

  it.each([
    ["build", "BUILD_FAILED"],
    ["deploy", "DEPLOY_FAILED"],
  ])("is the %s log after %s", async (type, ends) => {
    const message = await failureWith(ends, many, repository());
    expect(message).toContain(`lines of the ${type} log`);
    expect(message).toMatch(new RegExp(`${ends} after \\d+ s`));
  });
});

it("Deployment: an error stays short for a long log and keeps its last lines", async () => {
  const long = Array.from({ length: 40 }, (_, index) => info(`${index} ${"x".repeat(50_000)}`));
  const message = await failureWith("DEPLOY_FAILED", [...long, info("the end"), `error ${"y".repeat(50_000)}`]);
  expect(message.length).toBeLessThan(10_000);
  expect(message).toContain("the end");
  expect(message).toMatch(/ {2}cause {6}error y{394}…\n/);
});

it("Deployment: a secret at the end of a truncated line is redacted", async () => {
  const secret = "s3cr3t-value-that-is-long";
  const line = `${"x".repeat(360)}${secret}`;
  const message = await failureWith("DEPLOY_FAILED", [info(line)], dockerDeployment({ secrets: { A: secret } }));
  expect(message).not.toContain("s3cr3t");
});

it.each([360, 395])(
  "Deployment: a secret after %d characters of the cause is redacted before the cause is truncated",
  async (before) => {
    const secret = "s3cr3t-value-that-is-long";
    const logs = [{ level: "ERROR", message: `${"x".repeat(before)}${secret}` }];
    const message = await failureWith("DEPLOY_FAILED", logs, dockerDeployment({ secrets: { A: secret } }));
    expect(message).toMatch(/^ {2}cause {6}x+\[secr/m);
    expect(message).not.toContain("s3cr");
  },
);

it("Deployment: a secret longer than the part of a log that is searched for secrets is redacted", async () => {
  const secret = `s3cr3t${"0123456789".repeat(500)}`;
  const logs = [{ level: "ERROR", message: `refused ${secret}` }, info(`again ${secret}`)];
  const message = await failureWith("DEPLOY_FAILED", logs, dockerDeployment({ secrets: { A: secret } }));
  expect(message).toContain("refused [secret]");
  expect(message).not.toMatch(/s3cr3t|0123456789/);
});

it("Deployment: a secret in two colored lines of the log is redacted", async () => {
  const [secret, red, normal] = ["s3cr3t-value-that-is-long", "\u001b[31m", "\u001b[0m"];
  const logs = [info(`${red}key=${secret.slice(0, 12)}${normal}`), info(`${red}${secret.slice(12)} is bad${normal}`)];
  const message = await failureWith("DEPLOY_FAILED", logs, dockerDeployment({ secrets: { A: secret } }));
  expect(message).toMatch(/\| .*key=\[secret\]\n.*\| .* is bad/);
  expect(message).not.toMatch(/s3cr3t|that-is-long/);
});

it("Deployment: a value that others set as a secret is redacted in the error of the update that replaces it", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment({ secrets: { A: "declared-before" } }));
  await platform.updateOutOfBand(stateOf(stack).id, { secrets: [{ name: "A", value: "s3cr3t-of-others" }] });
  await platform.emulator.faults.add({
    revision: { ends: "DEPLOY_FAILED", logs: [info("started with s3cr3t-of-others")] },
  });
  const { message } = await failureOf(stack.up(dockerDeployment({ secrets: { A: "declared-after" } })));
  expect(message).toContain("started with [secret]");
});

it("Deployment: waitFor healthy waits until the agent server responds", async () => {
  const platform = await startPlatform();
  await platform.emulator.faults.add({ path: "/agents/*/ok", status: 503, times: 3 });
  const stack = new Stack(platform);
  await stack.up(dockerDeployment({ waitFor: "healthy" }));
  expect(platform.requests({ path: "/agents/**" })).toHaveLength(4);
  expect(stack.messages.join("\n")).toContain("DEPLOYED, /ok: 503");
  expect(stack.messages.at(-1)).toBe("progress: DEPLOYED and healthy");
});

it("Deployment: a failed rollback reports both failures, and the next up deploys the declared configuration", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment({ rollbackOnFailure: true }));
  await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: ["the new one is broken"] } });
  await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED", logs: ["the old one is broken too"] } });
  const expected = dockerDeployment({ ...withImage("2"), rollbackOnFailure: true });
  const { message } = await failureOf(stack.up(expected));
  expect(message).toMatch(
    /^.* The rollback to revision .* failed too: .*\n[\s\S]*the new one is broken[\s\S]*the old one is broken too/,
  );
  expect(stateOf(stack).failed).toBe(true);
  expect(await stack.up(expected)).toBe("update");
  const remote = await platform.getDeployment(stateOf(stack).id);
  expect(remote.source_revision_config.image_uri).toBe("registry.example.com/agent:2");
  expect(remote.active_revision_id).toBe(remote.latest_revision_id);
});

it("Deployment: after a rejected rollback, the next up deploys the declared configuration", async () => {
  const { platform, stack } = await createDeployment(dockerDeployment({ rollbackOnFailure: true }));
  await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
  await platform.emulator.faults.add({ method: "POST", path: "/v2/**", status: 409, body: { detail: "not now" } });
  const expected = dockerDeployment({ ...withImage("2"), rollbackOnFailure: true });
  await expect(stack.up(expected)).rejects.toThrow(/failed too: .*not now/);
  expect(await stack.up(expected)).toBe("update");
  const remote = await platform.getDeployment(stateOf(stack).id);
  expect(remote.revisions.map(({ status }) => status)).toEqual(["DEPLOYED", "DEPLOY_FAILED", "DEPLOYED"]);
  expect(remote.source_revision_config.image_uri).toBe("registry.example.com/agent:2");
});

it("Deployment: a change without a revision retries a failed revision", async () => {
  const { platform, stack } = await createDeployment();
  await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
  await expect(stack.up(dockerDeployment(withImage("2")))).rejects.toThrow("failed with DEPLOY_FAILED after");
  const expected = dockerDeployment({ ...withImage("2"), sourceConfig: { customUrl: "https://a.example" } });
  expect(await stack.up(expected)).toBe("update");
  const remote = await platform.getDeployment(stateOf(stack).id);
  expect(remote.active_revision_id).toBe(remote.latest_revision_id);
  expect(remote.revisions).toHaveLength(3);
});

describe("what the error of a failed rollout says of the previous revision", () => {
  /** The error of an update that fails. @param during What happens while it is awaited. */
  async function failedUpdate(during: (platform: Platform, id: string, path: string) => Promise<unknown>) {
    const { platform, stack } = await createDeployment();
    const { id, outputs } = stateOf(stack);
    await platform.emulator.faults.add({ revision: { ends: "DEPLOY_FAILED" } });
    platform.duringNextWait(() => during(platform, id, `/v2/deployments/${id}`));
    const { message } = await failureOf(stack.up(dockerDeployment(withImage("2"))));
    return { live: /^ {2}live +(.*)$/m.exec(message)?.[1], previous: String(outputs.activeRevisionId), stack };
  }

  it("is that it is live, when the server reports it and its agent responds", async () => {
    const { live, previous } = await failedUpdate(async () => undefined);
    expect(live).toBe(`${previous} (the previous revision)`);
  });

  it("is its response, when its agent does not respond", async () => {
    const { live, previous } = await failedUpdate((platform) =>
      platform.emulator.faults.add({ path: "/agents/*/ok", status: 503, body: { detail: "starting" }, times: 9 }),
    );
    expect(live).toBe(`${previous} (the previous revision, but it does not respond: /ok: 503: starting)`);
  });

  it("is nothing, when the server has ended it, which state contains, too", async () => {
    const { live, stack } = await failedUpdate(async (platform, id, path) => {
      const body = { id, name: "agent", status: "READY", latest_revision_id: "x", active_revision_id: null };
      await platform.emulator.faults.add({ method: "GET", path, status: 200, body, times: 9 });
    });
    expect(live).toBe("nothing yet");
    expect(stateOf(stack).outputs).not.toHaveProperty("activeRevisionId");
  });

  it("is that it is unknown, when the server does not return it", async () => {
    const { live } = await failedUpdate((platform, _id, path) =>
      platform.emulator.faults.add({ method: "GET", path, status: 403, times: 9 }),
    );
    expect(live).toBe("unknown, because the server did not return the deployment");
  });
});
