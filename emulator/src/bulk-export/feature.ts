import type { Feature } from "../http/feature";
import { destinationRoutes } from "./destinations/routes";
import { exportRoutes } from "./exports/routes";
import { defineExports, resumeExports } from "./runs/progress";
import { defineSchedules } from "./runs/schedules";
import { tables } from "./tables";

/** Destinations, exports and their runs (interface.md section 4 C, interface-notes.md section 3). */
export const bulkExport: Feature = {
  tables,
  routes: (settings) => [...destinationRoutes(settings), ...exportRoutes(settings)],
  register(context) {
    defineExports(context);
    defineSchedules(context);
  },
  resume: resumeExports,
};
