import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import type { Agent } from "../requests/auth";
import { matchesMetadata } from "../requests/metadata-filter";
import { byField, pageResponse } from "../requests/page";
import { cronResponse, isVisible } from "./crons";
import { type CronRecord, cronsOf } from "./records";
import type { CountBody, SearchBody } from "./schemas";

/** POST /runs/crons/search: all filters must match; newest first unless `sort_by` is set. */
export function searchCrons(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const { sort_by, sort_order = "desc", enabled, ...rest } = request.body as SearchBody;
  const matches = findMatches(context, agent, rest)
    .filter((cron) => (enabled ?? cron.enabled) === cron.enabled)
    .map((cron) => cronResponse(context, cron));
  // Equal ones stay in the order in which they were created.
  if (sort_by !== undefined) matches.reverse().sort(byField(sort_by, sort_order));
  return pageResponse(context, matches, rest);
}

/** POST /runs/crons/count: returns a bare number. `enabled` has no effect, as on the real server. */
export function countCrons(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  return { status: 200, body: findMatches(context, agent, request.body as CountBody).length };
}

function findMatches(context: Context, agent: Agent, filter: CountBody): CronRecord[] {
  const { assistant_id, thread_id, metadata = {} } = filter;
  return cronsOf(context.store, agent.deployment.id).filter(
    (cron) =>
      (assistant_id ?? cron.assistant_id) === cron.assistant_id &&
      (thread_id ?? cron.thread_id) === cron.thread_id &&
      matchesMetadata(context, cron.metadata, metadata) &&
      isVisible(agent, cron),
  );
}
