/** One stack of a program in its own file backend, with the commands that users run on it. */
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Program } from "../programs/program";
import { type CommandResult, RunningCommand } from "./cli";

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
  deployment: { resources?: StateResource[]; pending_operations?: { type: string; resource: StateResource }[] };
}

/** Returns the agentgraph resources, by name. */
export function managed(resources: readonly StateResource[]): Map<string, StateResource> {
  const ours = resources.filter(({ type }) => type.includes("agentgraph:"));
  return new Map(ours.map((resource) => [resource.urn.split("::").at(-1) ?? "", resource]));
}

/** Never changes, because the states in test/old-states are encrypted with it. */
const PASSPHRASE = "a passphrase for tests";
/** The salt with which a stack encrypts its secrets, which contains a proof of the passphrase. */
const SALT = "v1:RJ8IOBJPhc8=:v1:bX0bJB2sVEn1qsEV:7U5FELEcF5d97nsZ44kT24nQ5O3kzg==";

export class CliStack {
  private runCount = 0;

  constructor(
    readonly program: Program,
    readonly location: { project: string; stack: string; home: string; backend: string },
    /** Environment variables of the commands besides those of Pulumi. Tests may change it between commands. */
    public env: Record<string, string>,
  ) {}

  /** Creates the stack as `pulumi stack init` does; in a folder without the start of a process. */
  async init(): Promise<void> {
    const { backend, stack } = this.location;
    if (this.env.PULUMI_BACKEND_URL) {
      await this.runOrThrow("stack", "init", stack);
      return;
    }
    await this.writeState({
      version: 3,
      deployment: { secrets_providers: { type: "passphrase", state: { salt: SALT } } },
    });
    await writeFile(join(backend, ".pulumi/meta.yaml"), "version: 1\n");
    await appendFile(join(this.program.folder, `Pulumi.${stack}.yaml`), `encryptionsalt: ${SALT}\n`);
  }

  /** Replaces the state of the stack. @param state As `pulumi stack export` prints it. */
  async writeState({ version, deployment }: Pick<State, "version"> & { deployment: object }): Promise<void> {
    const { project, stack } = this.location;
    await mkdir(dirname(this.stateFile), { recursive: true });
    const checkpoint = { stack: `organization/${project}/${stack}`, latest: deployment };
    await writeFile(this.stateFile, JSON.stringify({ version, checkpoint }));
  }

  private get stateFile(): string {
    const { backend, project, stack } = this.location;
    return join(backend, ".pulumi/stacks", project, `${stack}.json`);
  }

  preview(...args: string[]): Promise<CommandResult> {
    return this.engine("preview", ...args).waitForExit();
  }

  /** Runs `pulumi up` without its preview, to save time; `preview()` shows it. */
  up(...args: string[]): Promise<CommandResult> {
    return this.startUp(...args).waitForExit();
  }

  startUp(...args: string[]): RunningCommand {
    return this.engine("up", "--yes", "--skip-preview", ...args);
  }

  refresh(...args: string[]): Promise<CommandResult> {
    return this.startRefresh(...args).waitForExit();
  }

  startRefresh(...args: string[]): RunningCommand {
    return this.engine("refresh", "--yes", "--skip-preview", ...args);
  }

  destroy(...args: string[]): Promise<CommandResult> {
    return this.startDestroy(...args).waitForExit();
  }

  startDestroy(...args: string[]): RunningCommand {
    return this.engine("destroy", "--yes", "--skip-preview", ...args);
  }

  /** Runs a command that does not start the engine. */
  run(...args: string[]): Promise<CommandResult> {
    return new RunningCommand({ args, cwd: this.program.folder, env: this.environment() }).waitForExit();
  }

  /** Runs a command that does not start the engine. @returns Its output. @throws When it fails. */
  async runOrThrow(...args: string[]): Promise<string> {
    const { code, output } = await this.run(...args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed:\n${output}`);
    return output;
  }

  /** Returns what `pulumi stack export` prints. */
  async state(): Promise<State> {
    const text = await readFile(this.stateFile, "utf8").catch(() => undefined);
    // The state is in a bucket.
    if (text === undefined) return JSON.parse(await this.runOrThrow("stack", "export"));
    // Its checkpoint equals the export, without the start of a process.
    const { version, checkpoint } = JSON.parse(text);
    return { version, deployment: checkpoint.latest };
  }

  /** Returns the agentgraph resources in state, by name. */
  async resources(): Promise<Map<string, StateResource>> {
    return managed((await this.state()).deployment.resources ?? []);
  }

  urn(name: string, type = "pulumi-nodejs:dynamic/agentgraph:Deployment"): string {
    return `urn:pulumi:${this.location.stack}::${this.location.project}::${type}::${name}`;
  }

  /** Returns all that Pulumi stores of this stack: state, history and backups. */
  async readBackend(): Promise<string> {
    const entries = await readdir(this.location.backend, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")));
    return texts.join("\n");
  }

  private engine(verb: string, ...args: string[]): RunningCommand {
    const eventLog = join(
      this.location.home,
      `events-${this.location.stack}-${process.hrtime.bigint()}-${++this.runCount}.json`,
    );
    return new RunningCommand({ args: [verb, ...args], cwd: this.program.folder, env: this.environment(), eventLog });
  }

  /** Returns the environment of the stack's commands. */
  environment(): Record<string, string> {
    return {
      ...withoutPulumiVariables(process.env),
      PULUMI_HOME: this.location.home,
      PULUMI_BACKEND_URL: pathToFileURL(this.location.backend).href,
      PULUMI_STACK: this.location.stack,
      PULUMI_CONFIG_PASSPHRASE: PASSPHRASE,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      // Makes the CLI know --event-log.
      PULUMI_DEBUG_COMMANDS: "true",
      ...this.env,
    };
  }
}

/** Leaves out the variables of Pulumi and agentgraph, so that no test uses the login or the API key of a developer. */
function withoutPulumiVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !/^(PULUMI|AGENTGRAPH)_/.test(name)) variables[name] = value;
  }
  return variables;
}
