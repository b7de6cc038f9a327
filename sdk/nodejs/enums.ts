// Generated from the definitions by `npm run generate`. Do not edit.
import type * as types from "./resources";

/** Known values. A newer server may use others. */
export const DeploymentSource = {
  /** A repository of the git host, built by the cloud service. */
  GitHost: "githost",
  /** A container image from a registry, for self-hosted deployments. */
  ExternalDocker: "external_docker",
  /** An image in the registry of the cloud service. */
  InternalDocker: "internal_docker",
  /** A local folder, uploaded to and built by the cloud service. */
  InternalSource: "internal_source",
  /** A prebuilt template of the cloud service. */
  InternalTemplate: "internal_template",
} as const;
export type DeploymentSource = types.DeploymentSource;

/** Known values. A newer server may use others. */
export const DeploymentType = {
  DevFree: "dev_free",
  Dev: "dev",
  Prod: "prod",
  DevZero: "dev_zero",
  DevFreeZero: "dev_free_zero",
} as const;
export type DeploymentType = types.DeploymentType;

/** When the image is pulled. Defaults to the Kubernetes policy. */
export const ContainerImagePullPolicy = { Always: "Always", Never: "Never", IfNotPresent: "IfNotPresent" } as const;
export type ContainerImagePullPolicy = (typeof ContainerImagePullPolicy)[keyof typeof ContainerImagePullPolicy];

/** When a sidecar is restarted. Defaults to the Kubernetes policy. */
export const ContainerRestartPolicy = { Always: "Always", OnFailure: "OnFailure" } as const;
export type ContainerRestartPolicy = (typeof ContainerRestartPolicy)[keyof typeof ContainerRestartPolicy];

/** Known values. A newer server may use others. */
export const AgentEnvironment = { Development: "development", Staging: "staging", Production: "production" } as const;
export type AgentEnvironment = types.AgentEnvironment;

/** What create and update wait for: the latest revision to be DEPLOYED and active (`deployed`), the agent server to return success for `/ok` as well (`healthy`), or nothing (`none`). Defaults to `deployed`. */
export const DeploymentWaitFor = { Deployed: "deployed", Healthy: "healthy", None: "none" } as const;
export type DeploymentWaitFor = types.DeploymentWaitFor;

/** Method of the request. Defaults to `POST` with a body, and to `GET` without one. */
export const HttpCheckMethod = {
  Get: "GET",
  Head: "HEAD",
  Post: "POST",
  Put: "PUT",
  Patch: "PATCH",
  Delete: "DELETE",
  Options: "OPTIONS",
} as const;
export type HttpCheckMethod = (typeof HttpCheckMethod)[keyof typeof HttpCheckMethod];

/** What happens on the new deployment to threads that wait for an answer: their nodes run again up to the question (`askAgain`), or they have the state before it and ask with their next run (`leave`). Without it, a replacement fails before anything is lost if there are any. */
export const KeepConversationsWaiting = { AskAgain: "askAgain", Leave: "leave" } as const;
export type KeepConversationsWaiting = (typeof KeepConversationsWaiting)[keyof typeof KeepConversationsWaiting];

/** Known values. A newer server may use others. */
export const DeploymentStatus = {
  AwaitingDatabase: "AWAITING_DATABASE",
  Ready: "READY",
  Unused: "UNUSED",
  AwaitingDelete: "AWAITING_DELETE",
  Unknown: "UNKNOWN",
} as const;
export type DeploymentStatus = types.DeploymentStatus;

/** Known values. A newer server may use others. */
export const BulkExportDestinationType = { S3: "s3" } as const;
export type BulkExportDestinationType = types.BulkExportDestinationType;

/** Known values. A newer server may use others. */
export const BulkExportField = {
  Id: "id",
  TenantId: "tenant_id",
  SessionId: "session_id",
  TraceId: "trace_id",
  ParentRunId: "parent_run_id",
  ParentRunIds: "parent_run_ids",
  ReferenceExampleId: "reference_example_id",
  Name: "name",
  RunType: "run_type",
  StartTime: "start_time",
  EndTime: "end_time",
  Status: "status",
  IsRoot: "is_root",
  DottedOrder: "dotted_order",
  TraceTier: "trace_tier",
  Inputs: "inputs",
  Outputs: "outputs",
  Error: "error",
  Extra: "extra",
  Events: "events",
  Tags: "tags",
  FeedbackStats: "feedback_stats",
  TotalTokens: "total_tokens",
  PromptTokens: "prompt_tokens",
  CompletionTokens: "completion_tokens",
  TotalCost: "total_cost",
  PromptCost: "prompt_cost",
  CompletionCost: "completion_cost",
  FirstTokenTime: "first_token_time",
  Feedbacks: "feedbacks",
} as const;
export type BulkExportField = types.BulkExportField;

/** Known values. A newer server may use others. */
export const BulkExportFormat = { Parquet: "Parquet" } as const;
export type BulkExportFormat = types.BulkExportFormat;

/** Known values. A newer server may use others. */
export const BulkExportFormatVersion = { V1: "v1", V2Beta: "v2_beta" } as const;
export type BulkExportFormatVersion = types.BulkExportFormatVersion;

/** Known values. A newer server may use others. */
export const BulkExportCompression = { None: "none", Gzip: "gzip", Snappy: "snappy", Zstandard: "zstandard" } as const;
export type BulkExportCompression = types.BulkExportCompression;

/** What create and update wait for: the end of the export (`completed`), for at most customTimeouts (75 minutes by default), or nothing (`none`). Defaults to `none`. */
export const BulkExportWaitFor = { None: "none", Completed: "completed" } as const;
export type BulkExportWaitFor = (typeof BulkExportWaitFor)[keyof typeof BulkExportWaitFor];

/** Known values. A newer server may use others. */
export const BulkExportStatus = {
  Created: "CREATED",
  Running: "RUNNING",
  Completed: "COMPLETED",
  Failed: "FAILED",
  Cancelled: "CANCELLED",
  TimedOut: "TIMEDOUT",
  IntervalScheduled: "INTERVALSCHEDULED",
} as const;
export type BulkExportStatus = types.BulkExportStatus;

/** Known values. A newer server may use others. */
export const ThreadTtlStrategy = { Delete: "delete", KeepLatest: "keep_latest" } as const;
export type ThreadTtlStrategy = types.ThreadTtlStrategy;

/** Known values. A newer server may use others. */
export const ThreadStatus = { Idle: "idle", Busy: "busy", Interrupted: "interrupted", Error: "error" } as const;
export type ThreadStatus = types.ThreadStatus;

/** Known values. A newer server may use others. */
export const CronMultitaskStrategy = {
  Enqueue: "enqueue",
  Reject: "reject",
  Interrupt: "interrupt",
  Rollback: "rollback",
} as const;
export type CronMultitaskStrategy = types.CronMultitaskStrategy;

/** Known values. A newer server may use others. */
export const CronOnRunCompleted = { Delete: "delete", Keep: "keep" } as const;
export type CronOnRunCompleted = types.CronOnRunCompleted;

/** Known values. A newer server may use others. */
export const CronDurability = { Sync: "sync", Async: "async", Exit: "exit" } as const;
export type CronDurability = types.CronDurability;

/** Known values. A newer server may use others. */
export const CronStreamMode = {
  Values: "values",
  Messages: "messages",
  MessagesTuple: "messages-tuple",
  Updates: "updates",
  Events: "events",
  Tasks: "tasks",
  Checkpoints: "checkpoints",
  Debug: "debug",
  Custom: "custom",
} as const;
export type CronStreamMode = types.CronStreamMode;

/** Known values. A newer server may use others. */
export const RevisionStatus = {
  Creating: "CREATING",
  Queued: "QUEUED",
  AwaitingBuild: "AWAITING_BUILD",
  Building: "BUILDING",
  AwaitingDeploy: "AWAITING_DEPLOY",
  Deploying: "DEPLOYING",
  Deployed: "DEPLOYED",
  CreateFailed: "CREATE_FAILED",
  BuildFailed: "BUILD_FAILED",
  DeployFailed: "DEPLOY_FAILED",
  Skipped: "SKIPPED",
  Interrupted: "INTERRUPTED",
  Unknown: "UNKNOWN",
} as const;
export type RevisionStatus = types.RevisionStatus;

/** Log to read. */
export const GetRevisionLogsType = { Build: "build", Deploy: "deploy" } as const;
export type GetRevisionLogsType = (typeof GetRevisionLogsType)[keyof typeof GetRevisionLogsType];

/** Order of the lines: oldest first (`asc`) or newest first (`desc`). Defaults to `asc`. */
export const GetRevisionLogsOrder = { Asc: "asc", Desc: "desc" } as const;
export type GetRevisionLogsOrder = (typeof GetRevisionLogsOrder)[keyof typeof GetRevisionLogsOrder];

/** Field to sort by. Chosen by the server if not set. */
export const GetThreadsSortBy = {
  ThreadId: "thread_id",
  Status: "status",
  CreatedAt: "created_at",
  UpdatedAt: "updated_at",
  StateUpdatedAt: "state_updated_at",
} as const;
export type GetThreadsSortBy = (typeof GetThreadsSortBy)[keyof typeof GetThreadsSortBy];

/** Sort order: ascending (`asc`) or descending (`desc`). Chosen by the server if not set. */
export const GetThreadsSortOrder = { Asc: "asc", Desc: "desc" } as const;
export type GetThreadsSortOrder = (typeof GetThreadsSortOrder)[keyof typeof GetThreadsSortOrder];

/** Platform whose behavior the server has where servers differ, such as what a changed repository does: `langsmith`. Default: known from the host. */
export const ProviderPlatform = { Langsmith: "langsmith" } as const;
export type ProviderPlatform = (typeof ProviderPlatform)[keyof typeof ProviderPlatform];
