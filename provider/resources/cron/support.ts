/** Requests to servers that may have no crons (API `2B.Cron`). */
import { type Cron, explainRejection, NO_CRONS } from "../../api/agent-server/crons";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import type { AgentEndpoint } from "../shared/agent-server/endpoint";
import { sendOptional } from "../shared/optional-route";

/** The server has no routes of crons. It does not say so itself, so it may be another server than expected. */
export class NoCronRoutesError extends UserError {
  override name = "NoCronRoutesError";
}

type Attempt = AgentEndpoint & { ctx: Pick<Context, "clock"> };

/**
 * Sends a request to a route of crons.
 * @throws NoCronsError when the server says that it has none. @throws NoCronRoutesError when only its routes show it.
 */
export async function withCronSupport<T>(send: () => Promise<T>, attempt: Attempt): Promise<T> {
  try {
    return await explainRejection(attempt.server.crons, send());
  } catch (error) {
    if (error instanceof HttpError && error.isUnsupportedRoute) await assertRouteExists(attempt);
    throw error;
  }
}

/** A missing object is 404 as well, so the search decides, which never is. */
async function assertRouteExists({ server, ctx }: Attempt): Promise<void> {
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
export const searchCrons = (metadata: Record<string, string>, attempt: Attempt): Promise<Cron[]> =>
  withCronSupport(() => collectAll(attempt.server.crons.list({ metadata })), attempt);
