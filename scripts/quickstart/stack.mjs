/** The stack of the quickstart, with its own state, login and passphrase in .agentgraph/. The user's are never used. */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isAlive, withLock } from "../setup/lock.mjs";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt, run, show } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

const STATE = join(PRIVATE, "state");
const STACK = "dev";

/** Runs work on the quickstart while no other `npm run up` or `npm run down` of this checkout does. */
export const exclusively = (work) => withLock(join(PRIVATE, "quickstart.lock"), "Quickstart", work);

/** Returns the environment of the quickstart: `ready().env`, its state and its server. */
export async function stackEnvironment(env, url) {
  await mkdir(STATE, { recursive: true });
  return {
    ...env,
    PULUMI_HOME: join(PRIVATE, "pulumi-home"),
    PULUMI_BACKEND_URL: pathToFileURL(STATE).href,
    // It protects only fake values for an emulator on this machine.
    PULUMI_CONFIG_PASSPHRASE: "quickstart",
    AGENTGRAPH_URL: url,
    AGENTGRAPH_API_KEY: "local-key",
  };
}

/** Whether the stack exists. Reads the files of the state, so it needs no CLI. */
export async function stackExists() {
  const names = await readdir(join(STATE, ".pulumi", "stacks"), { recursive: true }).catch(() => []);
  return names.some((name) => name.endsWith(`${STACK}.json`));
}

/** Creates the stack if it does not exist, and removes the lock of a killed run. */
export async function prepareStack(pulumi, env) {
  await run(pulumi, ["stack", "select", "--create", STACK, "--non-interactive"], {
    cwd: ROOT,
    env,
    failed: "Pulumi could not create the stack",
  });
  await removeStaleLock(pulumi, env);
}

/** Runs a command on the stack with its output shown. Returns the exit code. */
export const runOnStack = (pulumi, env, args) => show(pulumi, [...args, "--stack", STACK], { cwd: ROOT, env });

/** Removes the lock of a killed run. @throws Problem if the run is still running. */
async function removeStaleLock(pulumi, env) {
  const locks = await readLocks();
  const running = locks.find((lock) => lock.hostname !== hostname() || isAlive(lock.pid));
  if (running) {
    throw new Problem(
      `Another command is changing the quickstart (process ${running.pid} on ${running.hostname}). Wait until ` +
        "it ends, then run this command again.",
    );
  }
  if (locks.length === 0) return;
  await step("Stack", "removing the lock of a killed run", () =>
    attempt(pulumi, ["cancel", "--yes", "--stack", STACK, "--non-interactive"], { cwd: ROOT, env }),
  );
}

async function readLocks() {
  const folder = join(STATE, ".pulumi", "locks");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json"));
  return Promise.all(files.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))));
}
