import { definitions } from "../../../../provider/definitions";
import { type Lifecycle, lifecycle } from "../../../../provider/engine/dynamic";
import { RunMemory } from "../../../../provider/engine/run-memory";
import { Stack } from "../../../support/stack";
import { tracingSettings } from "../../../support/tracing";
import { observePlainTexts } from "./leaks";
import type { PulumiProcess } from "./process";
import type { State, StateEntry } from "./state";

export interface CommandResult {
  /** What each resource failed with. */
  errors: Map<string, Error>;
  /** What was shown, as `warn: text`. */
  rows: string[];
  /** What was done to each resource. */
  done: Map<string, string>;
  /** Texts that the engine stores or shows without encryption. */
  plainTexts: string[];
  died: boolean;
}

export const API_KEY = "api-key-of-the-program";
let processCount = 0;

/** One Pulumi command in a separate process, with the host of dynamic resources. */
export class Run {
  private readonly result: CommandResult = {
    errors: new Map(),
    rows: [],
    done: new Map(),
    plainTexts: [],
    died: false,
  };
  private readonly hosts = new Map<string, Lifecycle>();
  private readonly memory = new RunMemory();
  private readonly settings: Record<string, string>;
  private readonly running = new Map<string, Stack>();
  private isOpen = true;

  constructor(
    readonly process: PulumiProcess,
    private readonly platform: { url: string },
    private readonly continueOnError: boolean,
  ) {
    // The provider shares its clients by API key; a separate process has its own clients.
    const apiKey = `${API_KEY}-${processCount++}`;
    this.settings = { controlPlaneUrl: platform.url, apiKey, ...tracingSettings(platform) };
  }

  /** Whether no further operation begins. */
  get isStopping(): boolean {
    const hasFailed = this.result.errors.size > 0 && !this.continueOnError;
    return hasFailed || this.process.isInterrupted || !this.isOpen;
  }

  isDone(name: string): boolean {
    return this.result.done.has(name) || this.running.has(name);
  }

  /** Runs the command until it ends or its process dies. */
  async end(command: () => Promise<void>): Promise<CommandResult> {
    const end = await Promise.race([command().then(() => "done"), this.process.death]);
    this.isOpen = false;
    return { ...this.result, died: end === "dead" };
  }

  /** Performs an operation on a resource and saves its state. @returns Whether it succeeded. */
  async act(
    state: State,
    name: string,
    entry: Pick<StateEntry, "slot" | "kind" | "references">,
    operation: (stack: Stack, host: Lifecycle) => Promise<unknown>,
  ): Promise<boolean> {
    const { slot, kind, references } = entry;
    const stack = new Stack({ clock: this.process.clock, url: this.platform.url }, { name, kind });
    stack.state = structuredClone(state.get(name)?.resource);
    this.running.set(name, stack);
    const isDone = await this.process
      .runFor(slot, () => operation(stack, this.host(kind)))
      .then(
        (what) => this.isOpen && this.result.done.set(name, String(what)) !== undefined,
        (error: Error) => {
          if (this.isOpen) this.result.errors.set(name, error);
          return false;
        },
      );
    // The process has died: what it had not saved is lost, but for a deletion that was part of a replacement.
    if (!this.isOpen) return new Promise<never>(() => {});
    this.running.delete(name);
    if (stack.state) state.set(name, { slot, kind, references, resource: stack.state });
    else state.delete(name);
    return isDone;
  }

  /** Removes from state what was deleted for a replacement that the process did not complete. */
  saveDeletions(state: State): void {
    for (const [name, stack] of this.running) if (!stack.state) state.delete(name);
  }

  /** All resources of a kind share a host, and all hosts the memory of the run. */
  private host(kind: string): Lifecycle {
    const existing = this.hosts.get(kind);
    if (existing) return existing;
    const definition = definitions.find((one) => one.kind === kind);
    if (!definition) throw new Error(`there is no ${kind}`);
    const record = (severity: string) => (_urn: string, text: string) => {
      if (this.isOpen) this.result.rows.push(`${severity}: ${text}`);
    };
    const report = {
      progress: record("progress"),
      info: record("info"),
      warn: record("warn"),
      flush: async () => {},
    };
    const host = lifecycle(definition, { clock: this.process.clock, report, memory: this.memory });
    host.configure({ config: { get: (key: string) => this.settings[key.replace("agentgraph:", "")] } } as never);
    const observed = observePlainTexts(host, this.result.plainTexts);
    this.hosts.set(kind, observed);
    return observed;
  }
}
