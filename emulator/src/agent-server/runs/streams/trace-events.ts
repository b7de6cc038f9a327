/** The mode `events`: the starts and ends of a run and of its nodes, as tracing clients of the library read them. */
import { type CheckpointRecord, nextTaskOf, type State } from "../../threads/checkpoints";
import type { RunBody } from "../schemas";
import { type EventSource, isPython, metadataOf, placeOf, type RunEvent } from "./step-events";

const idsOf = ({ thread, run }: EventSource) => ({ graph_id: run.graph_id, thread_id: thread.id });

function runEvent(source: EventSource, event: string, data: object): RunEvent {
  const { run } = source;
  const name = isPython(source) ? run.graph_id : "LangGraph";
  const metadata = { ...metadataOf(source), ...idsOf(source) };
  const parents = isPython(source) && { parent_ids: [] };
  return { name: "events", data: { event, data, name, tags: [], run_id: run.id, metadata, ...parents } };
}

/** Returns the start of a run. */
export const runStartEvent = (source: EventSource): RunEvent =>
  runEvent(source, "on_chain_start", { input: inputOf(source.run.request) });

/** Returns the input of a run. A command is one, with all of its fields. */
const inputOf = ({ input, command }: RunBody) =>
  command ? { graph: null, update: null, resume: null, goto: null, ...command } : (input ?? {});

/** Returns the end of a run that did not fail. */
export const runEndEvent = (source: EventSource, state: State): RunEvent =>
  runEvent(source, "on_chain_end", { output: state });

/** Returns the start of the task at a checkpoint, or its end with what it wrote. Those of subgraphs have none. */
export function nodeEvents(source: EventSource, head: CheckpointRecord, output?: unknown): RunEvent[] {
  const task = nextTaskOf(head);
  if (!task || head.namespace !== "") return [];
  const { run } = source;
  const input = head.state;
  const shared = {
    name: task.name,
    tags: [`graph:step:${head.metadata.step + 1}`],
    run_id: task.id,
    metadata: { ...metadataOf(source), ...idsOf(source), ...placeOf(head, task) },
    ...(isPython(source) && { parent_ids: [run.id] }),
  };
  const event = (name: string, data: object) => ({ name: "events", data: { event: name, data, ...shared } });
  if (output === undefined) return [event("on_chain_start", { input })];
  const chunk = isPython(source) ? [event("on_chain_stream", { chunk: output })] : [];
  return [...chunk, event("on_chain_end", { output, input })];
}
