/** The list users see: a class and its type for each resource. */
import * as kinds from "./kinds";
import { resource } from "./resource";

export const Deployment = resource<kinds.DeploymentClass>("Deployment", kinds.kinds.Deployment);
export type Deployment = kinds.Deployment;

export const BulkExportDestination = resource<kinds.BulkExportDestinationClass>(
  "BulkExportDestination",
  kinds.kinds.BulkExportDestination,
);
export type BulkExportDestination = kinds.BulkExportDestination;

export const BulkExport = resource<kinds.BulkExportClass>("BulkExport", kinds.kinds.BulkExport);
export type BulkExport = kinds.BulkExport;

export const ScheduledBulkExport = resource<kinds.ScheduledBulkExportClass>(
  "ScheduledBulkExport",
  kinds.kinds.ScheduledBulkExport,
);
export type ScheduledBulkExport = kinds.ScheduledBulkExport;

export const Thread = resource<kinds.ThreadClass>("Thread", kinds.kinds.Thread);
export type Thread = kinds.Thread;

export type * from "./kinds";
export { Provider } from "./provider";
