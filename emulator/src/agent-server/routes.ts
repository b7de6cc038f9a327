import type { Settings } from "../options";
import type { Route } from "../routes";
import { assistantRoutes } from "./assistant-routes";
import { runRoutes } from "./run-routes";
import { threadRoutes } from "./thread-routes";

/** The agent server of each deployment (interface.md section 4 B, interface-notes.md section 4). */
export function agentServerRoutes(settings: Pick<Settings, "interfaceOnly">): Route[] {
  return [...assistantRoutes, ...threadRoutes(settings), ...runRoutes];
}
