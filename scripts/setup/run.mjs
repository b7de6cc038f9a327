/** Other programs: run quietly with their words kept, or shown as if typed by hand. */
import { spawn } from "node:child_process";
import { explain, Problem } from "./problem.mjs";

const quiet = new Set();
const shown = new Set();

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of quiet) stopAll(child);
    // A shown program got the Ctrl-C of the terminal itself. It ends in its own order: the engine saves its state.
    if (signal === "SIGTERM") for (const child of shown) child.kill(signal);
    if (shown.size === 0) process.exit(130);
  });
}

/** A quiet program leads a process group of its own, so that what it started ends with it. */
function stopAll(child) {
  try {
    process.kill(-child.pid, "SIGTERM");
  } catch {
    // Ended already.
  }
}

function ended(child, kind) {
  kind.add(child);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
  }).finally(() => kind.delete(child));
}

/** Runs a program, until `stop` is aborted, and returns its exit code and all it said. */
export async function attempt(command, args, { cwd, env, stop } = {}) {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  stop?.addEventListener("abort", () => stopAll(child));
  let output = "";
  const keep = (chunk) => {
    output += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const code = await ended(child, quiet);
  return { code, output };
}

/** Runs a program that must succeed and returns all it said; `failed` begins the sentence when it does not. */
export async function run(command, args, { failed, ...options } = {}) {
  const { code, output } = await attempt(command, args, options).catch((error) => {
    if (error.code === "ENOENT")
      throw new Problem(`${command} is not on PATH: install it and run the same command again.`);
    throw error;
  });
  if (code === 0) return output;
  throw new Problem(explain(output) ?? `${failed}; what it said stands above.`, output.trim());
}

/** Runs a program in full view and returns its exit code. */
export function show(command, args, { cwd, env } = {}) {
  return ended(spawn(command, args, { cwd, env, stdio: "inherit" }), shown);
}
