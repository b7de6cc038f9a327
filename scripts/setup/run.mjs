/** Runs other programs, with their output captured or shown. */
import { spawn } from "node:child_process";
import { explain, Problem } from "./problem.mjs";

const background = new Set();
const foreground = new Set();

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    stopBackground();
    // A program in the foreground receives Ctrl-C from the terminal and ends by itself: the engine saves its state.
    if (signal === "SIGTERM") for (const child of foreground) child.kill(signal);
    if (foreground.size === 0) process.exit(130);
  });
}

/** Stops all programs whose output is captured. */
export function stopBackground() {
  for (const child of background) stopAll(child);
}

/** Stops a captured program with its process group, which includes its children. */
function stopAll(child) {
  try {
    process.kill(-child.pid, "SIGTERM");
  } catch {
    // Already ended.
  }
}

function waitForExit(child, kind) {
  kind.add(child);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
  }).finally(() => kind.delete(child));
}

/**
 * Runs a program until `stop` is aborted. Returns its exit code and output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stop?: AbortSignal }} options
 */
export async function attempt(command, args, { cwd, env, stop } = {}) {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  stop?.addEventListener("abort", () => stopAll(child));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  const code = await waitForExit(child, background);
  return { code, output };
}

/**
 * Runs a program that must succeed. Returns its output.
 * @param {string} command
 * @param {string[]} args
 * @param {Parameters<typeof attempt>[2] & { failed?: string }} options `failed` is the beginning of the error message
 */
export async function run(command, args, { failed, ...options } = {}) {
  const { code, output } = await attempt(command, args, options).catch((error) => {
    if (error.code === "ENOENT")
      throw new Problem(`${command} is not on PATH. Install it and run the same command again.`);
    throw error;
  });
  if (code === 0) return output;
  throw new Problem(explain(output) ?? `${failed}. See its output above.`, output.trim());
}

/**
 * Runs a program with its output shown. Returns its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>}
 */
export function show(command, args, { cwd, env } = {}) {
  return waitForExit(spawn(command, args, { cwd, env, stdio: "inherit" }), foreground);
}
