/** What a server can do, as data (API `10.missing-routes`): only its responses show which routes it has. */
import type { ServerName } from "../../settings/servers";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface RouteFacts {
  method: Method;
  /** `:id` stands for any ID, `githost` for the server's own term. */
  path: string;
}

export interface FeatureFacts extends Partial<RouteFacts> {
  server: ServerName | "agentServer";
  /** What it is used for, such as "delete deployments": after "cannot". */
  purpose: string;
  /** What happens without it. Absent where the contract has it. */
  without?: string;
  older?: RouteFacts;
}

const DEPLOYMENT = "/v2/deployments/:id";
const REVISION = `${DEPLOYMENT}/revisions/:id`;
const EXPORTS = "/api/v1/bulk-exports";
const DESTINATIONS = `${EXPORTS}/destinations`;
const DESTINATION = `${DESTINATIONS}/:id`;
const GITHOST = "/v1/integrations/githost";

const FUNCTIONS_FAIL = "functions that read them fail";
const OUTCOME_UNKNOWN = "the outcome of a create whose response was lost stays unknown";

type Row = readonly [method: Method, path: string, purpose: string, without?: string];

const rows = <K extends string>(server: FeatureFacts["server"], named: Record<K, Row>): Record<K, FeatureFacts> =>
  Object.fromEntries(
    Object.entries<Row>(named).map(([name, [method, path, purpose, without]]) => [
      name,
      { server, method, path, purpose, ...(without !== undefined && { without }) },
    ]),
  ) as Record<K, FeatureFacts>;

export const FEATURES = {
  ...rows("controlPlane", {
    "deployments-patch": ["PATCH", DEPLOYMENT, "change deployments"],
    "deployments-delete": [
      "DELETE",
      DEPLOYMENT,
      "delete deployments",
      "a destroy removes them from state only; replacements fail",
    ],
    "revisions-redeploy": ["POST", `${REVISION}/redeploy`, "redeploy a revision", "an unchanged field is sent instead"],
    "revisions-list": ["GET", `${DEPLOYMENT}/revisions?limit=1`, "list revisions", FUNCTIONS_FAIL],
  }),
  logs: {
    server: "controlPlane",
    method: "GET",
    path: `${REVISION}/logs?type=build`,
    purpose: "read logs",
    without: "errors do not show the end of the log",
    older: { method: "POST", path: "/v1/projects/:id/revisions/:id/build_logs" },
  },
  ...rows("controlPlane", {
    "upload-url": ["POST", `${DEPLOYMENT}/upload-url`, "upload sources below /v2", "the path without /v2 is used"],
    "push-token": [
      "POST",
      `${DEPLOYMENT}/push-token`,
      "get a push token",
      "images of internal_docker must be pushed with other credentials",
    ],
    listeners: ["GET", "/v2/listeners", "list listeners", FUNCTIONS_FAIL],
    integrations: ["GET", `${GITHOST}/install`, "list integrations", FUNCTIONS_FAIL],
    repositories: ["GET", `${GITHOST}/:id/repos`, "list repositories", FUNCTIONS_FAIL],
  }),
  ...rows("tracing", {
    projects: ["GET", "/api/v1/sessions?limit=1", "list projects", "tracingProjectId stays empty"],
    "destinations-list": ["GET", DESTINATIONS, "list destinations", OUTCOME_UNKNOWN],
    "destinations-patch": ["PATCH", DESTINATION, "rotate credentials", "new credentials require a new destination"],
    "destinations-delete": ["DELETE", DESTINATION, "delete destinations", "a destroy removes them from state only"],
    "exports-list": ["GET", EXPORTS, "list exports", OUTCOME_UNKNOWN],
    "exports-patch": [
      "PATCH",
      `${EXPORTS}/:id`,
      "cancel exports",
      "schedules can be neither replaced nor destroyed (forget: true removes them from state)",
    ],
    "export-runs": [
      "GET",
      `${EXPORTS}/:id/runs`,
      "list the runs of an export",
      "errors contain no days, and there are no totals",
    ],
    "schedule-runs": [
      "GET",
      `${EXPORTS}/runs?source_bulk_export_id=:id`,
      "list the runs of a schedule",
      FUNCTIONS_FAIL,
    ],
  }),
  "crons-search": { server: "agentServer", method: "POST", path: "/runs/crons/search", purpose: "search for crons" },
  "store-search": { server: "agentServer", method: "POST", path: "/store/items/search", purpose: "list stored items" },
  "assistant-versions": { server: "agentServer", purpose: "list the versions of an assistant" },
  "moves-repositories": {
    server: "controlPlane",
    purpose: "move a deployment to another repository",
    without: "a changed `repoUrl` or `integrationId` replaces the deployment, whose database and threads are lost",
  },
  "deletes-in-a-week": {
    server: "controlPlane",
    purpose: "keep a deleted deployment and its name for a week",
    without:
      "a deletion ends when the deployment is gone, or has been shown as deleted for a minute; a replacement " +
      "waits for the name",
  },
  "commands-make-revisions": {
    server: "controlPlane",
    purpose: "make a revision for a changed command or secret reference",
    without: "changed `secretReferences`, `installCommand` or `buildCommand` take effect with the next revision",
  },
  "threads-by-id": { server: "agentServer", purpose: "search for threads by their IDs" },
  "threads-in-order": { server: "agentServer", purpose: "sort threads in an order" },
} as const satisfies Record<string, FeatureFacts>;

/** The routes that change and delete a kind of object on agent servers, such as `threads-patch`. */
type ObjectFeature = `${string}s-${"patch" | "delete"}`;

export type Feature = keyof typeof FEATURES | ObjectFeature;

export function factsOf(feature: Feature): FeatureFacts {
  const [nouns, action] = feature.split("-");
  const ofObjects =
    action === "patch"
      ? ({ method: "PATCH", verb: "change" } as const)
      : ({ method: "DELETE", verb: "delete" } as const);
  return (
    (FEATURES as Partial<Record<Feature, FeatureFacts>>)[feature] ?? {
      server: "agentServer",
      method: ofObjects.method,
      purpose: `${ofObjects.verb} ${nouns}`,
    }
  );
}

/** Whether the feature is a route, whose 404 shows how the server rejects unknown routes. */
export const isRoute = (feature: Feature): boolean => factsOf(feature).method !== undefined;

/** By feature, whether a server has it. What is absent is not known before the first request that needs it. */
export type ServerProfile = Readonly<Partial<Record<Feature, boolean>>>;
