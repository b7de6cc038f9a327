/** The quickstart's stack: state, login and passphrase of its own, in .agentgraph/. The user's own are never touched. */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { alive, withLock } from "../setup/lock.mjs";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt, run, show } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

const STATE = join(PRIVATE, "state");
const STACK = "dev";

/** Changes the quickstart while no other `npm run up` or `npm run down` of this checkout does. */
export const alone = (work) => withLock(join(PRIVATE, "quickstart.lock"), "Quickstart", work);

/** The environment of the quickstart: `ready().env` and where its state and its platform are. */
export async function stackEnvironment(env, url) {
  await mkdir(STATE, { recursive: true });
  return {
    ...env,
    PULUMI_HOME: join(PRIVATE, "pulumi-home"),
    PULUMI_BACKEND_URL: pathToFileURL(STATE).href,
    // What it protects are made-up values for an emulator on this machine.
    PULUMI_CONFIG_PASSPHRASE: "quickstart",
    AGENTGRAPH_CONTROL_PLANE_URL: url,
    AGENTGRAPH_API_KEY: "local-key",
  };
}

/** Whether the stack was made and not removed yet. Reads the state's files, so it needs no CLI. */
export async function stackExists() {
  const names = await readdir(join(STATE, ".pulumi", "stacks"), { recursive: true }).catch(() => []);
  return names.some((name) => name.endsWith(`${STACK}.json`));
}

/** Makes the stack if it is missing, and frees it from the lock of a run that was killed. */
export async function prepareStack(pulumi, env) {
  await run(pulumi, ["stack", "select", "--create", STACK, "--non-interactive"], {
    cwd: ROOT,
    env,
    failed: "Pulumi could not make the stack",
  });
  await freeFromDeadRun(pulumi, env);
}

/** Runs a command on the stack in full view and returns its exit code. */
export const onStack = (pulumi, env, args) => show(pulumi, [...args, "--stack", STACK], { cwd: ROOT, env });

/** The stack's outputs by name. Secrets stay hidden. */
export async function outputs(pulumi, env) {
  const args = ["stack", "output", "--json", "--stack", STACK, "--non-interactive"];
  return JSON.parse(await run(pulumi, args, { cwd: ROOT, env, failed: "Pulumi could not tell the outputs" }));
}

/** A killed run leaves its lock behind. One whose process is gone is safe to take away; one that runs is left alone. */
async function freeFromDeadRun(pulumi, env) {
  const locks = await readLocks();
  const running = locks.find((lock) => lock.hostname !== hostname() || alive(lock.pid));
  if (running) {
    throw new Problem(
      `The quickstart is being changed by another run (process ${running.pid} on ${running.hostname}): wait for its end and run the same command again.`,
    );
  }
  if (locks.length === 0) return;
  await step("Stack", "taking away the lock of a run that was killed", () =>
    attempt(pulumi, ["cancel", "--yes", "--stack", STACK, "--non-interactive"], { cwd: ROOT, env }),
  );
}

async function readLocks() {
  const folder = join(STATE, ".pulumi", "locks");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(".json"));
  return Promise.all(files.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))));
}
