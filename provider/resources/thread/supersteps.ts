/** The initial state of a thread: what is wrong with it, and how much of it a thread has. */
import type { AgentServerClient } from "../../api/agent-server/client";
import type { Thread } from "../../api/agent-server/threads";
import type { Content } from "../../objects/kind";
import { describeUnknownGraph, suggest } from "../../objects/server/before-replace";
import { defaultAssistantId } from "../../schema/id";
import type { Inputs } from "./fields";

/** Names that are not nodes of a graph (API `2B.Superstep:input`). */
const SPECIAL_NODES: ReadonlySet<string> = new Set(["__start__", "__end__", "__input__", "__copy__"]);

/** Returns what is wrong with the graph or the nodes of supersteps; undefined as far as the server does not show it. */
export async function findSuperstepProblem(
  { metadata, supersteps = [] }: Partial<Inputs>,
  server: AgentServerClient,
): Promise<string | undefined> {
  const graphId = metadata?.graph_id;
  if (typeof graphId !== "string")
    return "supersteps: they require metadata.graph_id, the graph whose nodes they name.";
  const nodes = await server.assistants.getNodes(defaultAssistantId(graphId));
  if (!nodes) {
    const unknownGraph = await describeUnknownGraph(graphId, server);
    return unknownGraph && `metadata.graph_id: ${unknownGraph}`;
  }
  const known = nodes.filter((node) => !SPECIAL_NODES.has(node));
  for (const [step, { updates }] of supersteps.entries())
    for (const [index, { asNode }] of updates.entries())
      if (!known.includes(asNode) && !SPECIAL_NODES.has(asNode))
        return `supersteps.${step}.updates.${index}.asNode: graph "${graphId}" has no node "${asNode}". ${suggest(asNode, known)}`;
  return undefined;
}

/** The largest page of a history (API `4B.POST /threads/{thread_id}/history:limit`). */
const MAX_CHECKPOINTS = 1000;

/** Returns how much of its initial state a thread has. Checkpoints do not show which of them runs added. */
export async function appliedSupersteps(
  { threadId }: Thread,
  { supersteps = [] }: Pick<Inputs, "supersteps">,
  server: AgentServerClient,
): Promise<Content> {
  const steps = Math.min(supersteps.length, MAX_CHECKPOINTS);
  if (steps === 0) return "whole";
  const count = await server.states.count(threadId, steps);
  if (count >= steps) return "whole";
  if (count > 0) return "partial";
  const { values } = await server.states.get(threadId);
  return Object.keys(values ?? {}).length > 0 ? "partial" : "none";
}
