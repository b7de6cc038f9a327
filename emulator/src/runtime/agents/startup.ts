import { setTimeout as sleep } from "node:timers/promises";
import { type AgentCommands, CommandError, describeCommand } from "./commands";
import { lookAtHealth, pauseAfter, REFUSED } from "./health";
import { type Descriptor, portOwner, portsOf } from "./listeners";
import type { Redactor } from "./output";
import { type AgentProcess, describeExit } from "./processes";

/** What applies while an agent starts. */
interface Startup {
  commands: AgentCommands;
  redact: Redactor;
  signal: AbortSignal;
}

/** Where a healthy agent listens. The sockets are undefined where the system does not show them. */
interface Healthy {
  host: string;
  descriptors: readonly Descriptor[] | undefined;
}

/** Another program took the port between its choice and the start of the agent: another port may work. */
export class PortTakenError extends CommandError {}

/** Waits until `/ok` of a started process returns 200. @throws CommandError that says why it does not. */
export async function untilHealthy(process: AgentProcess, port: number, startup: Startup): Promise<Healthy> {
  const { commands, redact, signal } = startup;
  const fail = (reason: string, Kind = CommandError) => {
    return new Kind(redact.apply(`${reason}. The command is: ${describeCommand(commands.start)}`));
  };
  const since = performance.now();
  const end = AbortSignal.any([signal, AbortSignal.timeout(commands.timeouts.start)]);
  const seen = new Problems();
  for (;;) {
    signal.throwIfAborted();
    if (!process.isAlive)
      throw fail(await describeEnd(process, port), isTaken(process, port) ? PortTakenError : CommandError);
    if (end.aborted) throw fail(describeTimeout(process, port, commands, seen));
    const health = await lookAtHealth(port, end);
    if ("host" in health && process.isAlive) {
      const owner = commands.portOwner === "any" ? undefined : portOwner(port, process.pid ?? 0);
      if (owner === "another process") throw fail(takenBy(port), PortTakenError);
      if (owner !== "nobody") return { host: health.host, descriptors: owner?.descriptors };
    } else if ("problem" in health && !end.aborted) seen.add(health.problem);
    const pause = pauseAfter(performance.now() - since);
    await Promise.race([process.exited, sleep(pause, undefined, { signal: end }).catch(() => {})]);
  }
}

/** The problems that an agent had while it started: the last one, and how often it came. */
class Problems {
  last = REFUSED;
  private readonly counts = new Map<string, number>();

  add(problem: string): void {
    this.last = problem;
    this.counts.set(problem, (this.counts.get(problem) ?? 0) + 1);
  }

  get count(): number {
    return this.counts.get(this.last) ?? 0;
  }
}

const PORT_HELP = "read the port from the variable PORT, or write {port} in the command";

async function describeEnd(process: AgentProcess, port: number): Promise<string> {
  const exit = describeExit(await process.exited);
  const { lastError } = process;
  const text = `The agent ${exit} before /ok returned 200${lastError === undefined ? "" : `: ${lastError}`}`;
  if (isTaken(process, port)) return `${text}. Another program took port ${port} before the agent listened`;
  const help = `. The live revision or another program uses this port: ${PORT_HELP}`;
  return ADDRESS_IN_USE.test(lastError ?? "") ? `${text}${help}` : text;
}

const ADDRESS_IN_USE = /EADDRINUSE|address already in use/i;

/** Whether a process ended because the port that it was given is in use. */
function isTaken({ lastError = "" }: AgentProcess, port: number): boolean {
  return ADDRESS_IN_USE.test(lastError) && new RegExp(`\\b${port}\\b`).test(lastError);
}

function describeTimeout(process: AgentProcess, port: number, { timeouts }: AgentCommands, seen: Problems): string {
  const times = seen.count > 1 ? ` (${seen.count} times)` : "";
  const text = `/ok did not return 200 at port ${port} within ${timeouts.start / 1000} s: ${seen.last}${times}`;
  if (seen.last !== REFUSED) return text;
  const ports = portsOf(process.pid ?? 0);
  return ports.length === 0 ? text : `${text}. The agent listens at port ${ports.join(", ")}: ${PORT_HELP}`;
}

function takenBy(port: number): string {
  const help = "If it works for the agent, as a container engine does, set port_owner: any in the agents file";
  return `Another process took port ${port} before the agent listened, and gets no requests. ${help}`;
}
