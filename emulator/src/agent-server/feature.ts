import type { Feature } from "../http/feature";
import { assistantRoutes } from "./assistants/routes";
import { runRoutes } from "./runs/routes";
import { defineRuns } from "./runs/steps";
import { tables } from "./tables";
import { eraseAgent } from "./threads/records";
import { threadRoutes } from "./threads/routes";
import { defineTtl } from "./threads/ttl";

/**
 * The agent server of each deployment (interface.md section 4 B, interface-notes.md section 4). `assistants/` says which graphs a
 * deployment has and what they do, `threads/` keeps states and checkpoints, and `runs/` takes a thread through a graph, node by
 * node, and leaves traces.
 */
export const agentServer: Feature = {
  tables,
  routes: (settings) => [...assistantRoutes, ...threadRoutes(settings), ...runRoutes],
  register(context) {
    defineRuns(context);
    defineTtl(context);
    context.events.on("deploymentDeleted", (id) => eraseAgent(context, id));
  },
};
