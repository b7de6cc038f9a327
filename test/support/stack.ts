import { isDeepStrictEqual } from "node:util";
import { dynamicToken, nativeToken } from "../../provider/definition/type-token";
import type { Lifecycle } from "../../provider/engine/host/dynamic";
import { RunState } from "../../provider/engine/run/run-state";
import type { PropertyMap } from "../../provider/schema/schema";
import { stubOf } from "../../sdk/nodejs/stub";
import { decryptSecrets, type HostOptions, RESOURCE_HOST, startHost } from "./hosts/resource-host";
import type { Platform } from "./platform";
import { TestClock } from "./time/clock";

export interface StackOptions extends HostOptions {
  /** Logical name of the resource. */
  name?: string;
  /** Type of the component that contains it. */
  parent?: string;
  stack?: string;
  timeouts?: { create?: string; update?: string; delete?: string };
}

export interface ResourceState {
  id: string;
  inputs: PropertyMap;
  outputs: PropertyMap;
  failed: boolean;
}

/** Inputs that check rejected. */
export class CheckError extends Error {
  constructor(readonly failures: { property: string; reason: string }[]) {
    super(failures.map(({ reason }) => reason).join("\n"));
  }
}

/**
 * One resource of one stack, driven as the engine drives it: check, diff, then create, update or replace. State
 * persists between commands; each command is a separate process with its own connection to the server.
 */
export class Stack {
  state: ResourceState | undefined;
  /** Objects that others have replaced, and that are still in state. */
  private readonly replaced: ResourceState[] = [];
  /** Messages on the resource's row, such as `warn: text`. */
  messages: string[] = [];

  constructor(
    private readonly platform: Pick<Platform, "clock" | "url">,
    private readonly options: StackOptions = {},
  ) {}

  get urn(): string {
    const { kind = "Deployment", name = "agent", stack = "dev", parent } = this.options;
    const token = this.isPlugin ? nativeToken(kind) : dynamicToken(kind);
    return `urn:pulumi:${stack}::shop::${parent ? `${parent}$` : ""}${token}::${name}`;
  }

  private get isPlugin(): boolean {
    return (this.options.host ?? RESOURCE_HOST) === "plugin";
  }

  /** Returns a stack with the same resource and no state, as after an interrupted run. */
  fork(options: StackOptions = {}): Stack {
    return new Stack(this.platform, { ...this.options, ...options });
  }

  /** Starts and configures a provider process. @param run What it knows of the run. */
  host(settings: Record<string, string> = {}, run = new RunState()): Lifecycle {
    const options = { ...this.options, config: { ...this.options.config, ...settings } };
    const show = (message: string) => this.messages.push(message);
    return startHost(options, this.platform, { urn: this.urn, show, run });
  }

  /** What the program's side adds to each resource. */
  private get hidden(): PropertyMap {
    const { kind = "Deployment", organization = "acme" } = this.options;
    return { __provider: stubOf(kind), __urn: this.urn, __organization: organization };
  }

  /** Runs `pulumi up`. @returns The step. */
  async up(
    declared: PropertyMap,
    host = this.host(),
    hidden: PropertyMap = {},
  ): Promise<"create" | "same" | "update" | "replace"> {
    const inputs = await this.check(declared, host, hidden);
    if (!this.state) {
      await this.saveResult(inputs, () => host.create(inputs));
      return "create";
    }
    const { id, outputs, failed } = this.state;
    const difference = await host.diff(id, outputs, inputs);
    // Without an answer, the engine compares the inputs.
    const hasChanges = difference.changes ?? !isDeepStrictEqual(this.state.inputs, inputs);
    if (hasChanges && difference.replaces?.length) {
      // The engine checks what it replaces a second time, without the old inputs.
      await this.replaceBy(await this.check(declared, host, hidden, {}), host, !difference.deleteBeforeReplace);
      return "replace";
    }
    const isSame = !hasChanges && !failed;
    if (!isSame) await this.saveResult(inputs, async () => ({ id, ...(await host.update(id, outputs, inputs)) }));
    await this.deleteReplaced(host);
    return isSame ? "same" : "update";
  }

  /** The same. @returns The state after it. */
  async stateAfter(...given: Parameters<Stack["up"]>): Promise<ResourceState> {
    await this.up(...given);
    return stateOf(this);
  }

  /** Deletes what another object has replaced: the engine does so last, and again until it succeeds. */
  private async deleteReplaced(host: Lifecycle): Promise<void> {
    for (let old = this.replaced[0]; old; old = this.replaced[0]) {
      await this.delete(old, host);
      this.replaced.shift();
    }
  }

  /** Replaces without a diff, as `pulumi up --replace`. @param createsFirst Whether without deleteBeforeReplace. */
  async replace(declared: PropertyMap, host = this.host(), createsFirst = false): Promise<void> {
    await this.check(declared, host);
    await this.replaceBy(await this.check(declared, host, {}, {}), host, createsFirst);
  }

  private async replaceBy(inputs: PropertyMap, host: Lifecycle, createsFirst: boolean): Promise<void> {
    const old = this.state;
    if (old && !createsFirst) await this.delete(old, host);
    this.state = undefined;
    try {
      await this.saveResult(inputs, () => host.create(inputs));
    } finally {
      // Without a new object, the old one stays as it is.
      if (createsFirst && !this.state) this.state = old;
      else if (createsFirst && old) this.replaced.push(old);
    }
    await this.deleteReplaced(host);
  }

  /** Runs check. @returns The inputs, with secrets in plain text. @throws CheckError */
  async check(
    declared: PropertyMap,
    host = this.host(),
    hidden: PropertyMap = {},
    olds: PropertyMap = this.state?.inputs ?? {},
  ): Promise<PropertyMap> {
    const { timeouts: __timeouts } = this.options;
    const news = { ...declared, ...this.hidden, ...(__timeouts && { __timeouts }), ...hidden };
    const { inputs, failures } = await host.check(olds, news);
    if (failures?.length) throw new CheckError(failures);
    return decryptSecrets(inputs);
  }

  /** Returns the difference that a preview would show. */
  async diff(declared: PropertyMap, host = this.host()): Promise<{ changes?: boolean; replaces?: string[] }> {
    const { id = "", outputs = {} } = this.state ?? {};
    return host.diff(id, outputs, await this.check(declared, host));
  }

  /** Runs `pulumi refresh`. @returns Whether inputs changed, which is what a refresh shows. */
  async refresh(host = this.host()): Promise<"gone" | "same" | "changed"> {
    const state = stateOf(this);
    const response = await host.read(state.id, state.outputs);
    if (!response.id) {
      this.state = undefined;
      return "gone";
    }
    const remote = { inputs: decryptSecrets(response.inputs), outputs: decryptSecrets(response.props) };
    const { changes } = await host.diff(state.id, remote.outputs, state.inputs);
    this.state = { ...state, ...remote };
    return changes === false ? "same" : "changed";
  }

  /** Runs `Deployment.get` and similar: the remote object becomes the state. */
  async get(id: string, args: PropertyMap = {}, host = this.host()): Promise<ResourceState> {
    const inputs = { ...args, ...this.hidden, __external: true };
    const { props } = await host.read(id, inputs);
    this.state = { id, inputs, outputs: decryptSecrets(props), failed: false };
    return this.state;
  }

  /** Runs `pulumi import` with the native provider, whose read knows only the ID. */
  async import(id: string, host = this.host()): Promise<ResourceState> {
    const response = await host.read(id, { __urn: this.urn });
    const [inputs, outputs] = [decryptSecrets(response.inputs), decryptSecrets(response.props)];
    this.state = { id: String(response.id), inputs, outputs, failed: false };
    return this.state;
  }

  /** Runs `pulumi destroy`. */
  async destroy(host = this.host()): Promise<void> {
    if (this.state) await this.delete(this.state, host);
    this.state = undefined;
  }

  /** Deletes the object. The engine stores customTimeouts itself, and passes them to the native provider. */
  private async delete({ id, outputs }: ResourceState, host: Lifecycle): Promise<void> {
    const { timeouts } = this.options;
    await host.delete(id, this.isPlugin && timeouts ? { ...outputs, __timeouts: timeouts } : outputs);
  }

  /** Saves the result. A partial failure keeps the resource, with new outputs and the previous inputs, if any. */
  private async saveResult(inputs: PropertyMap, act: () => Promise<{ id: string; outs?: PropertyMap }>): Promise<void> {
    try {
      const { id, outs = {} } = await act();
      this.state = { id, inputs, outputs: decryptSecrets(outs), failed: false };
    } catch (error) {
      const { id, properties } = error as { id?: string; properties?: PropertyMap };
      const saved = this.state?.inputs ?? inputs;
      if (id && properties) this.state = { id, inputs: saved, outputs: decryptSecrets(properties), failed: true };
      throw error;
    }
  }
}

/** Returns a stack after its first up. */
export async function startStack(
  platform: Pick<Platform, "clock" | "url">,
  declared: PropertyMap,
  options: StackOptions = {},
): Promise<Stack> {
  const stack = new Stack(platform, options);
  await stack.up(declared);
  return stack;
}

/** Returns a stack without a server, for what a check and a comparison need. */
export const offlineStack = (options: StackOptions = {}): Stack =>
  new Stack({ clock: new TestClock(), url: "https://control.example" }, options);

/** Whether resources run through the host of dynamic resources, which performs the resource option `import`. */
export const isDynamicHost = RESOURCE_HOST === "dynamic";

/** Selects tests of what only the host of dynamic resources does; see plugin/host.ts. */
export const dynamicHostOnly = <T extends { skip: T }>(run: T): T => (isDynamicHost ? run : run.skip);

/** The plugin runs the same code, so through it one of several similar cases is enough. */
export const sampled = <T>(cases: readonly T[]): readonly T[] => (isDynamicHost ? cases : cases.slice(0, 1));

/** Returns the state of a stack. @throws When it is empty. */
export function stateOf(stack: Stack): ResourceState {
  if (!stack.state) throw new Error("the stack holds nothing");
  return stack.state;
}

/** Expects no difference in an up, in a refresh, and in an up after it. */
export async function expectClean(stack: Stack, declared: PropertyMap): Promise<void> {
  const steps = [await stack.up(declared), await stack.refresh(), await stack.up(declared)];
  expect(steps).toEqual(["same", "same", "same"]);
}
