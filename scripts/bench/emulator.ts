/** Starts the built emulator in a separate process. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";

export interface Emulator {
  process: ChildProcess;
  url: string;
}

/** What it prints when it listens. */
const ADDRESS = /listens at (http:\S+)/;

export async function startEmulator(node: string, env: NodeJS.ProcessEnv, options: string[]): Promise<Emulator> {
  const main = join(ROOT, "emulator", "dist", "main.js");
  const args = ["--disable-warning=ExperimentalWarning", main, "--port", "0", "--strict", ...options];
  const child = spawn(node, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    printed += text;
    const [, url] = ADDRESS.exec(printed) ?? [];
    if (!url) continue;
    // Otherwise it would wait once the pipe is full.
    child.stdout.resume();
    return { process: child, url };
  }
  throw new Error(`The emulator did not start: ${printed}`);
}
