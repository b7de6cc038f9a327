import type { Route } from "../../http/route";
import type { Settings } from "../../runtime/options";
import { readDeploymentLogs, readLegacyLogs, readLogs, readProjectLogs } from "../logs/logs";
import { deploymentLogsPage, deploymentLogsQuery, legacyLogsBody, logsPage, logsQuery } from "../logs/schemas";

const project = "/v1/projects/{deployment_id}";
const legacyRoute = {
  method: "POST",
  isDescribed: false,
  body: legacyLogsBody,
  bodyOptional: true,
  errors: [400],
  success: { status: 200, schema: logsPage, description: "A page of log lines" },
} as const satisfies Partial<Route>;

/** Current and older log routes: API `4A`. */
export function logRoutes({ platform }: Pick<Settings, "platform">): Route[] {
  return platform === "today" ? [...describedLogRoutes, deploymentLogsRoute] : describedLogRoutes;
}

const deploymentLogsRoute: Route = {
  method: "GET",
  path: "/v2/deployment-logs",
  name: "deployment-logs",
  isDescribed: false,
  summary: "Read the logs of a deployment",
  query: deploymentLogsQuery,
  success: { status: 200, schema: deploymentLogsPage, description: "A page of log lines" },
  errors: [400],
  handle: readDeploymentLogs,
};

const describedLogRoutes: Route[] = [
  {
    method: "GET",
    path: "/v2/deployments/{deployment_id}/revisions/{revision_id}/logs",
    name: "logs",
    isDescribed: false,
    summary: "Read a revision's logs",
    query: logsQuery,
    success: { status: 200, schema: logsPage, description: "A page of log lines" },
    errors: [400],
    handle: readLogs,
  },
  {
    ...legacyRoute,
    path: `${project}/revisions/{revision_id}/build_logs`,
    name: "build-logs-v1",
    summary: "Read a revision's build log (older API)",
    handle: readLegacyLogs("build"),
  },
  {
    ...legacyRoute,
    path: `${project}/revisions/{revision_id}/deploy_logs`,
    name: "deploy-logs-v1",
    summary: "Read a revision's deploy log (older API)",
    handle: readLegacyLogs("deploy"),
  },
  {
    ...legacyRoute,
    path: `${project}/deploy_logs`,
    name: "project-logs-v1",
    summary: "Read the deploy logs of all revisions (older API)",
    handle: readProjectLogs,
  },
];
