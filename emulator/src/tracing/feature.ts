import type { Feature } from "../http/feature";
import { sweepLoads } from "./load-batches";
import { sessionRoutes } from "./sessions";
import { tables } from "./tables";

/** Tracing projects and their runs. */
export const tracing: Feature = {
  tables,
  routes: () => sessionRoutes,
  cleanUp: ({ store }) => store.transaction(() => sweepLoads(store)),
};
