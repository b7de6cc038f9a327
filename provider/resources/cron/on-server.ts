/** The cron of an ID, on its agent server. */
import type { Context } from "../../definition/context";
import { type AgentEndpoint, findOnServer } from "../shared/agent-server/endpoint";
import { removeFromServer } from "../shared/agent-server/removal";
import { withCronSupport } from "./support";

/** Returns a cron; undefined when it is gone, alone or with its deployment. @throws NoCronsError or NoCronRoutesError */
export const findCron = (id: string, endpoint: AgentEndpoint, ctx: Context) =>
  findOnServer(() => withCronSupport(() => endpoint.server.crons.find(id), { ...endpoint, ctx }), endpoint, ctx);

/** Deletes a cron; runs that it started continue. @throws NoCronsError or NoCronRoutesError */
export function removeCron(id: string, endpoint: AgentEndpoint, ctx: Context) {
  const { crons } = endpoint.server;
  const request = { send: () => crons.delete(id), find: () => crons.find(id), route: "DELETE cron" };
  return withCronSupport(() => removeFromServer(request, endpoint, ctx), { ...endpoint, ctx });
}
