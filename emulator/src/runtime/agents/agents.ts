import { logError } from "../text/printable";
import type { Agent } from "./agent";
import { Processes } from "./processes";

/** The agents that run as processes, by the ID of their revision. */
export class Agents {
  readonly processes = new Processes();
  /** The revisions whose agents are being built or started. */
  readonly pending = new Map<string, AbortController>();
  private readonly byRevision = new Map<string, Agent>();
  private readonly retiring = new Set<Promise<void>>();

  find(revisionId: string | null): Agent | undefined {
    return revisionId === null ? undefined : this.byRevision.get(revisionId);
  }

  add(revisionId: string, agent: Agent): void {
    this.byRevision.set(revisionId, agent);
  }

  /** Whether the agent of a revision is being built or started, and has not ended by itself. */
  isStarting(revisionId: string): boolean {
    return this.pending.has(revisionId) || this.byRevision.get(revisionId)?.status === "starting";
  }

  /** The IDs of all revisions that have an agent or are to have one. */
  revisionIds(): string[] {
    return [...new Set([...this.byRevision.keys(), ...this.pending.keys()])];
  }

  get count(): number {
    return this.byRevision.size + this.retiring.size;
  }

  /** Ends the agent of a revision after its open requests, then calls `onEnded`. */
  retire(revisionId: string, onEnded: () => Promise<void>): void {
    this.pending.get(revisionId)?.abort();
    const agent = this.byRevision.get(revisionId);
    this.byRevision.delete(revisionId);
    if (!agent) return;
    const ended = agent.end().then(onEnded);
    this.retiring.add(ended);
    void ended.catch(logError).finally(() => this.retiring.delete(ended));
  }

  /** Ends all agents at once, because the emulator stops. */
  async stop(): Promise<void> {
    const agents = [...this.byRevision.values()];
    this.byRevision.clear();
    const ended = agents.map((agent) => agent.end());
    await this.processes.stop();
    await Promise.allSettled([...ended, ...this.retiring]);
  }
}
