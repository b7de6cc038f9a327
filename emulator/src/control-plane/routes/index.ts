import type { Route } from "../../http/route";
import type { Settings } from "../../runtime/options";
import { deploymentRoutes } from "./deployments";
import { logRoutes } from "./logs";
import { revisionRoutes } from "./revisions";
import { sourceRoutes } from "./sources";

/** The operations of the control plane (interface.md section 4 A, interface-notes.md section 2). */
export function controlPlaneRoutes(settings: Pick<Settings, "strict" | "interfaceOnly">): Route[] {
  return [...deploymentRoutes(settings), ...revisionRoutes(settings), ...logRoutes, ...sourceRoutes(settings)];
}
