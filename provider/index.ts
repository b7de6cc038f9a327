/** Exports the lifecycle of each type. The stub in users' state loads this module by export name, so names are frozen. */
import { lifecycle } from "./engine/dynamic";
import { bulkExport } from "./resources/bulk-export";
import { bulkExportDestination } from "./resources/bulk-export-destination";
import { deployment } from "./resources/deployment";
import { scheduledBulkExport } from "./resources/scheduled-bulk-export";
import { thread } from "./resources/thread";

export const Deployment = lifecycle(deployment);
export const BulkExportDestination = lifecycle(bulkExportDestination);
export const BulkExport = lifecycle(bulkExport);
export const ScheduledBulkExport = lifecycle(scheduledBulkExport);
export const Thread = lifecycle(thread);
