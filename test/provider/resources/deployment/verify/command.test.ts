/** Checks that run a command, with real processes. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { realClock } from "../../../../../provider/http/clock";
import type { CommandCheck } from "../../../../../provider/resources/deployment/schema/verify";
import { assertRunnable } from "../../../../../provider/resources/deployment/verify/run-check";
import { check } from "../../../../support/deployments/checks";
import { createFolder } from "../../../../support/deployments/source-folder";
import { failureOf } from "../../../../support/errors";
import { startAgentClient } from "../../../../support/servers/agent-client";
import { TestClock } from "../../../../support/time/clock";

const node = (script: string, ...args: string[]) => [process.execPath, "-e", script, ...args];

async function run(command: CommandCheck, more: object = {}, checked: object = {}) {
  const server = await startAgentClient();
  const { mismatch } = await check({ command, attempts: 1, ...more }, { ...server, ...checked });
  return mismatch;
}

it("A command has the facts of the revision, its own variables and the inherited ones, and no others", async () => {
  const file = join(createFolder(), "environment.json");
  const script = `require("fs").writeFileSync(process.argv[1], JSON.stringify([process.cwd(), process.env]))`;
  process.env.CHECK_INHERITED = "inherited";
  process.env.CHECK_OTHER = "other";
  const command = {
    args: node(script, file),
    environment: { OWN: "own", AGENT_REVISION_ID: "chosen" },
    inherit: ["CHECK_INHERITED", "CHECK_ABSENT"],
  };
  expect(await run(command)).toBeUndefined();
  const [folder, environment] = JSON.parse(readFileSync(file, "utf8"));
  expect(folder).toBe(process.cwd());
  expect(environment).toEqual({
    ...{ AGENT_URL: "https://agent.example", AGENT_DEPLOYMENT_ID: "d-1", AGENT_REVISION_ID: "chosen", OWN: "own" },
    CHECK_INHERITED: "inherited",
  });
});

it("A command fails with its exit code and its last lines, without the secrets of its variables", async () => {
  const script =
    `for (let i = 1; i < 15; i++) console.log("line " + i); console.error(process.env.OWN_TOKEN + " was ` +
    `refused\\r\\n"); process.exitCode = 3`;
  const mismatch = await run({ args: node(script), environment: { OWN_TOKEN: "tok-12345" } });
  expect(mismatch?.expected).toBe("exit code 0");
  const lines = mismatch?.actual.split("\n") ?? [];
  expect(lines[0]).toBe("exit code 3");
  expect(lines).toHaveLength(11);
  for (const text of ["[secret] was refused", "line 14"]) expect(lines).toContain(text);
});

it("A command that writes without an end is bounded, and its exit code is seen", async () => {
  const script = `process.stdout.write("x".repeat(500_000)); process.exitCode = 4`;
  expect(await run({ args: node(script) })).toEqual({ expected: "exit code 0", actual: "exit code 4" });
});

it("A command that a signal ends says which", async () => {
  expect((await run({ args: node("process.kill(process.pid, 'SIGTERM')") }))?.actual).toBe("ended by SIGTERM");
});

/** A command that starts another one in its group, and then does something else. */
const tree = (file: string, then: string) => ["sh", "-c", `sleep 60 & echo $! > ${file}; echo started; ${then}`];

/** Whether the other command ends. Nobody may have collected its exit code yet. */
async function hasEnded(file: string): Promise<boolean> {
  const stat = `/proc/${readFileSync(file, "utf8").trim()}/stat`;
  for (let count = 0; count < 100; count++) {
    if (!existsSync(stat) || / Z /.test(readFileSync(stat, "utf8"))) return true;
    await realClock.sleep(10);
  }
  return false;
}

it("A command that takes too long is ended with all that it has started", async () => {
  const file = join(createFolder(), "pid");
  const mismatch = await run({ args: tree(file, "wait") }, { timeout: "500ms" });
  expect(mismatch).toEqual({ expected: "exit code 0", actual: "no end within 500ms\nstarted" });
  expect(await hasEnded(file)).toBe(true);
});

it("A command that has ended leaves no processes behind, and they are not waited for", async () => {
  const file = join(createFolder(), "pid");
  expect(await run({ args: tree(file, "exit 0") })).toBeUndefined();
  expect(await hasEnded(file)).toBe(true);
});

it("Canceling ends a command, and does not count as a failure of the check", async () => {
  const canceling = new AbortController();
  const clock = Object.assign(new TestClock(), { canceled: canceling.signal });
  const listeners = process.listenerCount("exit");
  const file = join(createFolder(), "pid");
  const running = failureOf(run({ args: tree(file, "wait") }, {}, { clock }));
  while (!existsSync(file) || readFileSync(file, "utf8") === "") await realClock.sleep(5);
  canceling.abort();
  expect((await running).name).toBe("CanceledError");
  expect(await hasEnded(file)).toBe(true);
  while (process.listenerCount("exit") > listeners) await realClock.sleep(5);
});

it.each([
  ["no-such-program-here", '"no-such-program-here" is not in the PATH of Pulumi.'],
  ["./package.json", `"./package.json" is not an executable file in the program's folder.`],
  ["./docs", `"./docs" is not an executable file in the program's folder.`],
])("The program %s is refused before anything is sent", async (name, problem) => {
  await expect(assertRunnable([{ command: { args: [name] } }])).rejects.toThrow(
    `The program of a command in verify cannot be run: ${problem}`,
  );
});

it("Programs and files that exist are accepted", async () => {
  const path = join(createFolder({ "a.jsonl": '{"input":"x"}' }), "a.jsonl");
  const program = { command: { args: ["node", "-v"] } };
  const checks = [program, { dataset: { path, assistantId: "agent" } }, { http: { path: "/" } }];
  await expect(assertRunnable(checks)).resolves.toBeUndefined();
  await expect(assertRunnable([{ dataset: { path: `${path}.missing` } }])).rejects.toThrow("could not be read");
});
