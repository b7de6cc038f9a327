/** What a run writes into a thread. */
import type { Context } from "../../../runtime/context";
import { applyUpdate, type Graph, initialState, withoutOthers } from "../../graphs/built-in";
import {
  addCheckpoint,
  type CheckpointRecord,
  latestOfGraph,
  type NewCheckpoint,
  type State,
  updateTasks,
} from "../../threads/checkpoints";
import type { ThreadRecord } from "../../threads/records";
import type { RunRecord } from "../records";
import { durabilityOf } from "../responses";

/** The node that applies an input. */
export const start = "__start__";

/** The run that a job executes. */
export interface RunStep {
  context: Context;
  thread: ThreadRecord;
  run: RunRecord;
  graph: Graph;
}

/** Where a subgraph writes. */
export type Place = Pick<NewCheckpoint, "namespace" | "parents">;

/** Returns whether a list of nodes, or `*` for all of them, contains a node. */
export function isNamed(names: unknown, node: string): boolean {
  return names === "*" || (Array.isArray(names) && (names.includes(node) || names.includes("*")));
}

/** Returns whether the request of a run stops it after the node that it ran last. */
export function stopsAfter({ request, spans }: RunRecord): boolean {
  const last = spans.at(-1);
  return last !== undefined && isNamed(request.interrupt_after, last.node);
}

export function writeCheckpoint(
  { context, thread, run, graph }: RunStep,
  parent: CheckpointRecord | undefined,
  content: Omit<NewCheckpoint, "graphId" | "run" | "subgraphs">,
): CheckpointRecord {
  const subgraphs = Object.keys(graph.subgraphs ?? {});
  const storesEach = durabilityOf(run.request) !== "exit" || context.settings.agentServer !== "python";
  const isTransient = !storesEach && (content.namespace ?? "") === "";
  return addCheckpoint(context, thread, parent, { ...content, graphId: run.graph_id, run, subgraphs, isTransient });
}

/** Writes an input as two checkpoints, as real servers do: the input itself, and the state that includes it. */
export function writeInput(
  runStep: RunStep,
  base: CheckpointRecord | undefined,
  input: State,
  place: Place = {},
): CheckpointRecord {
  const { context, graph } = runStep;
  const state = base ? stateBefore(runStep, base) : initialState(graph);
  const writes = { [start]: input };
  const written = writeCheckpoint(runStep, base, { state, next: [start], source: "input", writes, ...place });
  updateTask(context, written, start, { result: input });
  const next = applyUpdate(graph, state, input);
  return writeCheckpoint(runStep, written, {
    state: next,
    next: graph.next(next),
    source: "loop",
    writes: null,
    ...place,
  });
}

/** Returns the state of a thread as the graph of a run has it; only the server in Python knows its earlier values. */
function stateBefore({ context, thread, run, graph }: RunStep, base: CheckpointRecord): State {
  if (base.metadata.graph_id === run.graph_id) return base.state;
  const isPython = context.settings.agentServer === "python";
  const own = isPython ? latestOfGraph(context.store, thread, run.graph_id)?.state : {};
  return { ...own, ...withoutOthers(graph, base.state) };
}

export function updateTask({ store }: Context, head: CheckpointRecord, node: string, change: object): void {
  const tasks = head.tasks.map((task) => (task.name === node ? { ...task, ...change } : task));
  updateTasks(store, head, tasks);
}
