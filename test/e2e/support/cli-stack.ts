/** One stack of one program, kept in a backend folder of its own: the commands a person gives it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Run, Running } from "./cli";
import type { Program } from "./program";

/** A resource as `pulumi stack export` shows it. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  initErrors?: string[];
  /** Whether the program only reads it. */
  external?: boolean;
}

export interface State {
  version: number;
  deployment: {
    resources?: StateResource[];
    pending_operations?: { type: string; resource: StateResource }[];
  };
}

/** The states in test/old-states are encrypted with it: it never changes. */
const PASSPHRASE = "a passphrase for tests";

export class CliStack {
  private runs = 0;

  constructor(
    readonly program: Program,
    private readonly place: { project: string; stack: string; home: string; backend: string },
    /** What the commands see beside the Pulumi variables. A test may change it between two of them. */
    readonly env: Record<string, string>,
  ) {}

  async init(): Promise<void> {
    await this.must("stack", "init", this.place.stack);
  }

  preview(...args: string[]): Promise<Run> {
    return this.engine("preview", ...args).end();
  }

  /** `pulumi up` without its preview, which would only cost time; `preview()` shows it. */
  up(...args: string[]): Promise<Run> {
    return this.startUp(...args).end();
  }

  startUp(...args: string[]): Running {
    return this.engine("up", "--yes", "--skip-preview", ...args);
  }

  refresh(...args: string[]): Promise<Run> {
    return this.engine("refresh", "--yes", "--skip-preview", ...args).end();
  }

  destroy(...args: string[]): Promise<Run> {
    return this.startDestroy(...args).end();
  }

  startDestroy(...args: string[]): Running {
    return this.engine("destroy", "--yes", "--skip-preview", ...args);
  }

  /** A command that does not run the engine. */
  command(...args: string[]): Promise<Run> {
    return new Running({ args, cwd: this.program.folder, env: this.environment() }).end();
  }

  /** A command that must succeed; returns what it said. */
  async must(...args: string[]): Promise<string> {
    const { code, output } = await this.command(...args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed:\n${output}`);
    return output;
  }

  async state(): Promise<State> {
    return JSON.parse(await this.must("stack", "export"));
  }

  /** The resources of ours that the state holds, by name. */
  async resources(): Promise<Map<string, StateResource>> {
    const { resources = [] } = (await this.state()).deployment;
    const ours = resources.filter(({ type }) => type.includes("agentgraph:"));
    return new Map(ours.map((resource) => [resource.urn.split("::").at(-1) ?? "", resource]));
  }

  urn(name: string, type = "pulumi-nodejs:dynamic/agentgraph:Deployment"): string {
    return `urn:pulumi:${this.place.stack}::${this.place.project}::${type}::${name}`;
  }

  /** Every byte that Pulumi keeps of this stack: state, history, backups. */
  async kept(): Promise<string> {
    const entries = await readdir(this.place.backend, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")));
    return texts.join("\n");
  }

  private engine(verb: string, ...args: string[]): Running {
    const eventLog = join(this.place.home, `events-${this.place.stack}-${process.hrtime.bigint()}-${++this.runs}.json`);
    return new Running({ args: [verb, ...args], cwd: this.program.folder, env: this.environment(), eventLog });
  }

  private environment(): Record<string, string> {
    return {
      ...withoutSteering(process.env),
      PULUMI_HOME: this.place.home,
      PULUMI_BACKEND_URL: pathToFileURL(this.place.backend).href,
      PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      // Makes the CLI know --event-log.
      PULUMI_DEBUG_COMMANDS: "true",
      ...this.env,
    };
  }
}

/** The user's own Pulumi and the key of a real service must reach no story. */
function withoutSteering(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !/^(PULUMI|AGENTGRAPH)_/.test(name)) kept[name] = value;
  }
  return kept;
}
