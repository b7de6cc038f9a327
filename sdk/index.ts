/** The public exports: a class and its type for each resource, and both forms of each function. */
import * as kinds from "./kinds";
import { lookup } from "./lookup";
import { resource } from "./resource";

/**
 * A deployed agent with its database, threads and revisions. `pulumi up` returns when the latest revision is live; if the
 * rollout fails, the error shows the cause, the IDs and the last lines of the log.
 *
 * @example
 * ```ts
 * const agent = new agentgraph.Deployment("support-agent", {
 *   source: "external_docker",
 *   sourceConfig: { resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 } },
 *   sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.4.2" },
 *   secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
 * });
 * ```
 * @see [Deployment guide](node_modules/pulumi-agentgraph/docs/deployment.md)
 */
export const Deployment = resource<kinds.DeploymentClass>("Deployment", kinds.kinds.Deployment);
export type Deployment<
  Source extends keyof kinds.DeploymentArgsBySource = keyof kinds.DeploymentArgsBySource,
  WaitFor extends kinds.DeploymentWaitFor = kinds.DeploymentWaitFor,
> = kinds.Deployment<Source, WaitFor>;

/**
 * A bucket to which exports are written. The server tests access to the bucket before it saves the destination. Only the
 * credentials can be updated in place.
 *
 * @example
 * ```ts
 * const lake = new agentgraph.BulkExportDestination("lake", {
 *   destinationType: "s3",
 *   displayName: "Data lake",
 *   config: { bucketName: "traces", prefix: "agents", region: "eu-central-1" },
 *   credentials: {
 *     accessKeyId: config.requireSecret("accessKeyId"),
 *     secretAccessKey: config.requireSecret("secretAccessKey"),
 *   },
 * });
 * ```
 * @see [Guide to exports](node_modules/pulumi-agentgraph/docs/exports.md)
 */
export const BulkExportDestination = resource<kinds.BulkExportDestinationClass>(
  "BulkExportDestination",
  kinds.kinds.BulkExportDestination,
);
export type BulkExportDestination = kinds.BulkExportDestination;

/**
 * An export of the traces of a project, or of all experiments, for a time range. An export cannot be updated: any change
 * starts a new export.
 *
 * @example
 * ```ts
 * const january = new agentgraph.BulkExport("january", {
 *   bulkExportDestinationId: lake.id,
 *   sessionId: agent.tracingProjectId,
 *   startTime: "2026-01-01T00:00:00Z",
 *   endTime: "2026-02-01T00:00:00Z",
 *   waitFor: "completed",
 * });
 * ```
 * @see [Guide to exports](node_modules/pulumi-agentgraph/docs/exports.md)
 */
export const BulkExport = resource<kinds.BulkExportClass>("BulkExport", kinds.kinds.BulkExport);
export type BulkExport = kinds.BulkExport;

/**
 * An export that repeats every 1 to 168 hours. A new schedule also exports all windows that have passed since its start
 * time.
 *
 * @example
 * ```ts
 * const nightly = new agentgraph.ScheduledBulkExport("nightly", {
 *   bulkExportDestinationId: lake.id,
 *   sessionId: agent.tracingProjectId,
 *   startTime: "2026-01-01T00:00:00Z",
 *   intervalHours: 24,
 * });
 * ```
 * @see [Guide to exports](node_modules/pulumi-agentgraph/docs/exports.md)
 */
export const ScheduledBulkExport = resource<kinds.ScheduledBulkExportClass>(
  "ScheduledBulkExport",
  kinds.kinds.ScheduledBulkExport,
);
export type ScheduledBulkExport = kinds.ScheduledBulkExport;

/**
 * A conversation on the agent server of a deployment. It keeps its state across runs; state that runs add is never
 * compared.
 *
 * @example
 * ```ts
 * const welcome = new agentgraph.Thread("welcome", {
 *   deploymentId: agent.id,
 *   metadata: { graph_id: "agent", audience: "new guests" },
 * });
 * ```
 * @see [Thread guide](node_modules/pulumi-agentgraph/docs/thread.md)
 */
export const Thread = resource<kinds.ThreadClass>("Thread", kinds.kinds.Thread);
export type Thread = kinds.Thread;

// Documented by their types in lookups.ts, which editors show.
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
export type { LookupOptions, LookupOutputOptions } from "./lookup-types";
export type * from "./lookups";
export { Provider } from "./provider";
