/** The list users see: a class and its type for each resource, and the two forms of each look-up. */
import * as kinds from "./kinds";
import { lookup } from "./lookup";
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

export const [getDeployment, getDeploymentOutput] = lookup("getDeployment");
export const [getDeployments, getDeploymentsOutput] = lookup("getDeployments");
export const [getRevision, getRevisionOutput] = lookup("getRevision");
export const [getRevisions, getRevisionsOutput] = lookup("getRevisions");
export const [getRevisionLogs, getRevisionLogsOutput] = lookup("getRevisionLogs");
export const [getIntegration, getIntegrationOutput] = lookup("getIntegration");
export const [getIntegrations, getIntegrationsOutput] = lookup("getIntegrations");
export const [getRepositories, getRepositoriesOutput] = lookup("getRepositories");
export const [getListener, getListenerOutput] = lookup("getListener");
export const [getListeners, getListenersOutput] = lookup("getListeners");
export const [getPushToken, getPushTokenOutput] = lookup("getPushToken");
export const [getWorkspace, getWorkspaceOutput] = lookup("getWorkspace");
export const [getProject, getProjectOutput] = lookup("getProject");
export const [getBulkExportDestination, getBulkExportDestinationOutput] = lookup("getBulkExportDestination");
export const [getBulkExportDestinations, getBulkExportDestinationsOutput] = lookup("getBulkExportDestinations");
export const [getBulkExport, getBulkExportOutput] = lookup("getBulkExport");
export const [getBulkExports, getBulkExportsOutput] = lookup("getBulkExports");
export const [getBulkExportRuns, getBulkExportRunsOutput] = lookup("getBulkExportRuns");
export const [getThread, getThreadOutput] = lookup("getThread");
export const [getThreads, getThreadsOutput] = lookup("getThreads");
export const [getThreadState, getThreadStateOutput] = lookup("getThreadState");
export const [getThreadHistory, getThreadHistoryOutput] = lookup("getThreadHistory");

export type * from "./kinds";
export type { LookupOptions } from "./lookup-types";
export type * from "./lookups";
export { Provider } from "./provider";
