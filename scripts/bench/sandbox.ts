/** An isolated environment for benchmarks: Pulumi programs, their state and login, and emulators on free ports. */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../setup/paths.mjs";
import { run } from "../setup/run.mjs";
import { writeDeployments } from "./programs.ts";

/** Runs the Pulumi CLI on a stack. Returns its output. */
export type Cli = (...args: string[]) => Promise<string>;

export interface Sandbox {
  node: string;
  env: NodeJS.ProcessEnv;
  folder: string;
  program: string;
  /** Returns the URL of a new emulator. */
  startEmulator: (speed: string) => Promise<string>;
  stopEmulator: (url: string) => void;
  /** Creates a stack of the program, or of the one in another folder. */
  stack: (name: string, emulator: string, deployments: number, folder?: string) => Promise<Cli>;
}

interface Tools {
  node: string;
  pulumi: string | undefined;
  env: NodeJS.ProcessEnv;
}

/** Runs `work` in a sandbox, and always removes its files and processes. */
export async function withSandbox<T>({ node, pulumi = "pulumi", env }: Tools, work: (sandbox: Sandbox) => Promise<T>) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "agentgraph-bench-")));
  const emulators = new Map<string, ChildProcess>();
  const cleanUp = () => {
    for (const child of emulators.values()) child.kill("SIGTERM");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", cleanUp); // Ctrl-C ends here too.
  try {
    const program = await writeDeployments(join(folder, "program"));
    const stackEnv = await stackEnvironment(folder, env);
    const startEmulator = async (speed: string) => {
      const { child, url } = await spawnEmulator(node, env, speed);
      emulators.set(url, child);
      return url;
    };
    const stopEmulator = (url: string) => emulators.get(url)?.kill("SIGTERM");
    const stack = stackOf(pulumi, program, stackEnv);
    return await work({ node, env, folder, program, startEmulator, stopEmulator, stack });
  } finally {
    process.off("exit", cleanUp);
    cleanUp();
  }
}

async function stackEnvironment(folder: string, env: NodeJS.ProcessEnv) {
  const state = join(folder, "state");
  await mkdir(state);
  return {
    ...env,
    PULUMI_HOME: join(folder, "pulumi-home"),
    PULUMI_BACKEND_URL: pathToFileURL(state).href,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_DEBUG_COMMANDS: "true", // Required for --event-log.
    AGENTGRAPH_API_KEY: "bench-key",
  };
}

/** Returns a function that creates a stack and returns a function that runs the CLI on it. */
function stackOf(pulumi: string, program: string, stackEnv: NodeJS.ProcessEnv): Sandbox["stack"] {
  return async (name, emulator, deployments, cwd = program) => {
    const env = { ...stackEnv, AGENTGRAPH_CONTROL_PLANE_URL: emulator, BENCH_DEPLOYMENTS: String(deployments) };
    const cli = (...args: string[]) =>
      run(pulumi, [...args, "--stack", name, "--non-interactive"], { cwd, env, failed: `pulumi ${args[0]} failed` });
    await run(pulumi, ["stack", "init", name, "--non-interactive"], {
      cwd,
      env,
      failed: "Pulumi could not create a stack",
    });
    return cli;
  };
}

function spawnEmulator(node: string, env: NodeJS.ProcessEnv, speed: string) {
  const main = join(ROOT, "emulator", "dist", "main.js");
  const args = ["--disable-warning=ExperimentalWarning", main, "--port", "0", "--strict", "--speed", speed];
  const child = spawn(node, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise<{ child: ChildProcess; url: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The emulator exited with code ${code}.`)));
    child.stdout.setEncoding("utf8").on("data", (text) => {
      const url = /http:\S+/.exec(text)?.[0];
      if (url) resolve({ child, url });
    });
  });
}
