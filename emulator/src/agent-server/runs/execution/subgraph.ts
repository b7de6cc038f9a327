import { applyUpdate, type Subgraph } from "../../graphs/built-in";
import { type CheckpointRecord, latestCheckpoint, type State } from "../../threads/checkpoints";
import { type RunStep, updateTask, writeCheckpoint, writeInput } from "./writes";

/**
 * Runs a subgraph as the node of a graph, with checkpoints in a namespace of the name of the node: it continues with
 * what it remembers of earlier runs. Returns the values that the graph around it has, too.
 */
export function runSubgraph(
  outer: RunStep,
  head: CheckpointRecord,
  { node, subgraph }: { node: string; subgraph: Subgraph },
): State {
  const { context, thread, run, graph } = outer;
  const runStep = { ...outer, graph: subgraph };
  const place = { namespace: node, parents: { "": head.id } };
  let checkpoint = writeInput(runStep, latestCheckpoint(context.store, thread, node), head.state, place);
  for (let [next] = checkpoint.next; next !== undefined; [next] = checkpoint.next) {
    const { update } = subgraph.runNode(next, checkpoint.state, { runId: run.id });
    updateTask(context, checkpoint, next, { result: update });
    const state = applyUpdate(subgraph, checkpoint.state, update);
    const following = { state, next: subgraph.next(state, next), writes: { [next]: update } };
    checkpoint = writeCheckpoint(runStep, checkpoint, { ...following, source: "loop", ...place });
  }
  const shared = Object.entries(checkpoint.state).filter(([name]) => graph.values?.includes(name) ?? true);
  return Object.fromEntries(shared);
}
