/** A program in its own folder with one stack, whose state is in the folder of the run. */
import { randomUUID } from "node:crypto";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Host } from "../options.ts";
import { type CommandResult, runCommand } from "./command.ts";
import { type EngineEvent, readEvents } from "./events.ts";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const PROGRAMS = join(ROOT, "acceptance/programs");

export interface EngineResult extends CommandResult {
  events: EngineEvent[];
}

export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  outputs?: Record<string, unknown>;
}

export interface Place {
  /** The folder of the run. */
  folder: string;
  host: Host;
  /** All variables of commands: the settings of the server and those that programs read. */
  env: NodeJS.ProcessEnv;
  stop: AbortSignal;
}

export class Stack {
  private count = 0;
  readonly folder: string;
  private readonly env: NodeJS.ProcessEnv;

  private readonly project: string;
  private readonly place: Place;

  private constructor(project: string, place: Place) {
    this.project = project;
    this.place = place;
    this.folder = join(place.folder, project);
    this.env = {
      ...place.env,
      PULUMI_HOME: join(place.folder, "home"),
      PULUMI_BACKEND_URL: pathToFileURL(join(place.folder, "state")).href,
      PULUMI_STACK: "acceptance",
      PULUMI_CONFIG_PASSPHRASE: randomUUID(),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      // Makes the CLI accept --event-log.
      PULUMI_DEBUG_COMMANDS: "true",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      ACCEPTANCE_PACKAGE: place.host === "native" ? "pulumi-agentgraph/native" : "pulumi-agentgraph",
    };
  }

  /** @param program A folder of programs/; without it, the project is empty. */
  static async create(project: string, place: Place, program?: string): Promise<Stack> {
    const stack = new Stack(project, place);
    for (const folder of [stack.folder, join(place.folder, "state"), join(place.folder, "home")])
      await mkdir(folder, { recursive: true });
    const plugin = { providers: [{ name: "agentgraph", path: join(ROOT, "build/plugin") }] };
    // JSON is YAML.
    const settings = { name: project, runtime: "nodejs", ...(place.host === "native" && { plugins: plugin }) };
    await writeFile(join(stack.folder, "Pulumi.yaml"), JSON.stringify(settings));
    await writeFile(join(stack.folder, "package.json"), JSON.stringify({ name: project, private: true }));
    if (program) await cp(join(PROGRAMS, `${program}.js`), join(stack.folder, "index.js"));
    await link(join(stack.folder, "node_modules/pulumi-agentgraph"), ROOT);
    await link(join(stack.folder, "node_modules/@pulumi/pulumi"), join(ROOT, "node_modules/@pulumi/pulumi"));
    await stack.runOrThrow("stack", "init", "acceptance");
    return stack;
  }

  /** Replaces the stack configuration of the program, except for what Pulumi keeps in its file. */
  async configure(values: Readonly<Record<string, unknown>>): Promise<void> {
    const file = join(this.folder, "Pulumi.acceptance.yaml");
    const salt = /encryptionsalt: .*/.exec(await readFile(file, "utf8").catch(() => ""))?.[0];
    const config = Object.fromEntries(Object.entries(values).map(([key, value]) => [`${this.project}:${key}`, value]));
    // JSON is YAML; the salt stays in the form that Pulumi writes.
    await writeFile(file, `config: ${JSON.stringify(config)}\n${salt ?? ""}\n`);
  }

  up = (...args: string[]) => this.engine("up", "--yes", "--skip-preview", ...args);
  preview = (...args: string[]) => this.engine("preview", ...args);
  refresh = (...args: string[]) => this.engine("refresh", "--yes", "--skip-preview", ...args);

  /** Also after Ctrl-C: it is how a run ends. */
  destroy = () => this.engine("destroy", "--yes", "--skip-preview", "--continue-on-error");

  /** Runs a command that does not start the engine, and which must succeed. @returns Its output. */
  async runOrThrow(...args: string[]): Promise<string> {
    const { code, stdout, output } = await this.run("pulumi", [...args, "--non-interactive", "--color=never"]);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed:\n${output}`);
    return stdout;
  }

  /** Runs any command in the folder of the program. */
  run(program: string, args: readonly string[], isStoppable = true): Promise<CommandResult> {
    const { stop } = this.place;
    return runCommand({ program, args, cwd: this.folder, env: this.env, stop: isStoppable ? stop : undefined });
  }

  /** Runs a command of this package. */
  agentgraph(...args: string[]): Promise<CommandResult> {
    return this.run(process.execPath, [join(ROOT, "dist/cli/main.js"), ...args]);
  }

  /** Returns the resources of this package in state, by name. */
  async resources(): Promise<Map<string, StateResource>> {
    const { deployment } = JSON.parse(await this.runOrThrow("stack", "export"));
    const all: StateResource[] = deployment.resources ?? [];
    const ours = all.filter(({ type }) => type.includes("agentgraph:"));
    return new Map(ours.map((resource) => [resource.urn.split("::").at(-1) ?? "", resource]));
  }

  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.runOrThrow("stack", "output", "--json"));
  }

  private async engine(verb: string, ...args: string[]): Promise<EngineResult> {
    const log = join(this.place.folder, `events-${this.project}-${++this.count}.json`);
    const all = [verb, ...args, "--non-interactive", "--color=never", "--event-log", log];
    const result = await this.run("pulumi", all, verb !== "destroy");
    return { ...result, events: await readEvents(log) };
  }
}

async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}
