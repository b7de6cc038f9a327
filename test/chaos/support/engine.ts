/**
 * A model of what the Pulumi engine asks and keeps: in which order it checks, compares, creates, updates, replaces and
 * deletes, and what state holds after a success, a failure, a partial failure and the death of its process.
 */
import { ownershipMarker } from "../../../provider/definition/ownership";
import { deriveResourceId } from "../../../provider/resources/thread/identity";
import type { PropertyMap } from "../../../provider/schema/schema";
import type { Platform } from "../../support/platform";
import { type ResourceState, Stack } from "../../support/stack";
import { tracingSettings } from "../../support/tracing";
import { MortalProcess, untilServerIsIdle } from "./process";
import type { Declared, Program } from "./program";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

interface StateEntry {
  kind: string;
  references: Record<string, string>;
  resource: ResourceState;
}

export interface Run {
  /** What each resource failed with. */
  errors: Map<string, Error>;
  /** What was shown, as `Kind: warn: text`. */
  rows: string[];
  /** What was done to each resource. */
  done: Map<string, string>;
  died: boolean;
}

export interface Death {
  diesAt?: number;
  acts?: boolean;
}

export class Engine {
  /** State, in the order in which resources were created. */
  readonly state = new Map<string, StateEntry>();

  constructor(private readonly platform: Platform) {}

  /** `pulumi up`. @param imports IDs to import, by resource. */
  up(program: Program, death: Death = {}, imports: ReadonlyMap<string, string> = new Map()): Promise<Run> {
    return this.run(death, async (session) => {
      const failed = new Set<string>();
      for (const declared of program) {
        if (Object.values(declared.references).some((name) => failed.has(name))) {
          failed.add(declared.name);
          continue;
        }
        const hidden = imports.has(declared.name) ? { __import: imports.get(declared.name) } : {};
        const isDone = await session.act(declared, async (stack) => {
          const inputs = this.resolve(declared);
          await this.deleteDependents(declared, stack, inputs, session);
          return stack.up(inputs, session.host(stack, declared.kind), this.state.has(declared.name) ? {} : hidden);
        });
        if (!isDone) failed.add(declared.name);
      }
      // After a failure the engine deletes nothing that left the program.
      if (failed.size > 0) return;
      const names = new Set(program.map(({ name }) => name));
      await this.deleteAll(
        [...this.state.keys()].filter((name) => !names.has(name)),
        session,
      );
    });
  }

  /** `pulumi refresh`. */
  refresh(death: Death = {}): Promise<Run> {
    return this.run(death, async (session) => {
      for (const [name, { kind, references }] of [...this.state]) {
        await session.act({ name, kind, references }, (stack) => stack.refresh(session.host(stack, kind)));
      }
    });
  }

  /** Runs `pulumi destroy`. */
  destroy(death: Death = {}): Promise<Run> {
    return this.run(death, (session) => this.deleteAll([...this.state.keys()], session));
  }

  /** The inputs with the IDs that state holds. */
  resolve({ inputs, references }: Declared): PropertyMap {
    const ids = Object.entries(references).map(([input, name]) => [
      input,
      this.state.get(name)?.resource.id ?? UNKNOWN,
    ]);
    return { ...inputs, ...Object.fromEntries(ids) };
  }

  /** The metadata by which threads of a resource are found, whatever its inputs were. */
  threadTag(name: string): string {
    const { urn } = new Stack(this.platform, { name, kind: "Thread" });
    return deriveResourceId({ marker: ownershipMarker("acme", urn) });
  }

  private async deleteAll(names: readonly string[], session: Session): Promise<void> {
    const stuck = new Set<string>();
    for (const name of [...names].reverse()) {
      const entry = this.state.get(name);
      if (!entry) continue;
      const isNeeded = [...this.state].some(([other, { references }]) => {
        return stuck.has(other) && Object.values(references).includes(name);
      });
      const isDone =
        !isNeeded && (await session.act({ name, ...entry }, (stack) => stack.destroy(session.host(stack, entry.kind))));
      if (!isDone) stuck.add(name);
    }
  }

  /** Before a resource is replaced the engine deletes what refers to it, in reverse order. */
  private async deleteDependents(
    declared: Declared,
    stack: Stack,
    inputs: PropertyMap,
    session: Session,
  ): Promise<void> {
    if (!stack.state) return;
    const preview = session.stackOf(declared, stack.state);
    const { replaces = [] } = await preview.diff(inputs, session.host(preview, declared.kind));
    if (replaces.length === 0) return;
    const dependents = new Set([declared.name]);
    for (const [name, { references }] of this.state) {
      if (Object.values(references).some((other) => dependents.has(other))) dependents.add(name);
    }
    dependents.delete(declared.name);
    for (const name of [...dependents].reverse()) {
      const entry = this.state.get(name);
      if (!entry) continue;
      if (!(await session.act({ name, ...entry }, (one) => one.destroy(session.host(one, entry.kind)))))
        throw new Error(`${name}, which depends on it, could not be deleted`);
    }
  }

  private async run({ diesAt, acts = false }: Death, act: (session: Session) => Promise<void>): Promise<Run> {
    const process = new MortalProcess(this.platform, diesAt, acts);
    const session = new Session(this.state, process);
    const end = await Promise.race([act(session).then(() => "done"), process.death]);
    session.close();
    // A person starts the next run long after the server is done with what this one sent.
    if (end === "dead") await untilServerIsIdle(this.platform);
    const { errors, done, rows } = session;
    return { errors, done, rows, died: end === "dead" };
  }
}

/** One process of the engine and of its host. */
class Session {
  readonly errors = new Map<string, Error>();
  readonly done = new Map<string, string>();
  /** By kind: the host, and the stack whose rows it writes to. */
  private readonly hosts = new Map<string, { host: ReturnType<Stack["host"]>; stack: Stack }>();
  private isOpen = true;
  private current: { name: string; stack: Stack } | undefined;

  constructor(
    private readonly state: Map<string, StateEntry>,
    private readonly process: MortalProcess,
  ) {}

  stackOf({ name, kind }: Pick<Declared, "name" | "kind">, state: ResourceState | undefined): Stack {
    const config = tracingSettings(this.process);
    const stack = new Stack(this.process, { name, kind, config });
    stack.state = state && structuredClone(state);
    return stack;
  }

  /** The host of a kind, which all resources of that kind share in a run. */
  host(stack: Stack, kind: string): ReturnType<Stack["host"]> {
    const cached = this.hosts.get(kind) ?? { host: stack.host(), stack };
    this.hosts.set(kind, cached);
    return cached.host;
  }

  get rows(): string[] {
    return [...this.hosts].flatMap(([kind, { stack }]) => stack.messages.map((row) => `${kind}: ${row}`));
  }

  /** Performs an operation on a resource and saves its state. @returns Whether the operation succeeded. */
  async act(resource: Omit<Declared, "inputs">, work: (stack: Stack) => Promise<unknown>): Promise<boolean> {
    const { name, kind, references } = resource;
    const stack = this.stackOf(resource, this.state.get(name)?.resource);
    const outer = this.current;
    this.current = { name, stack };
    let isDone = true;
    try {
      const what = await work(stack);
      if (this.isOpen) this.done.set(name, String(what));
    } catch (error) {
      isDone = false;
      if (this.isOpen) this.errors.set(name, error as Error);
    }
    // A killed process has no further effect, so its call never returns.
    if (!this.isOpen) return new Promise<never>(() => {});
    this.current = outer;
    if (stack.state) this.state.set(name, { kind, references, resource: stack.state });
    else this.state.delete(name);
    return isDone;
  }

  close(): void {
    this.isOpen = false;
    // A replacement whose delete is done is out of state, whatever its process does afterwards.
    if (this.current && !this.current.stack.state) this.state.delete(this.current.name);
  }
}
