import type { Feature } from "../http/feature";
import { assistantRoutes } from "./assistants/routes";
import { runRoutes } from "./runs/routes";
import { registerRunJobs } from "./runs/steps";
import { tables } from "./tables";
import { deleteAgentData } from "./threads/records";
import { threadRoutes } from "./threads/routes";
import { registerTtlJobs } from "./threads/ttl";

/**
 * The agent server of each deployment (API `4B`). `assistants/` defines the
 * graphs of a deployment, `threads/` stores states and checkpoints, and `runs/` runs graphs node by node and writes traces.
 */
export const agentServer: Feature = {
  tables,
  routes: (settings) => [...assistantRoutes, ...threadRoutes(settings), ...runRoutes],
  register(context) {
    registerRunJobs(context);
    registerTtlJobs(context);
    context.events.on("deploymentDeleted", (id) => deleteAgentData(context, id));
  },
};
