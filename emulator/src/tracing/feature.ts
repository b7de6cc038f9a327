import type { Feature } from "../http/feature";
import { rollBackInterruptedLoads } from "./load-batches";
import { sessionRoutes } from "./sessions";
import { tables } from "./tables";

/** Tracing projects and their runs, which other features add and export. `filter/` implements the filter language. */
export const tracing: Feature = {
  tables,
  routes: () => sessionRoutes,
  cleanUp: ({ store }) => store.transaction(() => rollBackInterruptedLoads(store)),
};
