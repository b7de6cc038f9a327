import type { Feature } from "../http/feature";
import { destinationRoutes } from "./destinations/routes";
import { exportRoutes } from "./exports/routes";
import { registerExportJobs, resumeExports } from "./runs/progress";
import { registerScheduleJobs } from "./runs/schedules";
import { tables } from "./tables";

/**
 * Bulk exports (API `4C`). `destinations/` and `exports/` serve the API, `runs/` splits an export into one file for
 * each day and project, `parquet/` writes a file in a worker thread, and `s3/` is the client of any bucket.
 */
export const bulkExport: Feature = {
  tables,
  routes: (settings) => [...destinationRoutes(settings), ...exportRoutes(settings)],
  register(context) {
    registerExportJobs(context);
    registerScheduleJobs(context);
  },
  resume: resumeExports,
};
