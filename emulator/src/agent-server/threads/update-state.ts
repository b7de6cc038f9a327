import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { isObject } from "../../runtime/validation/validator";
import { unknownGraph } from "../assistants/find";
import { applyUpdate, builtInGraphs, type Graph, initialState } from "../graphs/built-in";
import { findGraph } from "../graphs/of-deployment";
import type { Agent } from "../requests/auth";
import { traitsOf } from "../server/server-traits";
import { addCheckpoint, type CheckpointRecord, latestCheckpoint, type State, updateTasks } from "./checkpoints";
import { type ThreadRecord, updateThread } from "./records";

/** A state update on behalf of a node: its `values`, or a command with `update` and `goto`. */
export interface StateUpdate {
  values?: State | null;
  command?: Record<string, unknown> | null;
  as_node?: string;
}

/** Names that are not nodes: an input, its start, the end, and a copy of a checkpoint. */
const inputNode = "__input__";
const startNode = "__start__";
const endNode = "__end__";
const copyNode = "__copy__";

/** The graph of a thread is unknown, or it has none. */
export class GraphError extends ApiError {}

/** Returns the graph of a thread. @throws GraphError 400 if it has none. */
function graphOfThread(context: Context, agent: Agent, thread: ThreadRecord): { graphId: string; graph: Graph } {
  const { graph_id } = thread.metadata;
  // The interface defines no errors for graphs and nodes.
  if (context.settings.interfaceOnly) return assumedGraph(context, agent, graph_id);
  if (typeof graph_id !== "string") throw new GraphError(400, missingGraph(context, thread));
  const graph = findGraph(context, agent, graph_id);
  if (graph) return { graphId: graph_id, graph };
  const { message } = unknownGraph(context, agent, graph_id);
  throw new GraphError(traitsOf(context).explainsSupersteps ? 400 : 404, message);
}

function missingGraph(context: Context, { id }: ThreadRecord): string {
  if (!traitsOf(context).explainsSupersteps) return `Thread ${id} has no graph ID`;
  return (
    `Thread '${id}' has no assigned graph ID: no run has been made on it, and its metadata has no graph_id. ` +
    "Make a run, or update the metadata, before this operation."
  );
}

function assumedGraph(context: Context, agent: Agent, graphName: unknown): { graphId: string; graph: Graph } {
  const graphId = typeof graphName === "string" ? graphName : "echo";
  return { graphId, graph: { ...(findGraph(context, agent, graphId) ?? builtInGraphs.echo), acceptsAnyNode: true } };
}

/**
 * Applies supersteps in order, each as one checkpoint (API `2B.Superstep:order`). @throws ApiError if one cannot be
 * applied.
 */
export function applySupersteps(
  context: Context,
  agent: Agent,
  thread: ThreadRecord,
  supersteps: readonly { updates: StateUpdate[] }[],
): void {
  for (const { updates } of supersteps) {
    applyUpdates(context, agent, thread, { updates, base: latestCheckpoint(context.store, thread) });
  }
}

/** Creates one checkpoint after `base` from one or several updates. */
export function applyUpdates(
  context: Context,
  agent: Agent,
  thread: ThreadRecord,
  {
    updates,
    base,
    namespace = "",
  }: { updates: readonly StateUpdate[]; base: CheckpointRecord | undefined; namespace?: string },
): CheckpointRecord {
  const { graphId, graph: outer } = graphOfThread(context, agent, thread);
  const graph = graphAt(outer, namespace);
  const around = latestCheckpoint(context.store, thread);
  const parents: Record<string, string> = namespace === "" || !around ? {} : { "": around.id };
  const place = { graphId, namespace, parents, subgraphs: Object.keys(graph.subgraphs ?? {}) };
  if (updates.length === 0) throw new ApiError(400, "A superstep needs at least one update");
  const namedUpdates = updates.map((update) => ({ ...update, as_node: update.as_node ?? lastNode(graph, base) }));
  const special = namedUpdates.find(({ as_node }) => [inputNode, endNode, copyNode].includes(as_node));
  if (special && namedUpdates.length > 1)
    throw new ApiError(400, `An update as ${special.as_node} must be the only one in its superstep`);
  for (const { as_node, command } of namedUpdates) {
    requireNode(graph, as_node);
    for (const node of targetsOf(command) ?? []) requireNode(graph, node);
  }
  const previousState = base?.state ?? initialState(graph);
  const [first] = namedUpdates;
  if (first?.as_node === copyNode) {
    const next = base?.next ?? [];
    return addCheckpoint(context, thread, base, { state: previousState, next, source: "fork", writes: null, ...place });
  }
  // The start node applies an input (API `2B.Superstep:input`); that there are such names is not described.
  const isPending = first?.as_node === inputNode && !context.settings.interfaceOnly;
  const applied = isPending ? [] : namedUpdates;
  const state = applied.reduce((current, update) => applyUpdate(graph, current, valuesOf(update)), previousState);
  const writes = Object.fromEntries(namedUpdates.map((update) => [update.as_node, valuesOf(update)]));
  const source = first?.as_node === inputNode ? "input" : "update";
  if (base && traitsOf(context).keepsResults) noteResults(context, base, writes);
  return addCheckpoint(context, thread, base, {
    state,
    next: nextNodes(graph, state, namedUpdates),
    source,
    writes,
    ...place,
  });
}

/** The tasks that updates replace show what these wrote. */
function noteResults({ store }: Context, base: CheckpointRecord, writes: Record<string, State | null>): void {
  const tasks = base.tasks.map((task) => ({ ...task, result: writes[task.name] ?? task.result }));
  updateTasks(store, base, tasks);
}

/** Returns the subgraph of a namespace: the names of nodes, each with or without the ID of a task. @throws ApiError */
function graphAt(graph: Graph, namespace: string): Graph {
  if (namespace === "") return graph;
  const [first = "", ...rest] = namespace.split("|");
  const inner = graph.subgraphs?.[first.split(":", 1)[0] ?? ""];
  if (inner) return graphAt(inner, rest.join("|"));
  throw new ApiError(400, `Subgraph ${first} not found`);
}

/** Sets the status that follows from the state (API `3.Thread status:order`). */
export function updateStatus(context: Context, thread: ThreadRecord, head: CheckpointRecord | undefined): void {
  updateThread(context, thread, { status: head && head.next.length > 0 ? "interrupted" : "idle", error: null });
}

function valuesOf({ values, command }: StateUpdate): State | null {
  return values ?? updateOf(command);
}

/** Returns what a command updates: an object, or a list of pairs of a name and a value. */
export function updateOf(command: Record<string, unknown> | null | undefined): State | null {
  const update = command?.update;
  if (isObject(update)) return update;
  return Array.isArray(update) ? Object.fromEntries(update.filter(Array.isArray)) : null;
}

function nextNodes(graph: Graph, state: State, updates: readonly (StateUpdate & { as_node: string })[]): string[] {
  const next = updates.flatMap(({ as_node, command }) => {
    const targets = targetsOf(command);
    if (targets) return targets;
    if (as_node === endNode) return [];
    if (as_node === inputNode) return [startNode];
    return graph.next(state, as_node === startNode ? undefined : as_node);
  });
  return [...new Set(next)];
}

/** Returns the nodes that a command goes to, some with a separate input; undefined where it names none. */
export function targetsOf(command: Record<string, unknown> | null | undefined): string[] | undefined {
  const targets = [command?.goto ?? []].flat().map((target) => (isObject(target) ? target.node : target));
  const names = targets.filter((name) => typeof name === "string");
  return names.length > 0 ? names : undefined;
}

/** Returns whether a command sends an input to a node, instead of only going there. */
export const sendsInput = (command: Record<string, unknown> | null | undefined): boolean =>
  [command?.goto ?? []].flat().some(isObject);

/** Returns what a command sends to a node in place of the state. */
export function sentTo(command: Record<string, unknown> | null | undefined, node: string): State | undefined {
  const target = [command?.goto ?? []].flat().find((one) => isObject(one) && one.node === node);
  if (!isObject(target)) return undefined;
  return isObject(target.input) ? target.input : { input: target.input };
}

function requireNode({ nodes, acceptsAnyNode: anyNode }: Graph, name: string): void {
  if (anyNode || nodes.includes(name) || [inputNode, startNode, endNode, copyNode].includes(name)) return;
  throw new ApiError(400, `Node ${name} does not exist`);
}

/** Returns the node of an update that names none: the last one that wrote, or the only one. */
function lastNode({ nodes }: Graph, base: CheckpointRecord | undefined): string {
  const writers = Object.keys(base?.metadata.writes ?? {});
  const [node] = nodes.length === 1 ? nodes : writers.length === 1 ? writers : [];
  if (node !== undefined) return node;
  throw new ApiError(400, "Ambiguous update, specify as_node");
}
