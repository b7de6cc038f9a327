/** Routes of the control plane, and one of the tracing API, that a server may lack (API `10.missing-routes`). */
import { type OptionalRoute, optionalRoutes } from "../../definition/optional-route";

const DEPLOYMENT = "/v2/deployments/:id";
const REVISION = `${DEPLOYMENT}/revisions/:id`;

export const OPTIONAL_ROUTES: readonly OptionalRoute[] = [
  ...optionalRoutes(
    "controlPlane",
    ["DELETE", DEPLOYMENT, "delete deployments", "a destroy removes them from state only; replacements fail"],
    ["POST", `${REVISION}/redeploy`, "redeploy a revision", "an unchanged field is sent instead"],
    ["GET", `${DEPLOYMENT}/revisions?limit=1`, "list revisions", "functions that read them fail"],
  ),
  {
    server: "controlPlane",
    method: "GET",
    path: `${REVISION}/logs?type=build`,
    purpose: "read logs",
    without: "errors do not show the end of the log",
    older: { method: "POST", path: "/v1/projects/:id/revisions/:id/build_logs" },
  },
  ...optionalRoutes(
    "controlPlane",
    ["POST", `${DEPLOYMENT}/upload-url`, "upload sources below /v2", "the path without /v2 is used"],
    [
      "POST",
      `${DEPLOYMENT}/push-token`,
      "get a push token",
      "images of internal_docker must be pushed with other credentials",
    ],
    ["GET", "/v2/listeners", "list listeners", "functions that read listeners fail"],
    ["GET", "/v1/integrations/githost/install", "list integrations", "functions that read integrations fail"],
    ["GET", "/v1/integrations/githost/:id/repos", "list repositories", "functions that read repositories fail"],
  ),
  ...optionalRoutes("tracing", ["GET", "/api/v1/sessions?limit=1", "list projects", "tracingProjectId stays empty"]),
];
