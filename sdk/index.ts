/** The list users see: a class and its type for each resource, and the two forms of each look-up. */
import * as kinds from "./kinds";
import { lookup } from "./lookup";
import { resource } from "./resource";

/**
 * An agent on the service, with its database, its threads, and one revision after another. Done when the newest revision
 * serves; a failed one is an error that names cause, ids and the end of the log. Interface: sections 2A and 4A.
 */
export const Deployment = resource<kinds.DeploymentClass>("Deployment", kinds.kinds.Deployment);
export type Deployment = kinds.Deployment;

/**
 * A bucket that exports write to. The service tries it before it saves it, and a refusal names the property to mend. Only
 * its credentials change in place. Interface: sections 2C and 4C.
 */
export const BulkExportDestination = resource<kinds.BulkExportDestinationClass>(
  "BulkExportDestination",
  kinds.kinds.BulkExportDestination,
);
export type BulkExportDestination = kinds.BulkExportDestination;

/**
 * The traces of a project, or of all experiments, of a range of time, written to a bucket once. It cannot be changed: any
 * change runs it anew. Interface: sections 2C and 4C.
 */
export const BulkExport = resource<kinds.BulkExportClass>("BulkExport", kinds.kinds.BulkExport);
export type BulkExport = kinds.BulkExport;

/**
 * The same in every interval of 1 to 168 hours. A new one exports all windows again that have passed since its start.
 * Interface: sections 2C and 4C.
 */
export const ScheduledBulkExport = resource<kinds.ScheduledBulkExportClass>(
  "ScheduledBulkExport",
  kinds.kinds.ScheduledBulkExport,
);
export type ScheduledBulkExport = kinds.ScheduledBulkExport;

/**
 * A conversation on the agent server of a deployment, which keeps its state across runs. What runs add to it is never
 * compared. Interface: sections 2B and 4B.
 */
export const Thread = resource<kinds.ThreadClass>("Thread", kinds.kinds.Thread);
export type Thread = kinds.Thread;

// What each does is told by its type, in lookups.ts, which editors show with the call.
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
export const [getUploadUrl, getUploadUrlOutput] = lookup("getUploadUrl");
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
