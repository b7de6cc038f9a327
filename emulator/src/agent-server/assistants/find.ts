import type { ApiRequest } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { parseUuid } from "../../runtime/validation/uuid";
import { graphsOf } from "../graphs/of-deployment";
import { type Agent, ownerMetadata } from "../requests/auth";
import { traitsOf } from "../server/server-traits";
import { contains } from "../threads/json-index";
import { defaultAssistantId } from "./defaults";
import { type AssistantRecord, assistantById } from "./records";

/** Returns whether the deployment has the graph. */
function hasGraph(context: Context, { deployment }: Agent, graph: string): boolean {
  return Object.hasOwn(graphsOf(context, deployment), graph);
}

/** Returns whether an assistant belongs to the user; default assistants belong to nobody. */
export function isOwned(context: Context, agent: Agent, { metadata }: AssistantRecord): boolean {
  return contains(metadata, ownerMetadata(context, agent));
}

/**
 * Returns the assistant that a run or a cron names, by its ID or its graph (API `1B.item 4`). @throws ApiError
 * 404, also for an assistant whose graph is missing
 */
export function findAssistant(context: Context, agent: Agent, name: string): AssistantRecord {
  const id = hasGraph(context, agent, name) ? defaultAssistantId(name) : normalizedId(context, name);
  const assistant = assistantById(context.store, agent.deployment.id, id);
  const usable =
    assistant && (isOwned(context, agent, assistant) || assistant.id === defaultAssistantId(assistant.graph_id));
  if (!usable) throw new ApiError(404, `Assistant '${name}' not found`);
  if (traitsOf(context).checksGraph) requireGraph(context, agent, assistant.graph_id);
  return assistant;
}

/** @throws ApiError 404 if the deployment lacks the graph */
export function requireGraph(context: Context, agent: Agent, graph: string): void {
  if (!hasGraph(context, agent, graph)) throw unknownGraph(context, agent, graph);
}

/** Returns the error of a graph that the deployment lacks. */
export function unknownGraph(context: Context, { deployment }: Pick<Agent, "deployment">, graph: string): ApiError {
  const names = Object.keys(graphsOf(context, deployment)).sort();
  const list = names.map((name) => `'${name}'`).join(", ");
  return new ApiError(404, `Graph '${graph}' not found. Expected one of: [${list}]`);
}

/** Returns the assistant of the request path, even if its graph is missing. @throws ApiError 404 */
export function requireAssistant(
  context: Context,
  agent: Agent,
  { params }: Pick<ApiRequest, "params">,
): AssistantRecord {
  const { assistant_id: name = "" } = params;
  const byGraph = traitsOf(context).resolvesGraphsInPaths && hasGraph(context, agent, name);
  const assistant = assistantById(context.store, agent.deployment.id, byGraph ? defaultAssistantId(name) : name);
  if (assistant && isOwned(context, agent, assistant)) return assistant;
  throw new ApiError(404, `Assistant '${name}' not found`);
}

/** Returns the assistant of the request path with a graph that exists. @throws ApiError 404 */
export function requireUsableAssistant(
  context: Context,
  agent: Agent,
  request: Pick<ApiRequest, "params">,
): AssistantRecord {
  const assistant = requireAssistant(context, agent, request);
  if (traitsOf(context).checksGraph) requireGraph(context, agent, assistant.graph_id);
  return assistant;
}

/** The server in JavaScript compares IDs as written. */
function normalizedId(context: Context, name: string): string {
  const parsed = parseUuid(name);
  return "uuid" in parsed && traitsOf(context).normalizesIds ? parsed.uuid : name;
}
