import type { Route } from "../../http/route";
import { limits } from "../../runtime/limits";
import { formatAgentError } from "../server/javascript-errors";
import { traitsOf } from "../server/server-traits";
import { authorizeAgentRequest, authorizePublicRequest } from "./auth";

/** The address of an agent server, at which its own paths begin. */
export const BASE = "/agents/{deployment_id}";

type AgentRoute = Omit<Route, "isPublic" | "hasTextErrors" | "hasExactTypes" | "authorize"> & {
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
    path: BASE + route.path,
    errors: [...new Set([503, ...(route.errors ?? [])])],
    isPublic: true,
    answersHead: true,
    hasTextErrors: true,
    hasExactTypes: true,
    maxBodyBytes: limits.agentBody.maxBytes,
    // The paths that require no credentials are not redirected.
    redirectsSlash: (settings) => !isPublic && traitsOf({ settings }).redirectsSlash,
    ignoresContentType: (settings) => traitsOf({ settings }).readsAnyType,
    formatError: formatAgentError,
    authorize: (context, params, header) => void authorize(context, params.deployment_id ?? "", header, route.path),
  };
}
