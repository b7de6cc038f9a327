import type { RouteSettings } from "../../http/feature";
import type { Route } from "../../http/route";
import { any, string } from "../../runtime/validation/schema";
import { emulatorVersion } from "../../runtime/version";
import { agentRoute } from "../requests/agent-route";
import * as schemas from "../schemas";
import { documentRoutes } from "./documents";
import { getMetrics } from "./metrics";
import { hasCrons } from "./server-traits";

const health = {
  method: "GET",
  isDescribed: false,
  isPublic: true,
  summary: "Check the health of an agent server",
  success: { status: 200, schema: schemas.ok, description: "The server is running" },
  handle: () => ({ status: 200, body: { ok: true } }),
} as const;

/** The agent server itself. That in JavaScript has only `/ok` and `/info`. */
export function serverRoutes({ agentServer }: RouteSettings, others: readonly Route[]): readonly Route[] {
  const shared = [agentRoute({ ...health, path: "/ok", name: "agent-ok" }), infoRoute];
  if (agentServer === "javascript") return shared;
  const root = agentRoute({ ...health, path: "/", name: "agent-root" });
  return [...shared, root, metricsRoute, ...documentRoutes([...shared, root, metricsRoute, ...others])];
}

const infoRoute = agentRoute({
  method: "GET",
  path: "/info",
  name: "agent-info",
  isDescribed: false,
  isPublic: true,
  summary: "Retrieve the version and features of an agent server",
  success: { status: 200, schema: schemas.info, description: "Version and features" },
  handle: (context) => ({
    status: 200,
    body: {
      version: emulatorVersion,
      // By this, clients recognize the server in JavaScript.
      ...(context.settings.agentServer === "javascript" && { context: "js" }),
      flags: { assistants: true, crons: hasCrons(context) },
    },
  }),
});

const metricsRoute = agentRoute({
  method: "GET",
  path: "/metrics",
  name: "agent-metrics",
  isDescribed: false,
  isPublic: true,
  summary: "Retrieve the metrics of an agent server",
  query: { format: string() },
  success: { status: 200, schema: any(), description: "Metrics for Prometheus, or as JSON" },
  handle: getMetrics,
});
