import { randomUUID } from "node:crypto";
import { deploymentById } from "../../control-plane/model/records";
import type { Context } from "../../runtime/context";
import { durations } from "../../runtime/limits";
import { isObject } from "../../runtime/validation/validator";
import { graphNamed } from "../assistants/assistants";
import { applied, type Graph, GraphError, type ModelCall } from "../assistants/graphs";
import {
  addCheckpoint,
  type CheckpointRecord,
  changeTasks,
  checkpointById,
  headOf,
  type State,
} from "../threads/checkpoints";
import { type ThreadRecord, threadBySeq } from "../threads/records";
import { endRun } from "./finish-run";
import { changeRun, type RunRecord, runById } from "./records";
import { runKind, scheduleStep } from "./schedule";

const start = "__start__";

/** Registers the job handler of runs; each job runs one node. */
export function defineRuns(context: Context): void {
  context.scheduler.registerHandler(runKind, ({ subject }) => step(context, subject));
}

/** The run that a job executes. */
interface Turn {
  context: Context;
  thread: ThreadRecord;
  run: RunRecord;
  graph: Graph;
}

/** The outcome of a run that has ended. */
interface End {
  error?: string;
}

function step(context: Context, id: string): void {
  const { store, notifier } = context;
  const run = runById(store, id);
  const thread = run && threadBySeq(store, run.thread);
  const deployment = thread && deploymentById(store, thread.deployment_id);
  if (!run || !thread || !deployment) return;
  const graph = graphNamed(context, { deployment, user: undefined }, run.graph_id);
  const end = graph ? move({ context, thread, run, graph }) : { error: `Graph '${run.graph_id}' does not exist` };
  if (end) endRun(context, thread, run, end.error);
  else scheduleStep(context, thread, run, durations.run.node);
  store.afterCommit(() => notifier.notify(id));
}

function move(turn: Turn): End | undefined {
  return turn.run.status === "pending" ? begin(turn) : perform(turn);
}

/** Applies the input as two checkpoints, as live servers do: the input itself, and the state that includes it. */
function begin(turn: Turn): End | undefined {
  const { context, thread, run, graph } = turn;
  const { store, clock } = context;
  const { input, command, checkpoint, checkpoint_id } = run.request;
  changeRun(store, run, { status: "running", started_at: clock.now(), updated_at: clock.isoNow() });
  const from = checkpoint?.checkpoint_id ?? checkpoint_id;
  const base = from == null ? headOf(store, thread) : checkpointById(store, thread, from);
  if (input != null) {
    const values = isObject(input) ? input : { input };
    const state = base?.state ?? {};
    const taken = write(turn, base, { state, next: [start], source: "input", writes: { [start]: values } });
    changeTask(context, taken, start, { result: values });
    const next = applied(state, values);
    write(turn, taken, { state: next, next: graph.next(next), source: "loop", writes: null });
  } else if (base && (isObject(command?.update) || typeof command?.goto === "string" || from != null)) {
    const update = isObject(command?.update) ? command.update : null;
    const next = typeof command?.goto === "string" ? [command.goto] : base.next;
    const writes = update && { __input__: update };
    write(turn, base, { state: applied(base.state, update), next, source: update ? "update" : "fork", writes });
  }
  const head = headOf(store, thread);
  if (!head) return { error: "Received no input" };
  return head.next.length === 0 || stopsBefore(turn, head) ? {} : undefined;
}

/** Runs the next node and writes its result as a checkpoint. */
function perform(turn: Turn): End | undefined {
  const { context, thread, run, graph } = turn;
  const head = headOf(context.store, thread);
  const node = head?.next[0];
  if (!head || node === undefined) return {};
  const outcome = node === start ? { update: {} } : attempt(turn, node, head.state);
  if ("error" in outcome) {
    remember(turn, node, head, null, outcome.error);
    return { error: outcome.error };
  }
  if ("interrupt" in outcome) {
    const interrupts = [{ value: outcome.interrupt, id: randomUUID().replaceAll("-", "") }];
    changeTask(context, head, node, { interrupts });
    note(turn, { node, input: head.state, output: null, error: null, model: null });
    return {};
  }
  const { update } = outcome;
  remember(turn, node, head, update, null, "model" in outcome ? outcome.model : undefined);
  const state = applied(head.state, update);
  const next = graph.next(state, node === start ? undefined : node);
  const made = write(turn, head, { state, next, source: "loop", writes: { [node]: update } });
  const stops = isNamed(run.request.interrupt_after, node) || stopsBefore(turn, made);
  return next.length === 0 || stops ? {} : undefined;
}

function attempt({ graph, run }: Turn, node: string, state: State) {
  // A command may name any node.
  if (!graph.anyNode && !graph.nodes.includes(node)) return { error: `Node ${node} does not exist` };
  try {
    return graph.perform(node, state, { runId: run.id, resume: run.request.command?.resume });
  } catch (error) {
    if (error instanceof GraphError) return { error: error.message };
    throw error;
  }
}

/** Implements `interrupt_before`. A run that resumes from such an interrupt does not stop there again. */
function stopsBefore({ run }: Turn, { next }: CheckpointRecord): boolean {
  const goesOn = run.request.input == null && run.spans.length === 0;
  return !goesOn && next.some((node) => isNamed(run.request.interrupt_before, node));
}

function isNamed(names: unknown, node: string): boolean {
  return names === "*" || (Array.isArray(names) && (names.includes(node) || names.includes("*")));
}

function write(
  { context, thread, run }: Turn,
  parent: CheckpointRecord | undefined,
  made: Pick<Parameters<typeof addCheckpoint>[3], "state" | "next" | "source" | "writes">,
): CheckpointRecord {
  return addCheckpoint(context, thread, parent, { ...made, graphId: run.graph_id, runId: run.id });
}

/** Records the outcome of a node in its task and for the trace. */
function remember(
  turn: Turn,
  node: string,
  head: CheckpointRecord,
  output: State | null,
  error: string | null,
  model: ModelCall | null = null,
): void {
  changeTask(turn.context, head, node, { error, result: output });
  note(turn, { node, input: head.state, output, error, model });
}

function note({ context, run }: Turn, span: Omit<RunRecord["spans"][number], "start" | "end">): void {
  const now = context.clock.now();
  const begun = run.spans.at(-1)?.end ?? run.started_at ?? now;
  changeRun(context.store, run, { spans: [...run.spans, { ...span, start: begun, end: now }] });
}

function changeTask({ store }: Context, head: CheckpointRecord, node: string, change: object): void {
  const tasks = head.tasks.map((task) => (task.name === node ? { ...task, ...change } : task));
  changeTasks(store, head, tasks);
}
