import type { Feature } from "../http/feature";
import { defineDeletion } from "./deletion";
import { tables } from "./model/tables";
import { defineRollout } from "./rollout/rollout";
import { deploymentRoutes } from "./routes/deployments";
import { logRoutes } from "./routes/logs";
import { revisionRoutes } from "./routes/revisions";
import { sourceRoutes } from "./routes/sources";
import { sweepTarballs } from "./sources/uploads";

/**
 * Deployments, revisions, their logs and their sources (interface.md section 4 A, interface-notes.md section 2). `routes/` names
 * the operations and `model/` is what is stored, with the rules between fields. `sources/` is where code comes from, `build/`
 * reads an uploaded source, `rollout/` moves revisions from status to status, and `logs/` is what they write meanwhile.
 */
export const controlPlane: Feature = {
  tables,
  routes: (settings) => [
    ...deploymentRoutes(settings),
    ...revisionRoutes(settings),
    ...logRoutes,
    ...sourceRoutes(settings),
  ],
  register(context) {
    defineRollout(context);
    defineDeletion(context);
  },
  // Whoever is killed between a deletion and its clean-up leaves tarballs behind.
  cleanUp: sweepTarballs,
};
