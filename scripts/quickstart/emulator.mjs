/** The platform the quickstart talks to: the emulator, in the background, with its data kept in .agentgraph/. */
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PRIVATE, ROOT } from "../setup/paths.mjs";
import { Problem } from "../setup/problem.mjs";
import { attempt, run } from "../setup/run.mjs";
import { step } from "../setup/step.mjs";

const MAIN = join(ROOT, "emulator", "dist", "main.js");
export const DATA = join(PRIVATE, "emulator");
const START_LIMIT = 15_000;

export const urlOf = (port) => `http://127.0.0.1:${port}`;

/** Starts the emulator, if it does not run already, and waits until it answers. */
export async function startEmulator(node, env, port) {
  if (await isRunning(node, env)) {
    if (await healthy(port)) return console.log(`Emulator: runs already at ${urlOf(port)}`);
    await stopEmulator(node, env);
  }
  await mustBeFree(port);
  await step("Emulator", `starting it at ${urlOf(port)}`, async (now) => {
    const args = ["start", "--data", DATA, "--port", String(port)];
    await run(node, [MAIN, ...args], { cwd: ROOT, env, failed: "The emulator did not start" });
    await untilHealthy(port);
    now(`started at ${urlOf(port)}`);
  });
}

/** Whether an emulator with our data runs. False, without a look, where it was never built or never had data. */
export async function isRunning(node, env) {
  if (!existsSync(MAIN) || !existsSync(DATA)) return false;
  const { code } = await attempt(node, [MAIN, "status", "--data", DATA], { cwd: ROOT, env });
  return code === 0;
}

/** Stops the emulator with our data, and keeps the data. */
export async function stopEmulator(node, env) {
  await run(node, [MAIN, "stop", "--data", DATA], { cwd: ROOT, env, failed: "The emulator did not stop" });
}

async function healthy(port) {
  const answer = await fetch(`${urlOf(port)}/_emulator/health`, { signal: AbortSignal.timeout(2_000) }).catch(() => {});
  return answer?.ok === true;
}

async function untilHealthy(port) {
  const begin = Date.now();
  while (!(await healthy(port))) {
    if (Date.now() - begin > START_LIMIT) {
      throw new Problem(`The emulator started but does not answer at ${urlOf(port)}: its log in ${DATA} says why.`);
    }
    await sleep(100);
  }
}

function mustBeFree(port) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", ({ code }) => reject(code === "EADDRINUSE" ? taken(port) : notAllowed(port, code)));
    probe.listen(port, "127.0.0.1", () => probe.close(resolve));
  });
}

function taken(port) {
  return new Problem(
    `Port ${port} is used by another program: stop that one, or choose another port with \`npm run up -- --port ${port + 100}\`.`,
  );
}

function notAllowed(port, code) {
  return new Problem(
    `Port ${port} cannot be opened (${code}): choose another port with \`npm run up -- --port 7520\`.`,
  );
}
