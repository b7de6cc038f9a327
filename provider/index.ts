/** Type name -> lifecycle. The stub in every user's state loads this module and takes one export: the names are frozen. */
import { lifecycle } from "./lifecycle";
import { bulkExportDestination } from "./resources/bulk-export-destination";
import { deployment } from "./resources/deployment";

export const Deployment = lifecycle(deployment);
export const BulkExportDestination = lifecycle(bulkExportDestination);
