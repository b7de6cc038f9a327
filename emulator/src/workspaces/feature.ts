import type { Feature } from "../http/feature";
import { workspaceRoutes } from "./routes";

/** Workspaces: every other feature keeps its objects apart by them, and API keys open them (http/auth.ts). */
export const workspaces: Feature = {
  tables: { schema: "CREATE TABLE IF NOT EXISTS workspaces (id TEXT PRIMARY KEY, name TEXT NOT NULL)" },
  routes: () => workspaceRoutes,
};
