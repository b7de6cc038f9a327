/** The world of a schedule: the program and its state, the server behind the proxy, and what belongs to others. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PropertyMap } from "../../../provider/schema/schema";
import { Engine, type Registered } from "./engine/engine";
import { PulumiProcess } from "./engine/process";
import { type CommandResult, Run } from "./engine/run";
import type { Slot } from "./kinds";
import { answerOf } from "./kinds/deployment";
import { Declarations } from "./program/declarations";
import type { FaultSpec, OutsideAct, PulumiStep, Schedule, Step } from "./program/schedule";
import { forget, importAgain, inputsWith } from "./program/state-changes";
import { FaultPlan } from "./server/faults";
import { Others } from "./server/others";
import { FaultyProxy, type ProxiedRequest } from "./server/proxy";
import { Server } from "./server/server";
import { Strangers } from "./server/strangers";
import { VirtualTime } from "./server/virtual-time";
import { verifyAnswers } from "./verification/answers";
import { verifyCreatedOnce } from "./verification/created-once";

const MINUTE_MS = 60_000;

/**
 * Bounds of one command. Polls of rollouts count as requests where there are more of them per hour than two that hang
 * need.
 */
const [MAX_REQUESTS, EXPECTED_POLLS_PER_HOUR, MAX_HOURS] = [600, 1000, 3];
const isPoll = ({ method, url }: { method: string; url: string }) =>
  method === "GET" && /^\/v2\/deployments\/[^/]+\/revisions\/[^/?]+$/.test(url);

type Command = Omit<PulumiStep, "faults"> & { faults?: PulumiStep["faults"] };

export class World {
  readonly engine = new Engine();
  /** Every action, for the analysis of a failure. */
  readonly log: string[] = [];
  /** All that was shown. */
  readonly messages: string[] = [];
  /** All that was stored or shown without encryption. */
  readonly plainTexts: string[] = [];
  readonly counts = { commands: 0, faults: 0, deaths: 0 };
  hadTwoRuns = false;
  hadFailedLists = false;
  private clockOffsetMs = 0;
  private readonly strangers: Strangers;

  private constructor(
    readonly server: Server,
    readonly proxy: FaultyProxy,
    private readonly time: VirtualTime,
    readonly others: Others,
    private readonly folder: string,
    readonly declarations: Declarations,
    readonly masksSecrets: boolean,
  ) {
    this.strangers = new Strangers(server, others);
  }

  static async start(schedule: Schedule): Promise<World> {
    const server = await Server.start();
    const time = new VirtualTime(server);
    const emulator = {
      port: () => Number(new URL(server.url).port),
      restart: () => server.restart(),
      answerOf: (id: string) => answerOf(server, id),
    };
    const masksSecrets = schedule.masksSecrets === true;
    const proxy = await FaultyProxy.start(emulator, time, masksSecrets);
    const folder = mkdtempSync(join(tmpdir(), "agentgraph-chaos-"));
    const declarations = new Declarations(schedule);
    return new World(server, proxy, time, await Others.start(server), folder, declarations, masksSecrets);
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The program as it is registered with the engine. */
  get program(): Registered[] {
    const { emulator } = this.server;
    return this.declarations.register({ ...this.others.ids, emulator, url: this.proxy.url, folder: this.folder });
  }

  async perform(step: Step): Promise<void> {
    const { changes = [] } = step as PulumiStep;
    for (const spec of changes) await this.perform({ do: "change", to: spec });
    if (step.do !== "two ups" && "faults" in step) return this.command(step);
    this.addLog(JSON.stringify(step));
    switch (step.do) {
      case "two ups":
        return this.runTwice(step.faults);
      case "change":
        return this.declarations.set(step.to);
      case "remove":
        return this.declarations.remove(this.declarations.slotFor(step.slot));
      case "rename":
        return this.declarations.rename(this.declarations.slotFor(step.slot), step);
      case "move into service":
      case "move out of service":
        return this.declarations.setService(step.slot, { exists: step.do === "move into service", alias: step.alias });
      case "forget":
        return forget(this.engine.state, this.declarations, this.declarations.slotFor(step.slot), step.import);
      case "move":
        return this.declarations.setProvider(this.declarations.slotFor(step.slot), step.to);
      case "import again":
        return importAgain(this.engine.state, this.declarations, this.declarations.slotFor(step.slot), step.with);
      case "outside":
        return this.actOutside(this.declarations.slotFor(step.slot), step.act);
      case "revision fails":
        return void (await this.server.emulator.faults.add({ revision: { ends: step.ends } }));
      case "revisions hang":
        return void (await this.server.emulator.faults.add({ hold: { status: step.status } }));
      case "export run fails":
        return void (await this.server.emulator.faults.add({ export_run: { error: "the bucket is full" } }));
      case "time passes":
        return this.server.advance(step.minutes * MINUTE_MS);
      case "clock jumps":
        this.clockOffsetMs += step.minutes * MINUTE_MS;
        return;
      case "emulator restarts":
        return this.server.restart();
    }
  }

  async calmDown(): Promise<void> {
    await this.server.emulator.faults.clear();
    this.clockOffsetMs = 0;
    await this.server.advance(15 * MINUTE_MS);
  }

  private async command({ do: what, faults = [], target, ...options }: Command): Promise<void> {
    const onDeclared = { ...options, target: target && this.declarations.slotFor(target) };
    if (what.includes("refresh")) {
      const { errors, died } = await this.run(what, { ...onDeclared, do: "refresh", faults });
      if (what === "refresh" || errors.size > 0 || died) return;
    }
    await this.run(what, { ...onDeclared, do: what === "destroy" ? what : "up", faults });
  }

  /** Runs a command of Pulumi in a separate process. */
  async run(label: string, command: Command): Promise<CommandResult> {
    const result = await this.withFaults(command.faults, () => this.runOn(this.engine, label, command));
    if (command.do.startsWith("up")) await verifyAnswers(this.server, this.engine.state, result);
    return result;
  }

  /** Two pipelines run one program at once, each with a separate state; that of the second one is lost. */
  private async runTwice(faults: readonly FaultSpec[]): Promise<void> {
    this.hadTwoRuns = true;
    const second = new Engine(structuredClone(this.engine.state));
    const up: Command = { do: "up", continueOnError: true };
    await this.withFaults(faults, () =>
      Promise.all([this.runOn(this.engine, "first of two", up), this.runOn(second, "second of two", up)]),
    );
  }

  private async withFaults<T>(faults: readonly FaultSpec[] = [], run: () => Promise<T>): Promise<T> {
    const plan = new FaultPlan(
      faults.map((fault) => ({ ...fault, of: fault.of && this.declarations.slotFor(fault.of) })),
    );
    this.proxy.faults = plan;
    const result = await run();
    this.proxy.faults = undefined;
    this.counts.faults += plan.count;
    return result;
  }

  private async runOn(
    engine: Engine,
    label: string,
    { do: what, target, replace, continueOnError }: Command,
  ): Promise<CommandResult> {
    const process = new PulumiProcess(this.time, this.clockOffsetMs);
    const run = new Run(process, this.proxy, join(this.folder, "runs"), continueOnError ?? false);
    const start = this.time.now();
    const on = { target, replace: replace && this.declarations.slotFor(replace) };
    const perform = {
      up: () => engine.up(run, this.program, on),
      "up --refresh": () => engine.up(run, this.program, on),
      refresh: () => engine.refresh(run, on),
      destroy: () => engine.destroy(run, on),
    };
    const result = await perform[what]();
    if (result.died) run.saveDeletions(engine.state);
    // A person starts the next command long after the server is done with what this one sent.
    await this.proxy.idle();
    const requests = this.proxy.takeRequestsOf(process);
    const options = `${target ? ` --target ${target}` : ""}${replace ? ` --replace ${replace}` : ""}`;
    this.note(label + options, result, requests);
    this.counts.commands += 1;
    if (result.died) this.counts.deaths += 1;
    const hours = (this.time.now() - start) / 3_600_000;
    const polls = Math.min(requests.filter(isPoll).length, hours * EXPECTED_POLLS_PER_HOUR);
    if (process.requestCount - polls > MAX_REQUESTS || hours > MAX_HOURS)
      throw new Error(`${label} sent ${process.requestCount} requests in ${hours.toFixed(1)} hours`);
    return result;
  }

  addLog(...lines: string[]): void {
    this.log.push(...lines);
    if (process.env.CHAOS_TRACE) process.stderr.write(`${lines.join("\n")}\n`);
  }

  private note(
    label: string,
    { done, errors, rows, died, plainTexts }: CommandResult,
    requests: readonly ProxiedRequest[],
  ): void {
    const texts = [...errors].map(([name, error]) => `${name}: ${messageOf(error)}`);
    const warnings = rows.filter((row) => !row.startsWith("progress"));
    const faulty = requests.filter(({ fault }) => fault);
    this.hadFailedLists ||= faulty.some(({ method, url }) => method === "GET" && LISTS.test(url));
    const injected = faulty.map((one) => `${one.slot}: ${one.method} ${one.url} ${one.fault}`);
    this.addLog(...injected.map((text) => `  injected ${text}`));
    this.addLog(`${label}${died ? ": died" : ""} ${JSON.stringify([...done])}`, ...texts, ...warnings);
    this.messages.push(...texts, ...rows);
    this.plainTexts.push(...plainTexts);
    verifyCreatedOnce(requests);
  }

  /** The inputs that a resource declares, with what state has of those that it refers to. */
  inputsOf(declared: Pick<Registered, "inputs" | "references">): PropertyMap {
    return inputsWith(this.engine.state, declared);
  }

  private async takeIdentity(slot: Slot): Promise<void> {
    const declared = this.program.find((one) => one.slot === slot);
    if (!declared) return;
    const entry = this.engine.state.get(declared.name);
    const done = await this.strangers.take({ kind: declared.kind, inputs: this.inputsOf(declared), entry });
    if (done) this.addLog(`  ${done}`);
  }

  private async actOutside(slot: Slot, act: OutsideAct): Promise<void> {
    if (act === "takes") return this.takeIdentity(slot);
    const entry = this.engine.state.get(this.declarations.nameOf(slot).name);
    if (entry) this.addLog(`  ${await this.others.act(act, entry)}`);
  }
}

/** The message of an init error contains no cause; its `reasons` do. */
export const messageOf = (error: Error): string =>
  (error as { reasons?: string[] }).reasons?.join("\n") ?? error.message;

/** Lists of exports and of destinations. */
const LISTS = /^\/api\/v1\/bulk-exports(\/destinations)?(\?|$)/;
