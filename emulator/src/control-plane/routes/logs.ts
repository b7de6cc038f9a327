import type { Route } from "../../http/route";
import { readLogs, readOlderLogs, readProjectLogs } from "../logs/logs";
import { logsPage, logsQuery, olderLogsBody } from "../logs/schemas";

const project = "/v1/projects/{deployment_id}";
const older = {
  method: "POST",
  inInterface: false,
  body: olderLogsBody,
  bodyOptional: true,
  errors: [400],
  success: { status: 200, schema: logsPage, description: "A page of log lines" },
} as const satisfies Partial<Route>;

/** Current and older log API: interface-notes.md section 2. */
export const logRoutes: Route[] = [
  {
    method: "GET",
    path: "/v2/deployments/{deployment_id}/revisions/{revision_id}/logs",
    name: "logs",
    inInterface: false,
    summary: "Read a revision's logs",
    query: logsQuery,
    success: { status: 200, schema: logsPage, description: "A page of log lines" },
    errors: [400],
    handle: readLogs,
  },
  {
    ...older,
    path: `${project}/revisions/{revision_id}/build_logs`,
    name: "build-logs-v1",
    summary: "Read a revision's build log (older API)",
    handle: readOlderLogs("build"),
  },
  {
    ...older,
    path: `${project}/revisions/{revision_id}/deploy_logs`,
    name: "deploy-logs-v1",
    summary: "Read a revision's deploy log (older API)",
    handle: readOlderLogs("deploy"),
  },
  {
    ...older,
    path: `${project}/deploy_logs`,
    name: "project-logs-v1",
    summary: "Read the deploy logs of all revisions (older API)",
    handle: readProjectLogs,
  },
];
