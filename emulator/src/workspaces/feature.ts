import type { Feature } from "../http/feature";
import { workspaceRoutes } from "./routes";

/** Workspaces separate the objects of all other features; API keys grant access to them (http/auth.ts). */
export const workspaces: Feature = {
  tables: { schema: "CREATE TABLE IF NOT EXISTS workspaces (id TEXT PRIMARY KEY, name TEXT NOT NULL)" },
  routes: () => workspaceRoutes,
};
