import { randomUUID } from "node:crypto";
import { deploymentById } from "../../../control-plane/model/records";
import type { Context } from "../../../runtime/context";
import { durations } from "../../../runtime/limits";
import { isObject } from "../../../runtime/validation/validator";
import { applyUpdate, GraphError, type ModelCall } from "../../graphs/built-in";
import { findGraph } from "../../graphs/of-deployment";
import { traitsOf } from "../../server/server-traits";
import {
  type CheckpointRecord,
  checkpointById,
  latestCheckpoint,
  type State,
  type Task,
} from "../../threads/checkpoints";
import { threadBySeq } from "../../threads/records";
import { sendsInput, sentTo, targetsOf, updateOf } from "../../threads/update-state";
import { type RunRecord, runById, updateRun } from "../records";
import { endRun } from "./finish-run";
import { runKind, scheduleStep } from "./schedule";
import { runSubgraph } from "./subgraph";
import { isNamed, type RunStep, start, updateTask, writeCheckpoint, writeInput } from "./writes";

/** Registers the job handler of runs; each job runs one node. */
export function registerRunJobs(context: Context): void {
  context.scheduler.registerHandler(runKind, ({ subject }) => executeStep(context, subject));
}

/** The outcome of a run that has ended. */
interface RunEnd {
  error?: string;
}

function executeStep(context: Context, id: string): void {
  const { store, notifier } = context;
  const run = runById(store, id);
  const thread = run && threadBySeq(store, run.thread);
  const deployment = thread && deploymentById(store, thread.deployment_id);
  if (!run || !thread || !deployment) return;
  const graph = findGraph(context, { deployment }, run.graph_id);
  const end = graph ? advance({ context, thread, run, graph }) : { error: `Graph '${run.graph_id}' does not exist` };
  if (end) endRun(context, thread, run, end.error);
  else scheduleStep(context, thread, run, durations.run.node);
  store.afterCommit(() => notifier.notify(id, thread.id));
}

function advance(runStep: RunStep): RunEnd | undefined {
  return runStep.run.status === "pending" ? startRun(runStep) : runNextNode(runStep);
}

function startRun(runStep: RunStep): RunEnd | undefined {
  const { context, thread, run, graph } = runStep;
  const { store, clock } = context;
  const { input, command, checkpoint, checkpoint_id } = run.request;
  updateRun(store, run, { status: "running", started_at: clock.now(), updated_at: clock.isoNow() });
  if (Number(run.request.config?.recursion_limit ?? 1) < 1) return { error: "recursion_limit must be at least 1" };
  const unknownKey = findUnknownContext(runStep);
  if (unknownKey !== undefined) return { error: `Unrecognized key in context: '${unknownKey}'` };
  const from = checkpoint?.checkpoint_id ?? checkpoint_id;
  const base = from == null ? latestCheckpoint(store, thread) : checkpointById(store, thread, from);
  // Servers ignore nodes that the graph does not have, and the start.
  const isIgnored = !traitsOf(context).sendsInputs && sendsInput(command);
  const targets = (isIgnored ? undefined : targetsOf(command))?.filter(
    (node) => graph.acceptsAnyNode || graph.nodes.includes(node),
  );
  const values = updateOf(command);
  const update = values && Object.keys(values).length > 0 ? values : null;
  const isResumed = command?.resume != null;
  if (command && !isResumed && !update && !targets) return isIgnored ? {} : { error: "Received empty Command input" };
  if (input != null) {
    writeInput(runStep, base, isObject(input) ? input : { input });
  } else if (base && (update || targets || (from != null && !(isResumed && base.seq === thread.head)))) {
    // What follows an input still has the input, which the start node applies.
    const writes = inputOf(base) ?? (update && { __input__: update });
    writeCheckpoint(runStep, base, {
      state: applyUpdate(graph, base.state, update),
      next: targets ?? base.next,
      source: update ? "update" : "fork",
      writes,
    });
  }
  const isUnknown = from != null && !base;
  const head = latestCheckpoint(store, thread);
  if (!head || (isUnknown && input == null)) return { error: "Received no input" };
  return head.next.length === 0 || isInterruptedBefore(runStep, head) ? {} : undefined;
}

/** Returns a context key that the schema of the graph lacks, where the server rejects it. */
function findUnknownContext({ context, run, graph }: RunStep): string | undefined {
  const { schemas } = graph;
  if (!schemas || !traitsOf(context).checksContext) return undefined;
  const known = schemas.context?.properties ?? {};
  return Object.keys(run.request.context ?? {}).find((key) => !Object.hasOwn(known, key));
}

/** Runs the next node and writes its result as a checkpoint. */
function runNextNode(runStep: RunStep): RunEnd | undefined {
  const { context, thread, run, graph } = runStep;
  const head = latestCheckpoint(context.store, thread);
  const node = head?.next[0];
  if (!head || node === undefined) return {};
  const outcome = node === start ? { update: pendingInput(head) } : tryNode(runStep, node, head);
  if ("error" in outcome) {
    recordOutcome(runStep, node, head, { output: null, error: outcome.error, model: null });
    return { error: outcome.error };
  }
  if ("interrupt" in outcome) {
    const id = questionsOf(head, node)[0]?.id ?? randomUUID().replaceAll("-", "");
    const interrupts = [{ value: outcome.interrupt, id }];
    updateTask(context, head, node, { interrupts });
    addSpan(runStep, { node, input: head.state, output: null, error: null, model: null });
    return {};
  }
  const { update } = outcome;
  const model = "model" in outcome ? (outcome.model ?? null) : null;
  recordOutcome(runStep, node, head, { output: update, error: null, model });
  const state = applyUpdate(graph, head.state, update);
  const next = graph.next(state, node === start ? undefined : node);
  const checkpoint = writeCheckpoint(runStep, head, { state, next, source: "loop", writes: { [node]: update } });
  const stops = isNamed(run.request.interrupt_after, node) || isInterruptedBefore(runStep, checkpoint);
  if (!stops && node !== start && hasReachedLimit(run)) return { error: limitError(run) };
  return next.length === 0 || stops ? {} : undefined;
}

/** Returns the input that a superstep left for the start node (API `2B.Superstep:input`), or a run that is repeated. */
function pendingInput({ metadata: { writes } }: CheckpointRecord): State {
  const input = writes?.__input__;
  return isObject(input) ? input : {};
}

/** Returns what a checkpoint has for the start node. */
function inputOf({ next, metadata: { writes } }: CheckpointRecord): State | null {
  return next[0] === start ? { __input__: writes?.__input__ ?? writes?.[start] } : null;
}

/** Real servers fail a run after so many steps, even if it is complete. One that continues has two more. */
function hasReachedLimit({ request: { config, input }, spans }: RunRecord): boolean {
  const limit = config?.recursion_limit;
  return typeof limit === "number" && spans.length >= limit + (input == null ? 2 : 0);
}

const limitError = ({ request }: RunRecord) =>
  `Recursion limit of ${request.config?.recursion_limit} reached without hitting a stop condition. ` +
  "You can increase the limit by setting the `recursion_limit` config key.";

function tryNode(runStep: RunStep, node: string, head: CheckpointRecord) {
  const { graph, run } = runStep;
  const subgraph = graph.subgraphs?.[node];
  if (subgraph) return { update: runSubgraph(runStep, head, { node, subgraph }) };
  try {
    // Only the first node of a run can get something else than the state.
    const isFirst = run.spans.length === 0 && traitsOf(runStep.context).sendsInputs;
    const sent = isFirst ? sentTo(run.request.command, node) : undefined;
    return graph.runNode(node, sent ?? head.state, {
      runId: run.id,
      resume: resumeOf(runStep, node, head),
      context: run.request.context ?? {},
    });
  } catch (error) {
    if (error instanceof GraphError) return { error: error.message };
    throw error;
  }
}

/** Returns the response to the question of a node. A command may give it by the ID of the question. */
function resumeOf({ context, run }: RunStep, node: string, head: CheckpointRecord): unknown {
  const resume = run.request.command?.resume ?? undefined;
  const names = isObject(resume) ? Object.keys(resume) : [];
  if (!isObject(resume) || !names.every((name) => /^[0-9a-f]{32}$/.test(name))) return resume;
  if (names.length === 0 && context.settings.agentServer === "javascript") return resume;
  return questionsOf(head, node).map(({ id }) => resume[id])[0];
}

const questionsOf = ({ tasks }: CheckpointRecord, node: string): Task["interrupts"] =>
  tasks.find(({ name }) => name === node)?.interrupts ?? [];

/** Implements `interrupt_before`. A run that resumes from such an interrupt does not stop there again. */
function isInterruptedBefore({ run }: RunStep, { next }: CheckpointRecord): boolean {
  const isResuming = run.request.input == null && run.spans.length === 0;
  return !isResuming && next.some((node) => isNamed(run.request.interrupt_before, node));
}

/** Records the outcome of a node in its task and for the trace. */
function recordOutcome(
  runStep: RunStep,
  node: string,
  head: CheckpointRecord,
  outcome: { output: State | null; error: string | null; model: ModelCall | null },
): void {
  updateTask(runStep.context, head, node, { error: outcome.error, result: outcome.output });
  addSpan(runStep, { node, input: head.state, ...outcome });
}

function addSpan({ context, run }: RunStep, span: Omit<RunRecord["spans"][number], "start" | "end">): void {
  const now = context.clock.now();
  const startedAt = run.spans.at(-1)?.end ?? run.started_at ?? now;
  updateRun(context.store, run, { spans: [...run.spans, { ...span, start: startedAt, end: now }] });
}
