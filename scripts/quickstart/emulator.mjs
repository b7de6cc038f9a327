/** The platform the quickstart talks to: the emulator, in the background, with its data kept in .agentgraph/. */
import { existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt, run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

const MAIN = join(ROOT, "emulator", "dist", "main.js");
const COMMAND = ["--disable-warning=ExperimentalWarning", MAIN]; // node:sqlite would say so at each start.
export const DATA = join(PRIVATE, "emulator");
const PID_FILE = join(DATA, "emulator.pid");

export const urlOf = (port) => `http://127.0.0.1:${port}`;

/** The port of the emulator's bucket. */
export const bucketPort = (port) => port + 1;

/** Where the emulator keeps the key of its bucket. */
export const BUCKET_KEY = join(DATA, "bucket", "key.json");

/**
 * Starts the emulator, if it does not run already. Its own `start` returns once it answers. One that was built anew
 * since it started is started again: its data stays.
 */
export async function startEmulator(node, env, port) {
  if (await isRunning(node, env)) {
    if ((await healthy(port)) && isCurrent()) return console.log(`Emulator: runs already at ${urlOf(port)}`);
    await stopEmulator(node, env);
  }
  await mustBeFree(port, port);
  await mustBeFree(bucketPort(port), port);
  await step("Emulator", `starting it at ${urlOf(port)}`, async (now) => {
    const args = ["start", "--data", DATA, "--port", String(port), "--bucket-port", String(bucketPort(port))];
    await run(node, [...COMMAND, ...args], { cwd: ROOT, env, failed: "The emulator did not start" });
    now(`started at ${urlOf(port)}`);
  });
}

/** Whether an emulator with our data runs. False, without a look, where it was never built or never had data. */
export async function isRunning(node, env) {
  if (!existsSync(MAIN) || !existsSync(DATA)) return false;
  const { code } = await attempt(node, [...COMMAND, "status", "--data", DATA], { cwd: ROOT, env });
  return code === 0;
}

/** Stops the emulator with our data, and keeps the data. */
export async function stopEmulator(node, env) {
  await run(node, [...COMMAND, "stop", "--data", DATA], { cwd: ROOT, env, failed: "The emulator did not stop" });
}

const isCurrent = () => statSync(PID_FILE).mtimeMs > statSync(MAIN).mtimeMs;

async function healthy(port) {
  const answer = await fetch(`${urlOf(port)}/_emulator/health`, { signal: AbortSignal.timeout(2_000) }).catch(() => {});
  return answer?.ok === true;
}

/** `chosen` is the port that a person can choose, and that this one follows from. */
function mustBeFree(port, chosen) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", ({ code }) => reject(code === "EADDRINUSE" ? taken(port, chosen) : notAllowed(port, code)));
    probe.listen(port, "127.0.0.1", () => probe.close(resolve));
  });
}

function taken(port, chosen) {
  const whose = port === chosen ? "" : ", which the emulator's bucket needs,";
  return new Problem(
    `Port ${port}${whose} is used by another program: stop that one, or choose another port with \`npm run up -- --port ${chosen + 100}\`.`,
  );
}

function notAllowed(port, code) {
  return new Problem(
    `Port ${port} cannot be opened (${code}): choose another port with \`npm run up -- --port 7520\`.`,
  );
}
