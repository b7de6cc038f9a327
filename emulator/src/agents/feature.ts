import type { Feature } from "../http/feature";
import { removeStaleFolders } from "./folders";
import { reconcile } from "./reconcile";

/**
 * Agents that run as processes: `--agents`. `reconcile.ts` compares the revisions in the store with the agents that
 * run, and starts and ends what differs; `source.ts`, `build.ts` and `start.ts` are the steps of a revision; `proxy/`
 * forwards requests. The processes themselves are in runtime/agents/.
 */
export const agents: Feature = {
  tables: { schema: "" },
  register(context) {
    if (!context.settings.agents) return;
    context.events.on("rolloutsChanged", () => context.store.afterCommit(() => reconcile(context)));
  },
  cleanUp: removeStaleFolders,
  resume(context) {
    if (context.settings.agents) reconcile(context);
  },
};
