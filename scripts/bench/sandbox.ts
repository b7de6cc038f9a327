/** An isolated environment for benchmarks: Pulumi programs, their state and login, and emulators on free ports. */
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "../setup/run.mjs";
import { type Emulator, startEmulator } from "./emulator.ts";
import { writeDeployments } from "./programs.ts";

/** Runs the Pulumi CLI on a stack. Returns its output. */
export type Cli = (...args: string[]) => Promise<string>;

export interface Sandbox {
  node: string;
  env: NodeJS.ProcessEnv;
  /** The environment of Pulumi, without the settings of a server. */
  stackEnv: NodeJS.ProcessEnv;
  folder: string;
  program: string;
  startEmulator: (speed: string, options?: string[]) => Promise<string>;
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
  const emulators = new Map<string, Emulator>();
  const stopEmulator = (url: string) => emulators.get(url)?.process.kill("SIGTERM");
  const cleanUp = () => {
    for (const url of emulators.keys()) stopEmulator(url);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", cleanUp); // Ctrl-C ends here too.
  try {
    const program = await writeDeployments(join(folder, "program"));
    const stackEnv = await stackEnvironment(folder, env);
    const start = async (speed: string, options: string[] = []) => {
      const emulator = await startEmulator(node, env, ["--speed", speed, ...options]);
      emulators.set(emulator.url, emulator);
      return emulator.url;
    };
    const stack = stackOf(pulumi, program, stackEnv);
    return await work({ node, env, stackEnv, folder, program, startEmulator: start, stopEmulator, stack });
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
    await cli("stack", "init");
    return cli;
  };
}
