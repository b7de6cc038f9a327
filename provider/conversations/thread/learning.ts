/** What the replays of conversations show of their graphs: a try uses what earlier ones have shown. */
import { isSameJson } from "../lossless-json";
import type { Checkpoint, Superstep } from "../server/conversation-server";
import type { Graphs } from "../server/graphs";
import { keptValues } from "./compare-lines";
import { changedKeys, planLine, unexplainedOf, usualWriter, type Writer } from "./plan";
import type { Conversation } from "./read-thread";

/** What the restored threads of a graph have shown. */
interface LearnedGraph {
  /** Nodes that jump. */
  jumping: Set<string>;
  /** Channels that add up. */
  reducing: Set<string>;
  /** By task and next nodes, who wrote what no task shows. */
  writers: Map<string, Writer>;
}

export type LearnedGraphs = Map<string, LearnedGraph>;

/** What was used in a try: other threads of the graph learn at the same time. */
type Used = Pick<LearnedGraph, "jumping" | "reducing">;

export class Learning {
  private readonly unexplained: Set<number>;
  private readonly writers = new Map<number, Writer>();
  private readonly untried = new Map<number, Writer[]>();
  private readonly graph: LearnedGraph;

  constructor(
    private readonly conversation: Conversation,
    private readonly line: readonly Checkpoint[],
    private readonly options: { target: { isPython: boolean }; graphs: Graphs; learned: LearnedGraphs },
  ) {
    const { graphId = "", history } = conversation;
    this.graph = options.learned.get(graphId) ?? { jumping: new Set(), reducing: new Set(), writers: new Map() };
    options.learned.set(graphId, this.graph);
    this.unexplained = unexplainedOf(line, history);
  }

  plan(): { supersteps: Superstep[]; used: Used } {
    this.useKnownWriters();
    const used = { jumping: new Set(this.graph.jumping), reducing: new Set(this.graph.reducing) };
    const { unexplained, writers, conversation, options } = this;
    const learned = { isPython: options.target.isPython, ...used, unexplained, writers, inputs: conversation.inputs };
    return { supersteps: planLine(this.line, learned), used };
  }

  /** Takes who wrote the same step of an earlier thread for the writer. */
  private useKnownWriters(): void {
    for (const index of this.unexplained) {
      const known = this.graph.writers.get(this.stepOf(index));
      if (known && !this.writers.has(index)) this.writers.set(index, known);
    }
  }

  private stepOf(index: number): string {
    const [before, after] = this.line.slice(index - 1);
    return JSON.stringify([before?.tasks[0]?.name, after?.next]);
  }

  /** Returns whether the first difference shows something that another try can use. */
  async learn(written: readonly Checkpoint[], used: Used): Promise<boolean> {
    const { line } = this;
    const changed = (state: Checkpoint, other: Checkpoint | undefined) =>
      changedKeys(this.kept(state), other && this.kept(other));
    const other = line.findIndex((state, index) => changed(state, written[index]).length > 0);
    if (other > 0 && this.learnValues(other, changed(line[other] as Checkpoint, written[other]), used)) return true;
    const first = line.findIndex(
      (state, index) => !isSameJson([...state.next].sort(), [...(written[index]?.next ?? [])].sort()),
    );
    const before = line[first - 1];
    if (!before) return false;
    if (this.learnJoin(first, written)) return true;
    if (this.unexplained.has(first)) return this.learnWriter(first, before);
    const names = before.tasks.map(({ name }) => name).filter((name) => !used.jumping.has(name));
    for (const name of names) this.graph.jumping.add(name);
    return names.length > 0;
  }

  private kept(state: Checkpoint): unknown {
    return keptValues(state, this.options.target.isPython);
  }

  private learnValues(index: number, changed: readonly string[], { reducing }: Used): boolean {
    if (!this.unexplained.has(index)) {
      this.unexplained.add(index);
      return true;
    }
    const keys = changed.filter((key) => !reducing.has(key));
    for (const key of keys) this.graph.reducing.add(key);
    return keys.length > 0;
  }

  /** Servers in JavaScript run a node that waits for several others once more where what these wrote was restored. */
  private learnJoin(index: number, written: readonly Checkpoint[]): boolean {
    const [expected, before] = [this.line[index], this.line[index - 1]];
    const isStuck = (name: string) => before?.next.includes(name) && !expected?.next.includes(name);
    const node = written[index]?.next.find(isStuck);
    if (node === undefined || this.unexplained.has(index - 1) || index < 2) return false;
    this.unexplained.add(index - 1);
    this.writers.set(index - 1, { node, jumps: true });
    return true;
  }

  /** Chooses another writer: a node with edges to the next ones, the usual one with a jump, or any other. */
  private async learnWriter(index: number, before: Checkpoint): Promise<boolean> {
    const { node: usual } = usualWriter(before);
    const untried = this.untried.get(index) ?? (await this.writersOf(index, usual));
    const [writer, ...rest] = untried;
    this.untried.set(index, rest);
    if (!writer) return false;
    this.writers.set(index, writer);
    this.graph.writers.set(this.stepOf(index), writer);
    return true;
  }

  private async writersOf(index: number, usual: string): Promise<Writer[]> {
    const { options, conversation, line } = this;
    const nodes = await options.graphs.nodesBefore(conversation.graphId, line[index]?.next ?? []);
    const [first, ...others] = nodes.filter((node) => node !== usual).map((node) => ({ node, jumps: false }));
    const jump = usual.startsWith("__") ? [] : [{ node: usual, jumps: true }];
    return [...(first ? [first] : []), ...jump, ...others];
  }
}
