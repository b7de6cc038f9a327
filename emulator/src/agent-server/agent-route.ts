import type { Route } from "../http/route";
import { admit, requireServing } from "./auth";

const base = "/agents/{deployment_id}";

type AgentRoute = Omit<Route, "open" | "textErrors" | "gate"> & {
  /** Requires no credentials, whatever `--agent-auth` is. */
  anyone?: true;
};

/**
 * Builds a route of an agent server: it has its own authentication, and the `detail` of its errors is always a string.
 */
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
