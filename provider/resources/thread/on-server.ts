/** The thread of an ID, on its agent server. */
import type { Context } from "../../definition/context";
import { type AgentEndpoint, findOnServer } from "../shared/agent-server/endpoint";
import { removeFromServer } from "../shared/agent-server/removal";

/** Returns a thread; undefined when it is gone, alone or with its deployment. */
export const findThread = (id: string, endpoint: AgentEndpoint, ctx: Pick<Context, "clients">) =>
  findOnServer(() => endpoint.server.findThread(id), endpoint, ctx);

export function removeThread(id: string, endpoint: AgentEndpoint, ctx: Pick<Context, "clock" | "clients">) {
  const { server } = endpoint;
  const request = { send: () => server.deleteThread(id), find: () => server.findThread(id), route: "DELETE thread" };
  return removeFromServer(request, endpoint, ctx);
}
