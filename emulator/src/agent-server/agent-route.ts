import type { Route } from "../http/route";
import { admit, requireServing } from "./auth";

/** Where the agent server of a deployment is. */
const base = "/agents/{deployment_id}";

type AgentRoute = Omit<Route, "open" | "textErrors" | "gate"> & {
  /** Asks for no credentials, whatever `--agent-auth` says. */
  anyone?: true;
};

/** A route of an agent server: it lets in by rules of its own, and the `detail` of its errors is always a text. */
export function agentRoute({ anyone, ...route }: AgentRoute): Route {
  const letIn = anyone ? requireServing : admit;
  return {
    ...route,
    path: base + route.path,
    errors: [...new Set([503, ...(route.errors ?? [])])],
    isPublic: true,
    hasTextErrors: true,
    authorize: (context, params, header) => void letIn(context, params.deployment_id ?? "", header),
  };
}
