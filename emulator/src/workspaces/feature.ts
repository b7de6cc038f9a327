import type { Feature } from "../http/feature";
import { workspaceRoutes } from "./routes";
import { tables } from "./tables";

export const workspaces: Feature = { tables, routes: () => workspaceRoutes };
