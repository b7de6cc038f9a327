/**
 * A model of what the Pulumi engine asks and keeps: in which order it checks, compares, creates, updates, replaces and
 * deletes, several resources at once, and what state holds after a success, a failure, a partial failure and the death
 * of its process.
 */
import { definitions } from "../../../../provider/definitions";
import type { Lifecycle } from "../../../../provider/engine/host/dynamic";
import type { PropertyMap } from "../../../../provider/schema/schema";
import type { Stack } from "../../../support/stack";
import type { Slot } from "../kinds";
import type { Declared } from "../program/program";
import type { ProviderName } from "../program/schedule";
import type { CommandResult, Run } from "./run";
import { REPLACED, type Reference, type State, type StateEntry } from "./state";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A resource of the program with its logical name. */
export interface Registered extends Omit<Declared, "references"> {
  name: string;
  references: Record<string, Reference>;
  /** Its names before. */
  aliases: string[];
  provider: ProviderName;
  deletedWith?: string;
  /** ID of the object that it imports. */
  import?: string | undefined;
}

/** Whether an ID for an import also names the server. */
const isOnAgentServer = (kind: string) =>
  definitions.some((one) => one.kind === kind && one.schema.container !== undefined);

export interface Options {
  target?: Slot | undefined;
  replace?: Slot | undefined;
}

export class Engine {
  /** The ID that each resource has imported, which state keeps. */
  private readonly importIds = new Map<string, string>();

  constructor(readonly state: State = new Map()) {}

  /** Runs `pulumi up`. */
  up(run: Run, program: readonly Registered[], { target, replace }: Options = {}): Promise<CommandResult> {
    return run.end(async () => {
      const tasks = new Map<string, Promise<boolean>>();
      for (const resource of program) {
        const needed = Object.values(resource.references).map(({ name }) => tasks.get(name));
        const isTargeted = target === undefined || target === resource.slot;
        tasks.set(
          resource.name,
          Promise.all(needed).then((ready) => {
            this.applyAliases(resource);
            if (ready.includes(false) || run.isStopping) return false;
            if (!isTargeted) return this.state.has(resource.name);
            return this.register(resource, run, replace === resource.slot);
          }),
        );
      }
      const results = await Promise.all(tasks.values());
      // After a failure the engine deletes nothing that left the program.
      if (results.includes(false) && target === undefined) return;
      const names = new Set(program.map(({ name }) => name));
      const isObsolete = ([name, { slot }]: [string, StateEntry]) =>
        !names.has(name) && (target === undefined || target === slot);
      await this.deleteAll(
        [...this.state].filter(isObsolete).map(([name]) => name),
        run,
      );
    });
  }

  /** Runs `pulumi refresh`. */
  refresh(run: Run, { target }: Options = {}): Promise<CommandResult> {
    return run.end(async () => {
      const entries = [...this.state].filter(([, { slot }]) => target === undefined || target === slot);
      await Promise.all(
        entries.map(([name, entry]) => run.act(this.state, name, entry, (stack, host) => stack.refresh(host))),
      );
    });
  }

  /** Runs `pulumi destroy`, with `--target-dependents`. */
  destroy(run: Run, { target }: Options = {}): Promise<CommandResult> {
    return run.end(async () => {
      const targets = [...this.state].filter(([, { slot }]) => target === undefined || target === slot);
      const names = new Set(targets.map(([name]) => name));
      for (const [name] of targets) for (const other of this.dependents(name)) names.add(other);
      await this.deleteAll(
        [...this.state.keys()].filter((name) => names.has(name)),
        run,
      );
    });
  }

  private applyAliases({ name, aliases }: Registered): void {
    for (const alias of aliases) {
      const entry = this.state.get(alias);
      if (!entry || this.state.has(name)) continue;
      this.state.delete(alias);
      this.state.set(name, entry);
      for (const other of this.state.values()) {
        for (const reference of Object.values(other.references)) if (reference.name === alias) reference.name = name;
        if (other.deletedWith === alias) other.deletedWith = name;
      }
    }
  }

  private register(resource: Registered, run: Run, isReplaced: boolean): Promise<boolean> {
    const { name, import: imported } = resource;
    const inputs = this.resolve(resource);
    return run.act(this.state, name, resource, async (stack, host) => {
      if (imported !== undefined && resource.provider === "native" && this.isToImport(stack, name, imported))
        return this.importNatively(stack, { ...resource, inputs, import: imported }, host);
      const option = imported === undefined || resource.provider === "native" ? {} : { __import: imported };
      if (!stack.state) return stack.up(inputs, host, option);
      if (isReplaced) {
        // The engine does not ask diff, and checks without the old inputs.
        await stack.check(inputs, host, option, {});
        await this.deleteDependents(name, run);
        await stack.destroy(host);
        return stack.up(inputs, host, option);
      }
      const { replaces = [] } = await stack.diff(inputs, host);
      if (replaces.length > 0) {
        await stack.check(inputs, host, option, {});
        await this.deleteDependents(name, run);
      }
      return stack.up(inputs, host, option);
    });
  }

  /** A program may keep the option after the import, also when the object was replaced since. */
  private isToImport({ state }: Stack, name: string, imported: string): boolean {
    return state?.id !== imported.split("/").at(-1) && (!state || this.importIds.get(name) !== imported);
  }

  /**
   * Reads the object by its ID, checks the program, and updates where they differ. An object that it replaces is
   * deleted at the end of the run.
   */
  private async importNatively(stack: Stack, resource: Registered, host: Lifecycle) {
    const { name, kind, inputs, import: id = "" } = resource;
    const container = inputs.deploymentUrl ?? inputs.deploymentId;
    const replaced = stack.state;
    try {
      await stack.import(isOnAgentServer(kind) && !id.includes("/") ? `${container}/${id}` : id, host);
      const imported = stack.state;
      stack.state = undefined;
      await stack.check(inputs, host, {}, imported?.inputs);
      stack.state = imported;
    } catch (error) {
      stack.state = replaced;
      throw error;
    }
    this.importIds.set(name, id);
    if (replaced) this.state.set(`${name}${REPLACED}`, { ...resource, resource: replaced });
    return stack.up(inputs, host);
  }

  /** The inputs with the outputs that state contains. */
  private resolve({ inputs, references }: Registered): PropertyMap {
    const values = Object.entries(references).map(([input, { name, output }]) => {
      const { resource } = this.state.get(name) ?? {};
      return [input, output === "id" ? resource?.id : resource?.outputs[output]];
    });
    return { ...inputs, ...Object.fromEntries(values) };
  }

  /** Before a resource is replaced, the engine deletes what an unknown reference to it would replace. */
  private async deleteDependents(name: string, run: Run): Promise<void> {
    for (const dependent of this.dependents(name).reverse()) {
      const entry = this.state.get(dependent);
      if (!entry || run.isDone(dependent)) continue;
      const isReplaced = async (stack: Stack, host: Parameters<Stack["up"]>[1]) => {
        const unknowns = Object.keys(entry.references).map((input) => [input, UNKNOWN]);
        const { id, outputs, inputs } = entry.resource;
        const { replaces = [] } = (await host?.diff(id, outputs, { ...inputs, ...Object.fromEntries(unknowns) })) ?? {};
        if (replaces.length > 0) await stack.destroy(host);
      };
      if (!(await run.act(this.state, dependent, entry, isReplaced)))
        throw new Error(`${dependent}, which depends on it, could not be deleted`);
    }
  }

  /** What depends on a resource, directly or not, in the order of state. */
  private dependents(name: string): string[] {
    const names = new Set([name]);
    // State is in the order of creation, but an update may refer to what was created later.
    for (let size = 0; size !== names.size; ) {
      size = names.size;
      for (const [other, { references }] of this.state)
        if (Object.values(references).some((reference) => names.has(reference.name))) names.add(other);
    }
    names.delete(name);
    return [...names];
  }

  /** Deletes in parallel; each after what depends on it. What is deleted with another one sends no request. */
  private async deleteAll(names: readonly string[], run: Run): Promise<void> {
    const tasks = new Map<string, Promise<boolean>>();
    for (const name of [...names].reverse()) {
      const entry = this.state.get(name);
      if (!entry) continue;
      const dependents = this.dependents(name).map((other) => tasks.get(other));
      tasks.set(
        name,
        Promise.all(dependents).then((done) => {
          if (done.includes(false) || run.isStopping) return false;
          const isIncluded = names.includes(entry.deletedWith ?? "");
          return run.act(this.state, name, entry, async (stack, host) => {
            if (!isIncluded) return stack.destroy(host);
            stack.state = undefined;
            return "deleted with another one";
          });
        }),
      );
    }
    await Promise.all(tasks.values());
  }
}
