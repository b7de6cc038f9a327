/** examples/fleet as a user's project, with its scripts. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runEnvironment } from "../../../support/run/environment";
import { packageFolder } from "../../support/packages/packages";
import { Program } from "../../support/programs/program";
import { API_KEY, type World } from "../../support/world";

export interface Ended {
  code: number | null;
  output: string;
}

export class FleetProject {
  private constructor(
    readonly folder: string,
    private readonly env: Record<string, string | undefined>,
  ) {}

  /** Copies the example. @param name Its state and its login are separate from those of other names. */
  static async create(world: World, name: string): Promise<FleetProject> {
    const { folder } = await Program.copy("fleet", await world.createFolder(name));
    await mkdir(join(folder, "node_modules/.bin"));
    await symlink(join(packageFolder(), "dist/cli/main.js"), join(folder, "node_modules/.bin/agentgraph"));
    return new FleetProject(folder, {
      ...runEnvironment(),
      HOME: await world.createFolder(`${name}-home`),
      PULUMI_BACKEND_URL: pathToFileURL(await world.createFolder(`${name}-state`)).href,
      PULUMI_CONFIG_PASSPHRASE: "a passphrase",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      AGENTGRAPH_CONTROL_PLANE_URL: world.url,
      AGENTGRAPH_API_KEY: API_KEY,
    });
  }

  /** Replaces a text in a file. @throws When the file does not contain it. */
  async edit(name: string, from: string, to: string): Promise<void> {
    const [path, text] = [join(this.folder, name), await this.read(name)];
    if (!text.includes(from)) throw new Error(`${name} does not contain: ${from}`);
    await writeFile(path, text.replaceAll(from, to));
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), "utf8");
  }

  /** Runs a script, such as `run.ts`, and returns when it has ended. */
  node(...args: string[]): Promise<Ended> {
    return this.start(process.execPath, ...args).ended;
  }

  pulumi(...args: string[]): Promise<Ended> {
    return this.start("pulumi", ...args, "--non-interactive").ended;
  }

  /** Starts a command in its own process group. */
  start(program: string, ...args: string[]): { child: ChildProcess; ended: Promise<Ended> } {
    const child = spawn(program, args, { cwd: this.folder, env: this.env, detached: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    return { child, ended: once(child, "close").then(([code]) => ({ code, output })) };
  }
}

/** Returns the rows of the table that a run prints, without the seconds. */
export const rowsOf = ({ output }: Ended) =>
  [...output.matchAll(/^(\S+-\S+) +(succeeded|failed|unchanged|not started) *\d* *(.*)$/gm)].map(
    ([, stack, result, agents]) => [stack, result, agents].filter(Boolean).join(" "),
  );
