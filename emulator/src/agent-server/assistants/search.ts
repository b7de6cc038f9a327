import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import type { Agent } from "../requests/auth";
import { matchesMetadata } from "../requests/metadata-filter";
import { byField, pageResponse } from "../requests/page";
import { traitsOf } from "../server/server-traits";
import { assistantResponse } from "./assistants";
import { isOwned, requireGraph } from "./find";
import { type AssistantRecord, assistantsOf } from "./records";
import type { CountBody, SearchBody } from "./schemas";

/** POST /assistants/search: all filters must match; newest first unless `sort_by` is set. */
export function searchAssistants(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { sort_by, sort_order = "desc", ...rest } = request.body as SearchBody;
  const matches = findMatches(context, agent, rest).map((assistant) => assistantResponse(context, assistant));
  // Equal ones stay in the order in which they were created.
  if (sort_by !== undefined && traitsOf(context).sorts) matches.reverse().sort(byField(sort_by, sort_order));
  return pageResponse(context, matches, rest);
}

/** POST /assistants/count: returns a bare number. */
export function countAssistants(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  return { status: 200, body: findMatches(context, agent, request.body as CountBody).length };
}

function findMatches(context: Context, agent: Agent, filter: CountBody): AssistantRecord[] {
  const { graph_id, name = "", metadata = {} } = filter;
  if (graph_id !== undefined && traitsOf(context).checksGraph) requireGraph(context, agent, graph_id);
  return assistantsOf(context.store, agent.deployment.id).filter(
    (assistant) =>
      (graph_id ?? assistant.graph_id) === assistant.graph_id &&
      assistant.name.toLowerCase().includes(name.toLowerCase()) &&
      matchesMetadata(context, assistant.metadata, metadata) &&
      isOwned(context, agent, assistant),
  );
}
