/** The cron of an ID on its agent server, which may have no crons (API `2B.Cron`). */
import { type Cron, explainRejection, NO_CRONS } from "../../api/agent-server/crons";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { type AgentEndpoint, findOnServer } from "../shared/agent-server/endpoint";
import { removeFromServer } from "../shared/agent-server/removal";
import { sendOptional } from "../shared/optional-route";

/** The server has no routes of crons. It does not say so itself, so it may be another server than expected. */
export class NoCronRoutesError extends UserError {
  override name = "NoCronRoutesError";
}

type Place = AgentEndpoint & { ctx: Pick<Context, "clock"> };

/**
 * Sends a request to a route of crons.
 * @throws NoCronsError when the server says that it has none. @throws NoCronRoutesError when only its routes show it.
 */
export async function withCronSupport<T>(send: () => Promise<T>, place: Place): Promise<T> {
  try {
    return await explainRejection(place.server.crons, send());
  } catch (error) {
    if (error instanceof HttpError && error.isUnsupportedRoute) await assertRouteExists(place);
    throw error;
  }
}

/** A missing object is 404 as well, so the search decides, which never is. */
async function assertRouteExists({ server, ctx }: Place): Promise<void> {
  const result = await sendOptional({
    send: () => collectAll(server.crons.list(), () => true),
    exists: async () => true,
    clock: ctx.clock,
    route: "POST crons search",
    support: server.routes,
  });
  if ("missing" in result) throw new NoCronRoutesError(NO_CRONS);
}

/** Returns all crons whose metadata contain these. */
export const searchCrons = (metadata: Record<string, string>, place: Place): Promise<Cron[]> =>
  withCronSupport(() => collectAll(place.server.crons.list({ metadata })), place);

/** Returns a cron; undefined when it is gone, alone or with its deployment. @throws NoCronsError or NoCronRoutesError */
export const findCron = (id: string, endpoint: AgentEndpoint, ctx: Context) =>
  findOnServer(() => withCronSupport(() => endpoint.server.crons.find(id), { ...endpoint, ctx }), endpoint, ctx);

/** Deletes a cron; runs that it started continue. @throws NoCronsError or NoCronRoutesError */
export function removeCron(id: string, endpoint: AgentEndpoint, ctx: Context) {
  const { crons } = endpoint.server;
  const request = { send: () => crons.delete(id), find: () => crons.find(id), route: "DELETE cron" };
  return withCronSupport(() => removeFromServer(request, endpoint, ctx), { ...endpoint, ctx });
}
