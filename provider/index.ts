/** The lifecycle of each kind, by frozen names: stubs in users' states load this module. */
// Generated from the definitions by `npm run generate`. Do not edit.
import { lifecycle } from "./engine/host/dynamic";
import { realEnvironment } from "./engine/host/environment";
import { assistant } from "./resources/assistant";
import { bulkExport } from "./resources/bulk-export";
import { bulkExportDestination } from "./resources/bulk-export-destination";
import { cron } from "./resources/cron";
import { deployment } from "./resources/deployment";
import { scheduledBulkExport } from "./resources/scheduled-bulk-export";
import { thread } from "./resources/thread";

const environment = realEnvironment();

export const Deployment = lifecycle(deployment, environment);
export const BulkExportDestination = lifecycle(bulkExportDestination, environment);
export const BulkExport = lifecycle(bulkExport, environment);
export const ScheduledBulkExport = lifecycle(scheduledBulkExport, environment);
export const Thread = lifecycle(thread, environment);
export const Assistant = lifecycle(assistant, environment);
export const Cron = lifecycle(cron, environment);
