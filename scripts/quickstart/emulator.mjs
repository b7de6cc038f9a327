/** Runs the emulator of the quickstart in the background, with its data in .agentgraph/. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { attempt, run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";
import { storedOptions, storeOptions } from "./agent.mjs";

const MAIN = join(ROOT, "emulator", "dist", "main.js");
// Otherwise node:sqlite prints a warning at each start.
const COMMAND = ["--disable-warning=ExperimentalWarning", MAIN];
export const DATA = join(PRIVATE, "emulator");
const PID_FILE = join(DATA, "emulator.pid");

export const urlOf = (port) => `http://127.0.0.1:${port}`;

/** Returns the port of the emulator's bucket. */
export const bucketPort = (port) => port + 1;

/** File with the access key of the emulator's bucket. */
export const BUCKET_KEY = join(DATA, "bucket", "key.json");

/**
 * Starts the emulator unless it is running; its own `start` returns when it is ready. An emulator that was rebuilt
 * since it started, or that runs another agent, is restarted with its data.
 */
export async function startEmulator(node, env, port, options = []) {
  if (await isRunning(node, env)) {
    const isSame = JSON.stringify(await storedOptions()) === JSON.stringify(options);
    if ((await isHealthy(port)) && isCurrent() && isSame)
      return console.log(`Emulator: already running at ${urlOf(port)}`);
    await stopEmulator(node, env);
  }
  await step("Emulator", `starting at ${urlOf(port)}`, async (now) => {
    const ports = ["--port", String(port), "--bucket-port", String(bucketPort(port))];
    const args = [...COMMAND, "start", "--data", DATA, ...ports, ...options];
    const failed = `The emulator did not start. Where a port is in use: \`npm run up -- --port ${port + 100}\``;
    await run(node, args, { cwd: ROOT, env, failed });
    if (options.length > 0) await storeOptions(options);
    now(`started at ${urlOf(port)}`);
  });
}

/** Whether the emulator of the quickstart is running. */
export async function isRunning(node, env) {
  if (!existsSync(MAIN) || !existsSync(DATA)) return false;
  const { code } = await attempt(node, [...COMMAND, "status", "--data", DATA], { cwd: ROOT, env });
  return code === 0;
}

/** Stops the emulator of the quickstart and keeps its data. */
export async function stopEmulator(node, env) {
  await run(node, [...COMMAND, "stop", "--data", DATA], { cwd: ROOT, env, failed: "The emulator did not stop" });
}

const isCurrent = () => statSync(PID_FILE).mtimeMs > statSync(MAIN).mtimeMs;

async function isHealthy(port) {
  const health = fetch(`${urlOf(port)}/_emulator/health`, { signal: AbortSignal.timeout(2_000) });
  return (await health.catch(() => {}))?.ok === true;
}
