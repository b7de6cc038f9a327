/** The public exports: a class and its type for each resource, and both forms of each function. */
// Generated from the definitions by `npm run generate`. Do not edit.
import * as components from "./components/agent-service";
import { defineFunction } from "./function";
import { defineClass } from "./resource";
import * as types from "./resources";

/**
 * A deployed agent with its database, threads and revisions. `pulumi up` returns when the latest revision is live; if
 * the rollout fails, the error shows the cause, the IDs and the last lines of the log.
 *
 * @example
 * ```ts
 * const supportAgent = new agentgraph.Deployment("support-agent", {
 *   source: "external_docker",
 *   sourceConfig: {
 *     resourceSpec: { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024 },
 *   },
 *   sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.4.2" },
 *   secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
 * });
 * ```
 * @see [Guide](node_modules/pulumi-agentgraph/docs/deployment.md)
 */
export const Deployment = defineClass<types.DeploymentClass>("Deployment", types.resources.Deployment);
export type Deployment<
  Source extends keyof types.DeploymentArgsBySource = keyof types.DeploymentArgsBySource,
  WaitFor extends types.DeploymentWaitFor = types.DeploymentWaitFor,
> = types.Deployment<Source, WaitFor>;

/**
 * A bucket to which exports are written. The server tests access to the bucket before it saves the destination. Only
 * the credentials can be updated in place.
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
 * @see [Guide](node_modules/pulumi-agentgraph/docs/exports.md)
 */
export const BulkExportDestination = defineClass<types.BulkExportDestinationClass>(
  "BulkExportDestination",
  types.resources.BulkExportDestination,
);
export type BulkExportDestination = types.BulkExportDestination;

/**
 * An export of the traces of a project, or of all experiments, for a time range. An export cannot be updated: any
 * change starts a new export.
 *
 * @example
 * ```ts
 * const january = new agentgraph.BulkExport("january", {
 *   bulkExportDestinationId: config.require("destinationId"),
 *   sessionId: config.require("projectId"),
 *   startTime: "2026-01-01T00:00:00Z",
 *   endTime: "2026-02-01T00:00:00Z",
 *   waitFor: "completed",
 * });
 * ```
 * @see [Guide](node_modules/pulumi-agentgraph/docs/exports.md)
 */
export const BulkExport = defineClass<types.BulkExportClass>("BulkExport", types.resources.BulkExport);
export type BulkExport = types.BulkExport;

/**
 * An export that repeats every 1 to 168 hours. A new schedule also exports all windows that have passed since its
 * start time.
 *
 * @example
 * ```ts
 * const nightly = new agentgraph.ScheduledBulkExport("nightly", {
 *   bulkExportDestinationId: config.require("destinationId"),
 *   sessionId: config.require("projectId"),
 *   startTime: "2026-01-01T00:00:00Z",
 *   intervalHours: 24,
 * });
 * ```
 * @see [Guide](node_modules/pulumi-agentgraph/docs/exports.md)
 */
export const ScheduledBulkExport = defineClass<types.ScheduledBulkExportClass>(
  "ScheduledBulkExport",
  types.resources.ScheduledBulkExport,
);
export type ScheduledBulkExport = types.ScheduledBulkExport;

/**
 * A conversation on the agent server of a deployment. It keeps its state across runs; state that runs add is never
 * compared.
 *
 * @example
 * ```ts
 * const welcome = new agentgraph.Thread("welcome", {
 *   deploymentId: config.require("deploymentId"),
 *   metadata: { graph_id: "agent", team: "support" },
 *   supersteps: [
 *     {
 *       updates: [
 *         {
 *           asNode: "__start__",
 *           values: { messages: [{ role: "user", content: "Hello" }] },
 *         },
 *       ],
 *     },
 *   ],
 * });
 * ```
 * @see [Guide](node_modules/pulumi-agentgraph/docs/thread.md)
 */
export const Thread = defineClass<types.ThreadClass>("Thread", types.resources.Thread);
export type Thread = types.Thread;

/**
 * A stored configuration of one graph of a deployment, such as its model and prompt. Each change makes one new
 * version, which runs use from then on.
 *
 * @example
 * ```ts
 * const support = new agentgraph.Assistant("support", {
 *   deploymentId: config.require("deploymentId"),
 *   graphId: "agent",
 *   context: { model: "large", prompt: "Be brief." },
 *   metadata: { team: "support" },
 * });
 * ```
 * @see [Guide](node_modules/pulumi-agentgraph/docs/assistant.md)
 */
export const Assistant = defineClass<types.AssistantClass>("Assistant", types.resources.Assistant);
export type Assistant<
  Context extends object = Record<string, unknown>,
  Configurable extends object = Record<string, unknown>,
> = types.Assistant<Context, Configurable>;

/**
 * A schedule on which the agent server of a deployment starts runs of an assistant. It has no history; a replacement
 * skips a time that falls into it, and runs that it started continue.
 *
 * @example
 * ```ts
 * const summary = new agentgraph.Cron("summary", {
 *   deploymentId: config.require("deploymentId"),
 *   assistantId: "agent",
 *   schedule: "0 3 * * *",
 *   timezone: "Europe/Berlin",
 *   input: { messages: [{ role: "user", content: "Summarize the day." }] },
 * });
 * ```
 * @see [Guide](node_modules/pulumi-agentgraph/docs/cron.md)
 */
export const Cron = defineClass<types.CronClass>("Cron", types.resources.Cron);
export type Cron<
  Context extends object = Record<string, unknown>,
  Configurable extends object = Record<string, unknown>,
> = types.Cron<Context, Configurable>;

/**
 * An agent with all that belongs to it: a deployment, its assistants, their crons, a thread, and a nightly export of
 * its traces. One component for all languages, whose resources are the same as if the program declared each.
 *
 * @example
 * ```ts
 * const support = new agentgraph.AgentService("support", {
 *   deployment: {
 *     source: "external_docker",
 *     sourceRevisionConfig: { imageUri: "registry.example.com/support-agent:1.4.2" },
 *   },
 *   assistants: {
 *     concierge: {
 *       graphId: "agent",
 *       context: { model: "large-2", prompt: "You help customers of a shoe store." },
 *     },
 *   },
 *   crons: {
 *     summary: {
 *       assistant: "concierge",
 *       schedule: "0 3 * * *",
 *       input: { messages: [{ role: "user", content: "Summarize the day." }] },
 *     },
 *   },
 * });
 * ```
 * @see [Guide](node_modules/pulumi-agentgraph/docs/agent-service.md)
 */
export const AgentService = components.agentServiceOf({
  Deployment,
  Assistant,
  Cron,
  Thread,
  ScheduledBulkExport,
  BulkExportDestination,
});
export type AgentService<Contexts extends components.ServiceContexts = components.AnyContexts> =
  components.AgentService<Contexts>;

// Documented by their types in functions.ts, which editors show.
export const [getAssistant, getAssistantOutput] = defineFunction("getAssistant");
export const [getAssistantSchemas, getAssistantSchemasOutput] = defineFunction("getAssistantSchemas");
export const [getAssistantVersions, getAssistantVersionsOutput] = defineFunction("getAssistantVersions");
export const [getAssistants, getAssistantsOutput] = defineFunction("getAssistants");
export const [getBulkExport, getBulkExportOutput] = defineFunction("getBulkExport");
export const [getBulkExportDestination, getBulkExportDestinationOutput] = defineFunction("getBulkExportDestination");
export const [getBulkExportDestinations, getBulkExportDestinationsOutput] = defineFunction("getBulkExportDestinations");
export const [getBulkExportRuns, getBulkExportRunsOutput] = defineFunction("getBulkExportRuns");
export const [getBulkExports, getBulkExportsOutput] = defineFunction("getBulkExports");
export const [getCron, getCronOutput] = defineFunction("getCron");
export const [getCrons, getCronsOutput] = defineFunction("getCrons");
export const [getDeployment, getDeploymentOutput] = defineFunction("getDeployment");
export const [getDeployments, getDeploymentsOutput] = defineFunction("getDeployments");
export const [getIntegration, getIntegrationOutput] = defineFunction("getIntegration");
export const [getIntegrations, getIntegrationsOutput] = defineFunction("getIntegrations");
export const [getListener, getListenerOutput] = defineFunction("getListener");
export const [getListeners, getListenersOutput] = defineFunction("getListeners");
export const [getProject, getProjectOutput] = defineFunction("getProject");
export const [getPushToken, getPushTokenOutput] = defineFunction("getPushToken");
export const [getRepositories, getRepositoriesOutput] = defineFunction("getRepositories");
export const [getRevision, getRevisionOutput] = defineFunction("getRevision");
export const [getRevisionLogs, getRevisionLogsOutput] = defineFunction("getRevisionLogs");
export const [getRevisions, getRevisionsOutput] = defineFunction("getRevisions");
export const [getThread, getThreadOutput] = defineFunction("getThread");
export const [getThreadHistory, getThreadHistoryOutput] = defineFunction("getThreadHistory");
export const [getThreadState, getThreadStateOutput] = defineFunction("getThreadState");
export const [getThreads, getThreadsOutput] = defineFunction("getThreads");
export const [getUploadUrl, getUploadUrlOutput] = defineFunction("getUploadUrl");
export const [getWorkspace, getWorkspaceOutput] = defineFunction("getWorkspace");

export type * from "./components/args";
// By name, because a star does not take precedence over the types of the same names.
export {
  AgentEnvironment,
  BulkExportCompression,
  BulkExportDestinationType,
  BulkExportField,
  BulkExportFormat,
  BulkExportFormatVersion,
  BulkExportStatus,
  BulkExportWaitFor,
  ContainerImagePullPolicy,
  ContainerRestartPolicy,
  CronDurability,
  CronMultitaskStrategy,
  CronOnRunCompleted,
  CronStreamMode,
  DeploymentSource,
  DeploymentStatus,
  DeploymentType,
  DeploymentWaitFor,
  GetRevisionLogsOrder,
  GetRevisionLogsType,
  GetThreadsSortBy,
  GetThreadsSortOrder,
  HttpCheckMethod,
  KeepConversationsWaiting,
  ProviderPlatform,
  RevisionStatus,
  ThreadStatus,
  ThreadTtlStrategy,
} from "./enums";
export type { LookupOptions, LookupOutputOptions } from "./function-types";
export type * from "./functions";
export { Provider } from "./provider";
export type * from "./resources";
