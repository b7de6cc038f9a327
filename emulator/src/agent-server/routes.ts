import type { Route } from "../http/route";
import type { Settings } from "../runtime/options";
import { assistantRoutes } from "./assistants/routes";
import { runRoutes } from "./runs/routes";
import { threadRoutes } from "./threads/routes";

/** The agent server of each deployment (interface.md section 4 B, interface-notes.md section 4). */
export function agentServerRoutes(settings: Pick<Settings, "interfaceOnly">): Route[] {
  return [...assistantRoutes, ...threadRoutes(settings), ...runRoutes];
}
