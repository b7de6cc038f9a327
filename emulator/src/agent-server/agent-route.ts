import type { Route } from "../http/route";
import { limits } from "../runtime/limits";
import { authorizeAgentRequest, authorizePublicRequest } from "./auth";
import { formatAgentError } from "./javascript-errors";
import { traitsOf } from "./server-traits";

const base = "/agents/{deployment_id}";

type AgentRoute = Omit<Route, "isPublic" | "hasTextErrors" | "authorize"> & {
  /** Requires no credentials, except where the server asks for those of users. */
  isPublic?: true;
};

/**
 * Builds a route of an agent server: it has its own authentication, and the `detail` of its errors is always a string.
 */
export function agentRoute({ isPublic, ...route }: AgentRoute): Route {
  const authorize = isPublic ? authorizePublicRequest : authorizeAgentRequest;
  return {
    ...route,
    path: base + route.path,
    errors: [...new Set([503, ...(route.errors ?? [])])],
    isPublic: true,
    answersHead: true,
    hasTextErrors: true,
    maxBodyBytes: limits.agentBody.maxBytes,
    ignoresContentType: (settings) => traitsOf({ settings }).readsAnyType,
    formatError: formatAgentError,
    authorize: (context, params, header) => void authorize(context, params.deployment_id ?? "", header, route.path),
  };
}
