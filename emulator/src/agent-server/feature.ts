import type { Feature } from "../http/feature";
import { startAgentServer, startAgentServers } from "./assistants/defaults";
import { assistantRoutes } from "./assistants/routes";
import { catchUpCrons, registerCronJobs } from "./crons/firing";
import { cronRoutes } from "./crons/routes";
import { eventStreamingRoutes } from "./event-streaming/routes";
import { protocolRoutes } from "./protocols/routes";
import { registerRunJobs } from "./runs/execution/steps";
import { runRoutes } from "./runs/routes";
import { serverRoutes } from "./server/routes";
import { storeRoutes } from "./store/routes";
import { tables } from "./tables";
import { deleteAgentData } from "./threads/records";
import { threadRoutes } from "./threads/routes";
import { registerTtlJobs } from "./threads/ttl";

/**
 * The agent server of each deployment (API `4B`). `graphs/` defines the graphs of a deployment, `assistants/` stores
 * their configurations, `threads/` states and checkpoints, `runs/` runs graphs node by node and writes traces, `crons/`
 * starts runs on a schedule, and `store/` keeps items; `server/` describes the server itself. `event-streaming/` and
 * `protocols/` offer the same to clients of other protocols. `server/server-traits.ts` lists where the two
 * published servers differ.
 */
export const agentServer: Feature = {
  tables,
  routes(settings) {
    const routes = [
      ...assistantRoutes(settings),
      ...threadRoutes(settings),
      ...runRoutes(settings),
      ...eventStreamingRoutes,
      ...protocolRoutes(settings),
      ...cronRoutes(settings),
      ...storeRoutes,
    ];
    return [...serverRoutes(settings, routes), ...routes];
  },
  register(context) {
    registerRunJobs(context);
    registerTtlJobs(context);
    registerCronJobs(context);
    context.events.on("revisionActivated", (id) => startAgentServer(context, id));
    context.events.on("deploymentDeleted", (id) => deleteAgentData(context, id));
  },
  cleanUp: (context) =>
    context.store.transaction(() => {
      startAgentServers(context);
      catchUpCrons(context);
    }),
};
