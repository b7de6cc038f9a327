import { definitions } from "../../../../provider/definitions";
import type { Handlers } from "../../../../provider/engine/handlers";
import { dynamicHost, type Lifecycle } from "../../../../provider/engine/host/dynamic";
import type { Report } from "../../../../provider/engine/host/log";
import { createHandlers } from "../../../../provider/engine/lifecycle";
import { ManagedObjects } from "../../../../provider/engine/run/managed-objects";
import { RunFolder } from "../../../../provider/engine/run/run-folder";
import { RunState } from "../../../../provider/engine/run/run-state";
import { tracingSettings } from "../../../support/exports/tracing";
import { Stack } from "../../../support/stack";
import { identityOf } from "../program/names";
import type { ProviderName } from "../program/schedule";
import { observePlainTexts } from "./leaks";
import { nativeHost } from "./native-host";
import type { PulumiProcess } from "./process";
import { REPLACED, type State, type StateEntry } from "./state";

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

/** One Pulumi command, with a separate process for each provider. */
export class Run {
  private readonly result: CommandResult = {
    errors: new Map(),
    rows: [],
    done: new Map(),
    plainTexts: [],
    died: false,
  };
  private readonly handlersByKind = new Map<string, Handlers>();
  /** What each provider process remembers. */
  private readonly runs = new Map<ProviderName, RunState>();
  private readonly settings: Record<string, string>;
  private readonly number: number;
  private readonly running = new Map<string, Stack>();
  private isOpen = true;

  /** @param folder Where the processes of runs exchange what they manage. */
  constructor(
    readonly process: PulumiProcess,
    private readonly platform: { url: string },
    private readonly folder: string,
    private readonly continueOnError: boolean,
  ) {
    // The provider shares its clients by API key; a separate process has its own clients.
    this.number = processCount++;
    const apiKey = `${API_KEY}-${this.number}`;
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
    entry: Pick<StateEntry, "slot" | "kind" | "provider" | "references" | "deletedWith">,
    operation: (stack: Stack, host: Lifecycle) => Promise<unknown>,
  ): Promise<boolean> {
    const { slot, kind, provider, references, deletedWith } = entry;
    const before = state.get(name);
    const stack = this.stackOf(name, kind, provider);
    stack.state = structuredClone(before?.resource);
    // The provider in state deletes, also for a replacement.
    const { delete: remove } = this.host(name, kind, before?.provider ?? provider);
    const host = { ...this.host(name, kind, provider), delete: remove };
    this.running.set(name, stack);
    const isDone = await this.process
      .runFor(slot, () => operation(stack, host))
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
    const own = { slot, kind, provider, references, ...(deletedWith && { deletedWith }) };
    if (stack.state) state.set(name, { ...own, resource: stack.state });
    else state.delete(name);
    return isDone;
  }

  /** Removes from state what was deleted for a replacement that the process did not complete. */
  saveDeletions(state: State): void {
    for (const [name, stack] of this.running) if (!stack.state) state.delete(name);
  }

  private stackOf(name: string, kind: string, provider: ProviderName): Stack {
    const host = provider === "native" ? "plugin" : "dynamic";
    const platform = { clock: this.process.clock, url: this.platform.url };
    return new Stack(platform, { ...identityOf(name.replace(REPLACED, "")), kind, host });
  }

  private host(name: string, kind: string, provider: ProviderName): Lifecycle {
    const handlers = this.handlers(kind, provider);
    const { urn } = this.stackOf(name, kind, provider);
    return observePlainTexts(
      provider === "native" ? nativeHost(handlers, urn) : dynamicHost(handlers),
      this.result.plainTexts,
    );
  }

  /** All resources of a kind and provider share handlers, and all handlers of a provider its memory of the run. */
  private handlers(kind: string, provider: ProviderName): Handlers {
    const existing = this.handlersByKind.get(`${provider} ${kind}`);
    if (existing) return existing;
    const definition = definitions.find((one) => one.kind === kind);
    if (!definition) throw new Error(`there is no ${kind}`);
    const report: Report = {
      show: (kind, _urn, text) => {
        if (this.isOpen && kind !== "debug") this.result.rows.push(`${kind}: ${text}`);
      },
      flush: async () => {},
    };
    const environment = { clock: this.process.clock, report, run: this.runOf(provider) };
    const handlers = createHandlers(definition, environment);
    // The native provider does not know the organization.
    const settings: Record<string, string> = { ...this.settings, ...(provider === "native" && { ownerId: "acme" }) };
    handlers.configure((key) => settings[key.replace("agentgraph:", "")]);
    this.handlersByKind.set(`${provider} ${kind}`, handlers);
    return handlers;
  }

  private runOf(provider: ProviderName): RunState {
    const existing = this.runs.get(provider);
    if (existing) return existing;
    const folder = new RunFolder(`127.0.0.1:${this.number}`, this.folder, `${process.pid}-${provider}`);
    const run = new RunState(new ManagedObjects(folder));
    this.runs.set(provider, run);
    return run;
  }
}
