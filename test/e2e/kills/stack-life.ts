/** The life of one stack: rounds of commands that are killed, each followed by what the documentation advises. */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { defaultTenantId } from "../../../emulator/src";
import { Random } from "../../chaos/support/random";
import type { CommandResult, RunningCommand } from "../support/cli/cli";
import { CliStack, managed, type State } from "../support/cli/cli-stack";
import { killAll, type ProcessInfo, stillRunning } from "../support/cli/processes";
import { Program } from "../support/programs/program";
import { failedReplacementsIn, importsIn } from "./advice";
import { formatKill, type Kill, randomKill, type Victim } from "./plan";
import { API_KEY, type Declared, FOLDER, type Host, randomProgram, sourceOf } from "./program";
import { Server } from "./server";
import { verify } from "./verify";

const [PROJECT, STACK] = ["kills", "dev"];
const STATE_FILE = `state/.pulumi/stacks/${PROJECT}/${STACK}.json`;
/** How long a provider may outlive its CLI. */
const MAX_SURVIVAL_MS = 5000;
const MAX_ATTEMPTS = 5;
const POLL_MS = 15;
/** Longer, because each poll starts `ps`. */
const PROCESS_POLL_MS = 100;

export interface Totals {
  /** By victim. */
  kills: Map<Victim, number>;
  rounds: number;
  failures: number;
  /** Copies without a marker that killed runs left. */
  copies: number;
  /** How long the last process of a killed run lived. */
  longestMs: number;
  /** Hosts that were killed before they loaded the package, and remain idle. */
  idleHosts: number;
}

export class StackLife {
  private readonly random: Random;
  private readonly host: Host;
  private readonly server: Server;
  private stack!: CliStack;
  private program: readonly Declared[] = [];
  private output = "";

  constructor(
    seed: number,
    private readonly folder: string,
    private readonly totals: Totals,
  ) {
    this.random = new Random(seed);
    this.host = seed % 2 === 0 ? "native" : "dynamic";
    this.server = new Server(join(folder, "server"));
  }

  async start(): Promise<void> {
    const location = { project: PROJECT, stack: STACK, home: this.path("home"), backend: this.path("state") };
    for (const name of ["home", "state", "server"]) await mkdir(this.path(name), { recursive: true });
    await this.server.start();
    const program = await Program.create(this.path("program"), PROJECT);
    if (this.host === "native") await program.usePlugin();
    this.stack = new CliStack(program, location, {
      AGENTGRAPH_CONTROL_PLANE_URL: this.server.url,
      AGENTGRAPH_TRACING_API_URL: this.server.url,
      AGENTGRAPH_TENANT_ID: defaultTenantId,
      AGENTGRAPH_API_KEY: API_KEY,
      AGENTGRAPH_OWNER_ID: "kills",
    });
    await this.stack.init();
    await mkdir(join(program.folder, FOLDER), { recursive: true });
    await writeFile(join(program.folder, FOLDER, "agentgraph.json"), '{"graphs":{"agent":"./graph.py:graph"}}');
  }

  stop(): Promise<void> {
    return this.server.kill();
  }

  /** Kills two to four runs in a row, recovers and verifies. @returns What happened, in one line. */
  async round(): Promise<string> {
    const started = Date.now();
    this.program = randomProgram(this.random, this.server.surroundings);
    await writeFile(join(this.stack.program.folder, FOLDER, "graph.py"), `graph = ${this.random.below(1000)}\n`);
    await this.writeProgram();
    const kills: string[] = [];
    let isDestroyed = false;
    for (let count = 2 + this.random.below(3); count > 0; count--) {
      const kill = randomKill(this.random, kills.length === 0);
      isDestroyed ||= kill.verb === "destroy";
      const isHit = await this.runAndKill(kill);
      kills.push(`${formatKill(kill)}${isHit ? "" : " (ended before)"}`);
    }
    const attempts = await this.recover(isDestroyed || this.random.chance(0.5));
    const copies = await this.verify();
    this.totals.copies += copies;
    this.totals.rounds += 1;
    const left = copies === 0 ? "" : `, ${copies} copies deleted`;
    const seconds = Math.round((Date.now() - started) / 1000);
    return `${this.host}: ${kills.join(" | ")} | ${attempts} up, ${this.program.length} resources${left}, ${seconds} s`;
  }

  /** Destroys the stack. @throws When something remains. */
  async end(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { code, output } = await this.record(await this.stack.destroy());
      if (code === 0) break;
      if (attempt === MAX_ATTEMPTS) throw new Error(`the destroy fails:\n${output}`);
    }
    this.program = [];
    await this.verifyServer();
  }

  /** @returns Whether the command still ran at the moment of the kill, with a process of this role. */
  private async runAndKill(kill: Kill): Promise<boolean> {
    const before = await this.server.countRequests();
    const running = this.startCommand(kill);
    await this.awaitMoment(running, before, kill);
    if (running.hasEnded) return this.finish(running, false);
    const isLoaded = (await this.server.countRequests()) > before;
    const victims = await this.kill(running, kill);
    if (victims === undefined) return this.finish(running, false);
    this.totals.kills.set(kill.victim, (this.totals.kills.get(kill.victim) ?? 0) + 1);
    if (kill.victim !== "cli" && kill.victim !== "group") await this.record(await running.waitForExit());
    this.output += running.output;
    await this.awaitEnd(victims, isLoaded);
    // Only a killed CLI leaves the stack locked, and not at every moment.
    if (kill.victim === "cli" || kill.victim === "group") await this.stack.run("cancel", "--yes");
    return true;
  }

  private async finish(running: RunningCommand, isHit: boolean): Promise<boolean> {
    await this.record(await running.waitForExit());
    return isHit;
  }

  private startCommand({ verb }: Kill): RunningCommand {
    if (verb === "destroy") return this.stack.startDestroy();
    return verb === "refresh" ? this.stack.startRefresh() : this.stack.startUp();
  }

  private async awaitMoment(running: RunningCommand, before: number, { requests, delayMs }: Kill): Promise<void> {
    const target = before + (requests ?? 0);
    while (!running.hasEnded && (await this.server.countRequests()) < target) await pause(POLL_MS);
    await Promise.race([pause(delayMs), running.exited]);
  }

  /** @returns The processes of the run; undefined if it has none of this role. */
  private async kill(running: RunningCommand, { victim, downMs }: Kill): Promise<ProcessInfo[] | undefined> {
    if (victim === "cli") return running.kill();
    if (victim === "group") {
      const processes = await running.kill();
      killAll(processes);
      return processes;
    }
    const processes = await running.processes();
    if (victim === "emulator") {
      await this.server.kill();
      await pause(downMs);
      await this.server.restart();
      return processes;
    }
    const roles = victim === "provider" ? ["host", "plugin"] : [victim];
    const victims = processes.filter(({ role }) => roles.includes(role));
    killAll(victims);
    return victims.length === 0 ? undefined : processes;
  }

  /** Waits until no process with our code runs. @throws When one outlives its CLI. */
  private async awaitEnd(processes: readonly ProcessInfo[], isLoaded: boolean): Promise<void> {
    const started = Date.now();
    const ours = processes.filter(({ role }) => ["host", "launcher", "plugin", "program"].includes(role));
    let left = await stillRunning(ours);
    while (left.length > 0 && Date.now() - started < MAX_SURVIVAL_MS) {
      await pause(PROCESS_POLL_MS);
      left = await stillRunning(ours);
    }
    if (left.length === 0) this.totals.longestMs = Math.max(this.totals.longestMs, Date.now() - started);
    // The language host of Pulumi ends by itself after minutes.
    killAll(await stillRunning(processes));
    if (left.length === 0) return;
    const names = left.map(({ role, args }) => `${role} ${args}`).join("\n");
    if (isLoaded || left.some(({ role }) => role === "plugin")) throw new Error(`processes outlive the CLI:\n${names}`);
    this.totals.idleHosts += 1;
  }

  /** Follows the documentation until the program is live. @returns The number of runs. */
  private async recover(refreshes: boolean): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const run = await this.record(await this.stack.up(...(refreshes ? ["--refresh"] : [])));
      if (run.code === 0) return attempt;
      if (attempt === MAX_ATTEMPTS) throw new Error(`the program does not recover:\n${run.output}`);
      if (run.output.includes("failed to load checkpoint: EOF")) await rm(this.path(`${STATE_FILE}.attrs`));
      if (run.output.includes("pulumi cancel")) await this.stack.run("cancel", "--yes");
      const imports = importsIn(run);
      for (const urn of this.host === "native" ? failedReplacementsIn(run, imports) : [])
        await this.stack.runOrThrow("state", "delete", urn, "--target-dependents", "--yes");
      await this.writeProgram(imports);
    }
  }

  private async verify(): Promise<number> {
    const { pending_operations: pending = [] } = await this.storedState();
    if (pending.length > 0)
      await this.expectNoChanges(this.stack.refresh("--clear-pending-creates", "--expect-no-changes"), "refresh");
    const refresh = pending.length > 0 ? [] : ["--refresh"];
    await this.expectNoChanges(this.stack.up(...refresh, "--expect-no-changes"), "up");
    return this.verifyServer();
  }

  private async expectNoChanges(run: Promise<CommandResult>, what: string): Promise<void> {
    const { code, output } = await this.record(await run);
    if (code !== 0) throw new Error(`the ${what} after the recovery fails or has changes:\n${output}`);
  }

  private async verifyServer(): Promise<number> {
    const { stack, server, program, output } = this;
    const { resources = [] } = await this.storedState();
    return verify({ stack, server, program, output, resources: managed(resources) });
  }

  /** Returns what `pulumi stack export` would show, without starting the CLI. */
  private async storedState(): Promise<State["deployment"]> {
    return JSON.parse(await readFile(this.path(STATE_FILE), "utf8")).checkpoint.latest ?? {};
  }

  private async record(run: CommandResult): Promise<CommandResult> {
    this.output += run.output;
    const [frame] = /.*(dist\/(provider|sdk)|build\/plugin)\/.*:\d+:\d+.*/.exec(run.output) ?? [];
    if (frame) throw new Error(`a run shows a stack trace: ${frame}\n${run.output}`);
    return run;
  }

  private writeProgram(imports: ReadonlyMap<string, string> = new Map()): Promise<void> {
    return this.stack.program.file("index.js", sourceOf(this.program, this.host, imports));
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}
