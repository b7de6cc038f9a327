import type { Feature } from "../http/feature";
import { registerDeletionJobs } from "./deletion";
import { sealEarlierSecrets } from "./model/secrets";
import { tables } from "./model/tables";
import { registerRolloutJobs, resumeRollouts } from "./rollout/rollout";
import { deploymentRoutes } from "./routes/deployments";
import { logRoutes } from "./routes/logs";
import { revisionRoutes } from "./routes/revisions";
import { sourceRoutes } from "./routes/sources";
import { deleteOrphanedTarballs } from "./sources/uploads";

/**
 * Deployments, revisions, logs and sources (API `4A`). `routes/` lists the operations, `model/` contains the stored
 * records and the rules between fields, `sources/` where code comes from, `build/` the inspection of uploaded sources,
 * `rollout/` the transitions between statuses, and `logs/` the build and deploy logs.
 */
export const controlPlane: Feature = {
  tables,
  routes: (settings) => [
    ...deploymentRoutes(settings),
    ...revisionRoutes(settings),
    ...logRoutes(settings),
    ...sourceRoutes(settings),
  ],
  register(context) {
    registerRolloutJobs(context);
    registerDeletionJobs(context);
  },
  cleanUp(context) {
    sealEarlierSecrets(context);
    // A process killed between a deletion and its clean-up leaves tarballs behind.
    deleteOrphanedTarballs(context);
    // A revision that waited for a command continues without it if the emulator now runs without commands.
    context.store.transaction(() => resumeRollouts(context));
  },
};
