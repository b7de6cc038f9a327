/** All resource definitions. The CLI and the generator of sdk/nodejs/resources.ts read this list. */
import type { Definition } from "./definition/definition";
import { assistant } from "./resources/assistant";
import { bulkExport } from "./resources/bulk-export";
import { bulkExportDestination } from "./resources/bulk-export-destination";
import { cron } from "./resources/cron";
import { deployment } from "./resources/deployment";
import { scheduledBulkExport } from "./resources/scheduled-bulk-export";
import { thread } from "./resources/thread";

export const definitions = [
  deployment,
  bulkExportDestination,
  bulkExport,
  scheduledBulkExport,
  thread,
  assistant,
  cron,
] as unknown as Definition[];
