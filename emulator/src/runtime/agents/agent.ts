import { setTimeout as sleep } from "node:timers/promises";
import type { AgentDescription, AgentStatus } from "../descriptions";
import { type AgentCommands, CommandError, describeCommand } from "./commands";
import { askForGraphs } from "./graphs";
import { freePort } from "./health";
import { type Descriptor, portOwner, stillListens } from "./listeners";
import { isHealthCheck, type Redactor } from "./output";
import { type AgentProcess, describeExit, type Launch, type OutputLine, type Processes } from "./processes";
import { PortTakenError, untilHealthy } from "./startup";

/** How many ports a start tries: other programs may take one before the agent listens. */
const START_PORTS = 3;

/** What an agent of a revision needs to run. */
export interface AgentSpec {
  commands: AgentCommands;
  redact: Redactor;
  /** Returns the program for a port. @throws CommandError */
  launch(port: number): Launch;
  log: { add(line: OutputLine): void; flush(): void; close(): void };
}

/** The agent of one revision: a process that is started, observed, restarted after a crash, and ended. */
export class Agent {
  status: AgentStatus = "starting";
  /** Where it listens, and the sockets by which it does, where the system shows them. */
  address: { host: string; port: number } | undefined;
  private knownGraphs: Promise<string[]> | undefined;
  private descriptors: readonly Descriptor[] | undefined;
  private process: AgentProcess | undefined;
  private restarts = 0;
  private lastExit: string | null = null;
  private openRequests = 0;
  private onIdle: (() => void) | undefined;
  private readonly ending = new AbortController();

  constructor(
    private readonly spec: AgentSpec,
    private readonly processes: Processes,
  ) {}

  /** Starts it, and resolves once it is healthy. @throws CommandError if it exits or the time is over. */
  async start(signal: AbortSignal): Promise<void> {
    try {
      await this.launch(AbortSignal.any([signal, this.ending.signal]));
    } finally {
      // What it printed comes before the reason of a failure.
      this.spec.log.flush();
    }
    void this.supervise();
  }

  /** Starts it again and again until it is healthy. */
  keepRunning(): void {
    void this.supervise();
  }

  /** Marks the begin of a request. Returns a function that marks its end. */
  openRequest(): () => void {
    this.openRequests++;
    return () => {
      this.openRequests--;
      if (this.openRequests === 0) this.onIdle?.();
    };
  }

  /** Ends it after its open requests, at the latest after the time of the file. */
  async end(): Promise<void> {
    const { drain, stop } = this.spec.commands.timeouts;
    this.status = "ending";
    this.ending.abort();
    if (this.openRequests > 0) {
      const waiting = new AbortController();
      this.onIdle = () => waiting.abort();
      await sleep(drain, undefined, { signal: waiting.signal }).catch(() => {});
    }
    await this.process?.end(stop);
    this.spec.log.close();
  }

  /** Returns the graphs of the running process, which is asked once. */
  graphs(): Promise<string[]> {
    if (!this.address || !this.ownsPort()) return Promise.resolve([]);
    this.knownGraphs ??= askForGraphs(this.address);
    return this.knownGraphs;
  }

  /** Whether the process that listens at its port is its own: others may take the port once it is free. */
  ownsPort(): boolean {
    const { address, descriptors, process } = this;
    if (address === undefined || process?.pid === undefined) return false;
    if (descriptors === undefined || stillListens(descriptors)) return true;
    const owner = portOwner(address.port, process.pid);
    if (typeof owner === "object") this.descriptors = owner.descriptors;
    return owner !== "another process";
  }

  private get command(): string {
    return this.spec.redact.apply(describeCommand(this.spec.commands.start));
  }

  describe(): AgentDescription {
    return {
      status: this.status,
      command: this.command,
      port: this.address?.port ?? null,
      pid: this.process?.isAlive ? (this.process.pid ?? null) : null,
      restarts: this.restarts,
      last_exit: this.lastExit,
    };
  }

  /** Restarts it whenever it ends by itself, with growing pauses. */
  private async supervise(): Promise<void> {
    const { pause, longest } = this.spec.commands.restart;
    let next = pause;
    while (!this.ending.signal.aborted) {
      const problem = this.process ? await this.untilCrash(this.process) : undefined;
      if (this.ending.signal.aborted) return;
      // One that ran for a while starts with the shortest pause again.
      if (problem?.ranFor !== undefined && problem.ranFor > longest) next = pause;
      if (problem) await this.pauseAfter(problem.text, next);
      if (problem) next = Math.min(next * 2, longest);
      if (this.ending.signal.aborted) return;
      await this.relaunch();
    }
  }

  private async untilCrash(process: AgentProcess): Promise<{ text: string; ranFor?: number }> {
    const since = performance.now();
    const exit = await process.exited;
    this.address = undefined;
    this.lastExit = describeExit(exit);
    const { lastError } = process;
    const cause = exit.code && lastError !== undefined ? `: ${lastError}` : "";
    return { text: this.failure ?? `The agent ${this.lastExit}${cause}`, ranFor: performance.now() - since };
  }

  /** Why the last start failed. */
  private failure: string | undefined;

  private async pauseAfter(problem: string, pause: number): Promise<void> {
    this.status = "restarting";
    this.spec.log.add({ level: "ERROR", message: `${problem}. It is started again in ${pause / 1000} s` });
    await sleep(pause, undefined, { signal: this.ending.signal }).catch(() => {});
  }

  private async relaunch(): Promise<void> {
    if (this.process) this.restarts++;
    this.failure = undefined;
    try {
      await this.launch(this.ending.signal);
    } catch (error) {
      if (this.ending.signal.aborted) return;
      if (!(error instanceof CommandError)) throw error;
      this.failure = error.message;
      if (this.process === undefined) await this.pauseAfter(error.message, this.spec.commands.restart.longest);
    }
  }

  /** Starts the process and waits until it is healthy; otherwise it is ended. @throws CommandError */
  private async launch(signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.launchOnce(signal);
      } catch (error) {
        if (!(error instanceof PortTakenError) || tries === START_PORTS) throw error;
        this.spec.log.add({ level: "WARNING", message: `${error.message}. It is started again with another port` });
      }
    }
  }

  private async launchOnce(signal: AbortSignal): Promise<void> {
    const { commands, redact, log } = this.spec;
    const port = await freePort();
    signal.throwIfAborted();
    log.add({ level: "INFO", message: `$ ${this.command}` });
    const process = await this.processes.start(this.spec.launch(port), redact, this.startupLog());
    this.process = process;
    try {
      const { host, descriptors } = await untilHealthy(process, port, { commands, redact, signal });
      this.address = { host, port };
      this.descriptors = descriptors;
      this.knownGraphs = undefined;
      this.status = "healthy";
      log.add({ level: "INFO", message: `The agent is healthy at port ${port}` });
    } catch (error) {
      await process.end(commands.timeouts.stop);
      throw error;
    }
  }

  /** Writes what the process prints, but of the many requests for its health while it starts only the first. */
  private startupLog(): (line: OutputLine) => void {
    let looks = 0;
    return (line) => {
      const isRepeated = this.status !== "healthy" && isHealthCheck(line.message) && looks++ > 0;
      if (!isRepeated) this.spec.log.add(line);
    };
  }
}
