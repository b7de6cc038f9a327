import { definitions } from "../../provider/definitions";
import { type Lifecycle, lifecycle } from "../../provider/engine/lifecycle";
import { RunMemory } from "../../provider/engine/run-memory";
import type { PropertyMap } from "../../provider/schema/schema";
import { stubOf, tokenOf } from "../../sdk/stub";
import type { Platform } from "./platform";

export interface Options {
  kind?: string;
  /** Logical name of the resource. */
  name?: string;
  stack?: string;
  organization?: string;
  /** Settings, without the `agentgraph:`. */
  config?: Record<string, string>;
  timeouts?: { create?: string; update?: string; delete?: string };
}

export interface Held {
  id: string;
  inputs: PropertyMap;
  outputs: PropertyMap;
  failed: boolean;
}

/** Inputs that check refused. */
export class Refused extends Error {
  constructor(readonly failures: { property: string; reason: string }[]) {
    super(failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
  }
}

let processes = 0;

/**
 * One resource of one stack, driven as the engine drives it: check, diff, then create, update or replace; state is kept
 * between commands, each of which is a process of its own with its own connection to the service.
 */
export class Stack {
  held: Held | undefined;
  /** Everything that was shown on the resource's row, as `warn: text`. */
  rows: string[] = [];

  constructor(
    private readonly platform: Pick<Platform, "clock" | "url">,
    private readonly options: Options = {},
  ) {}

  get urn(): string {
    const { kind = "Deployment", name = "agent", stack = "dev" } = this.options;
    return `urn:pulumi:${stack}::shop::${tokenOf(kind)}::${name}`;
  }

  /** A stack with the same resource and no state: what an interrupted run leaves behind. */
  twin(options: Options = {}): Stack {
    return new Stack(this.platform, { ...this.options, ...options });
  }

  /** A process of the engine's host, configured. */
  host(settings: Record<string, string> = {}): Lifecycle {
    const definition = definitions.find(({ kind }) => kind === (this.options.kind ?? "Deployment"));
    if (!definition) throw new Error(`there is no ${this.options.kind}`);
    const say = (kind: string) => (_urn: string, text: string) => void this.rows.push(`${kind}: ${text}`);
    const report = { progress: say("progress"), info: say("info"), warn: say("warn"), flush: async () => {} };
    const host = lifecycle(definition, { clock: this.platform.clock, report, memory: new RunMemory() });
    const config: Record<string, string> = {
      controlPlaneUrl: this.platform.url,
      apiKey: `process-${processes++}`,
      ...this.options.config,
      ...settings,
    };
    host.configure({ config: { get: (key: string) => config[key.replace("agentgraph:", "")] } } as never);
    return host;
  }

  /** `pulumi up`: what it did. */
  async up(
    declared: PropertyMap,
    host = this.host(),
    hidden: PropertyMap = {},
  ): Promise<"create" | "same" | "update" | "replace"> {
    const inputs = await this.check(declared, host, hidden);
    if (!this.held) {
      await this.create(inputs, host);
      return "create";
    }
    const { id, outputs, failed } = this.held;
    const difference = await host.diff(id, outputs, inputs);
    if (difference.replaces?.length) {
      // The engine checks what it replaces a second time, without the old inputs.
      const anew = await this.check(declared, host, hidden, {});
      await host.delete(id, outputs);
      this.held = undefined;
      await this.create(anew, host);
      return "replace";
    }
    if (difference.changes === false && !failed) return "same";
    await this.keep(inputs, async () => ({ id, outs: (await host.update(id, outputs, inputs)).outs ?? {} }));
    return "update";
  }

  /** What the engine hands on after check: everything in clear. */
  async check(
    declared: PropertyMap,
    host = this.host(),
    hidden: PropertyMap = {},
    olds: PropertyMap = this.held?.inputs ?? {},
  ): Promise<PropertyMap> {
    const { kind = "Deployment", organization = "acme", timeouts } = this.options;
    const news = {
      ...declared,
      __provider: stubOf(kind),
      __urn: this.urn,
      __organization: organization,
      ...(timeouts && { __timeouts: timeouts }),
      ...hidden,
    };
    const { inputs, failures } = await host.check(olds, news);
    if (failures?.length) throw new Refused(failures);
    return inClear(inputs) as PropertyMap;
  }

  /** What a preview would change. */
  async diff(declared: PropertyMap, host = this.host()): Promise<{ changes?: boolean; replaces?: string[] }> {
    const { id = "", outputs = {} } = this.held ?? {};
    return host.diff(id, outputs, await this.check(declared, host));
  }

  /** `pulumi refresh`: whether inputs moved, which is what a refresh shows. */
  async refresh(host = this.host()): Promise<"gone" | "same" | "changed"> {
    if (!this.held) throw new Error("nothing is held");
    const { id, inputs, outputs } = this.held;
    const seen = await host.read(id, outputs);
    if (!seen.id) {
      this.held = undefined;
      return "gone";
    }
    const fresh = {
      ...this.held,
      inputs: inClear(seen.inputs) as PropertyMap,
      outputs: inClear(seen.props) as PropertyMap,
    };
    const { changes } = await host.diff(id, fresh.outputs, inputs);
    this.held = fresh;
    return changes === false ? "same" : "changed";
  }

  /** `Deployment.get` and the like: what the server holds becomes the state. */
  async get(id: string, given: PropertyMap = {}, host = this.host()): Promise<Held> {
    const { kind = "Deployment", organization = "acme" } = this.options;
    const hidden = { __provider: stubOf(kind), __urn: this.urn, __organization: organization, __external: true };
    const { props } = await host.read(id, { ...given, ...hidden });
    this.held = { id, inputs: { ...given, ...hidden }, outputs: inClear(props) as PropertyMap, failed: false };
    return this.held;
  }

  /** `pulumi destroy`. */
  async destroy(host = this.host()): Promise<void> {
    if (!this.held) return;
    await host.delete(this.held.id, this.held.outputs);
    this.held = undefined;
  }

  private create(inputs: PropertyMap, host: Lifecycle): Promise<void> {
    return this.keep(inputs, () => host.create(inputs));
  }

  /** Partial failures keep the resource: new outputs, and the old inputs where there are any. */
  private async keep(inputs: PropertyMap, act: () => Promise<{ id: string; outs?: PropertyMap }>): Promise<void> {
    try {
      const { id, outs = {} } = await act();
      this.held = { id, inputs, outputs: inClear(outs) as PropertyMap, failed: false };
    } catch (error) {
      const { id, properties } = error as { id?: string; properties?: PropertyMap };
      if (id && properties) {
        const kept = this.held?.inputs ?? inputs;
        this.held = { id, inputs: kept, outputs: inClear(properties) as PropertyMap, failed: true };
      }
      throw error;
    }
  }
}

/** Returns what a stack holds; fails the test when it holds nothing. */
export function heldBy(stack: Stack): Held {
  if (!stack.held) throw new Error("the stack holds nothing");
  return stack.held;
}

/** How the engine marks a secret. Written out: most tests would load the SDK of Pulumi for these two words alone. */
const [SIGNATURE, SECRET] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

/** As it crosses the wire, with every secret unwrapped. */
export function inClear(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part) => (part?.[SIGNATURE] === SECRET ? part.value : part));
}
