// Generated from the functions by `npm run generate`. Do not edit.
// biome-ignore-all lint/style/useShorthandFunctionType: editors show the comments of call signatures only.
import type * as pulumi from "@pulumi/pulumi";
import type {
  FunctionMetadata,
  LookupInputs,
  LookupOptions,
  LookupOutputOptions,
  OneOf,
  OutputFields,
} from "./function-types";
import type {
  AgentEnvironment,
  BulkExportCompression,
  BulkExportDestinationType,
  BulkExportField,
  BulkExportFormat,
  BulkExportFormatVersion,
  BulkExportStatus,
  DeploymentSource,
  DeploymentStatus,
  DeploymentType,
  RevisionStatus,
  S3AddressingStyle,
  ThreadStatus,
  ThreadTtlStrategy,
} from "./resources";

/** An assistant of an agent server. */
export interface AssistantInfo {
  /** ID of the assistant. */
  assistantId: string;
  /** Name of the graph that it configures. */
  graphId?: string;
  /** Name; several assistants may have the same. */
  name?: string;
  /** Description; absent where it has none. */
  description?: string;
  /** Configuration of its runs. */
  config?: RunConfigInfo;
  /** What the graph reads as its context, by key. */
  context?: Record<string, unknown>;
  /** Metadata by key, which its runs inherit. Keys keep their spelling. */
  metadata?: Record<string, unknown>;
  /** Number of its version. */
  version?: number;
  /** Time of creation. */
  createdAt?: string;
  /** Time of the last change; absent for an older version. */
  updatedAt?: string;
  /** Whether the server made it for a graph; runs that name the graph use it. */
  isDefault: boolean;
}

/** The configuration of runs. */
export interface RunConfigInfo {
  /** Tags of the runs. */
  tags?: string[];
  /** Maximum number of steps of a run. */
  recursionLimit?: number;
  /** Values that the graph reads from its configuration, by key. Graphs with a context read that instead. */
  configurable?: Record<string, unknown>;
  [key: string]: unknown;
}

/** What the graph of an assistant accepts. */
export interface AssistantSchemas {
  /** Name of the graph. */
  graphId?: string;
  /** JSON Schema of the input. */
  inputSchema?: Record<string, unknown>;
  /** JSON Schema of the output. */
  outputSchema?: Record<string, unknown>;
  /** JSON Schema of the state. */
  stateSchema?: Record<string, unknown>;
  /** JSON Schema of `config.configurable`. */
  configSchema?: Record<string, unknown>;
  /** JSON Schema of `context`; absent where the graph has none. */
  contextSchema?: Record<string, unknown>;
}

/** A version of an assistant. */
export interface AssistantVersionInfo {
  /** ID of the assistant. */
  assistantId: string;
  /** Name of the graph that it configures. */
  graphId?: string;
  /** Name; several assistants may have the same. */
  name?: string;
  /** Description; absent where it has none. */
  description?: string;
  /** Configuration of its runs. */
  config?: RunConfigInfo;
  /** What the graph reads as its context, by key. */
  context?: Record<string, unknown>;
  /** Metadata by key, which its runs inherit. Keys keep their spelling. */
  metadata?: Record<string, unknown>;
  /** Number of its version. */
  version?: number;
  /** Time of creation. */
  createdAt?: string;
  /** Time of the last change; absent for an older version. */
  updatedAt?: string;
}

/** A one-time export, a schedule, or an export that a schedule created. */
export interface BulkExportInfo {
  /** ID of the export. */
  id: string;
  /** ID of the workspace. */
  tenantId?: string;
  /** ID of the destination. */
  bulkExportDestinationId?: string;
  /** ID of the exported project; absent where all experiments are exported. */
  sessionId?: string;
  /** Whether all experiments of the workspace are exported. */
  allExperiments?: boolean;
  /** Start of the time window, inclusive. */
  startTime?: string;
  /** End of the time window, exclusive; absent for a schedule. */
  endTime?: string;
  /** Interval of a schedule, in hours; absent for a one-time export. */
  intervalHours?: number;
  /** Filter for runs; absent where all runs are exported. */
  filter?: string;
  /** Exported fields of each run; absent where all fields are exported. */
  exportFields?: BulkExportField[];
  /** Format of the files. */
  format?: BulkExportFormat;
  /** Version of the format. */
  formatVersion?: BulkExportFormatVersion;
  /** Compression of the files. */
  compression?: BulkExportCompression;
  /** Status in upper case: CREATED, RUNNING, COMPLETED, FAILED, CANCELLED, TIMEDOUT, or another value that the server uses. */
  status?: BulkExportStatus;
  /** ID of the schedule that created the export; absent for other exports. */
  sourceBulkExportId?: string;
  /** Time of creation. */
  createdAt?: string;
  /** Time of the last change. */
  updatedAt?: string;
  /** Time at which the export finished; absent until then. */
  finishedAt?: string;
}

/** A bucket to which exports are written. */
export interface BulkExportDestinationInfo {
  /** ID of the destination, for `bulkExportDestinationId` of an export. */
  id: string;
  /** ID of the workspace. */
  tenantId?: string;
  /** Name of the destination. */
  displayName?: string;
  /** Type of the object store. */
  destinationType?: BulkExportDestinationType;
  /** Bucket and prefix. */
  config?: BulkExportDestinationConfigInfo;
  /** Names of the stored credentials; the server never returns their values. */
  credentialsKeys?: string[];
  /** Role that the platform assumes in place of an access key. */
  awsRoleArn?: string;
  /** Time of creation. */
  createdAt?: string;
  /** Time of the last change. */
  updatedAt?: string;
}

/** A bucket, and how the server accesses it. */
export interface BulkExportDestinationConfigInfo {
  /** Name of an existing bucket, 3 to 63 characters. */
  bucketName: string;
  /** Prefix of the keys in the bucket, without a leading slash. Defaults to the root of the bucket. */
  prefix?: string;
  /** Region of the bucket. For other S3-compatible stores, set `endpointUrl` instead. */
  region?: string;
  /** URL of another S3-compatible store. Defaults to the cloud object store. */
  endpointUrl?: string;
  /** Whether keys begin with the bucket name. Set to false if `endpointUrl` already contains the bucket. Defaults to true. */
  includeBucketInPrefix?: boolean;
  /** Options of the server's S3 client. Further keys are passed through unchanged. */
  configKwargsS3?: S3ConfigKwargsInfo;
  /** Further arguments of each upload, such as encryption, under the names of the server's S3 client. */
  s3AdditionalKwargs?: Record<string, unknown>;
}

export interface S3ConfigKwargsInfo {
  /** Where URLs contain the bucket name: in the host name (`virtual`), in the path (`path`), or chosen by the server (`auto`). Defaults to `auto`. */
  addressingStyle?: S3AddressingStyle;
  [key: string]: unknown;
}

/** A run of an export, for one day of one project. */
export interface BulkExportRunInfo {
  /** ID of the run. */
  id: string;
  /** ID of the export. */
  bulkExportId?: string;
  /** Status in upper case. */
  status?: BulkExportStatus;
  /** Number of retries. */
  retryNumber?: number;
  /** Errors by attempt: `retry_0` is the first. */
  errors?: Record<string, unknown>;
  /** Time window and result of the run. */
  metadata?: BulkExportRunMetadataInfo;
}

/** The time window and the result of a run. */
export interface BulkExportRunMetadataInfo {
  /** Prefix of the export in the bucket. */
  prefix?: string;
  /** Start of the time window, inclusive. */
  startTime?: string;
  /** End of the time window, exclusive. */
  endTime?: string;
  /** Written rows and files; absent until the run has finished. */
  result?: BulkExportRunResultInfo;
}

/** What a run has written. */
export interface BulkExportRunResultInfo {
  /** Number of rows written. */
  rowsWritten?: number;
  /** Keys of the files in the bucket. */
  exportedFiles?: string[];
  /** Path of the files in the bucket. */
  exportPath?: string;
}

/** A cron of an agent server. */
export interface CronInfo {
  /** ID of the cron. */
  cronId: string;
  /** ID of the assistant; the default assistant of a graph for its name. */
  assistantId?: string;
  /** Schedule in cron format, with five fields. */
  schedule?: string;
  /** Name of the time zone; absent for UTC. */
  timezone?: string;
  /** When the cron ends, as it was set; absent if it does not. */
  endTime?: string;
  /** Whether it makes runs. */
  enabled?: boolean;
  /** What becomes of the thread of a run: `delete` or `keep`. Absent for a cron on a thread. */
  onRunCompleted?: string;
  /** Metadata by key, which its runs and threads inherit. Keys keep their spelling. */
  metadata?: Record<string, unknown>;
  /** ID of the thread of its runs; absent if each has a new one. */
  threadId?: string;
  /** Input of the runs, in the format of the graph. */
  input?: unknown;
  /** Configuration of the runs. */
  config?: RunConfigInfo;
  /** What the graph reads as its context, by key. */
  context?: Record<string, unknown>;
  /** URL that the server requests when a run ends. Secret. Returned only with `withSecrets: true`. */
  webhook?: string;
  /** What happens while the thread is busy: `enqueue`, `reject`, `interrupt` or `rollback`. */
  multitaskStrategy?: string;
  /** Nodes before which runs stop: a list, or `*` for all. */
  interruptBefore?: unknown;
  /** Nodes after which runs stop: a list, or `*` for all. */
  interruptAfter?: unknown;
  /** What runs stream: one mode, or a list of them. */
  streamMode?: unknown;
  /** Whether runs stream subgraphs too. */
  streamSubgraphs?: boolean;
  /** Whether the stream of a run can be joined again. */
  streamResumable?: boolean;
  /** When runs store their state: `sync`, `async` or `exit`. */
  durability?: string;
  /** Identity that created it, with which its runs run; empty without authentication. */
  userId?: string;
  /** Time of the next run; of no meaning while the cron is disabled or after its end. */
  nextRunDate?: string;
  /** Time of creation. */
  createdAt?: string;
  /** Time of the last change. */
  updatedAt?: string;
}

/** A deployment of the workspace. */
export interface DeploymentInfo {
  /** ID of the deployment. */
  id: string;
  /** Name of the deployment and of its tracing project; empty where the server returns none. */
  name: string;
  /** Name for people. */
  displayName?: string;
  /** The agent that it runs, in place of a name; absent for others. */
  agent?: AgentBindingInfo;
  /** Workspace that owns it. */
  tenantId?: string;
  /** Source of the deployment, such as `githost`. */
  source?: DeploymentSource;
  /** Status of the deployment: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN. */
  status: DeploymentStatus;
  /** ID of the latest revision, whatever its status; absent before the first. */
  latestRevisionId?: string;
  /** ID of the live revision; absent until the first is live. */
  activeRevisionId?: string;
  /** Source and runtime configuration. */
  sourceConfig?: SourceConfigInfo;
  /** Configuration of the latest revision. */
  sourceRevisionConfig?: SourceRevisionConfigInfo;
  /** URL of the agent server; absent until the first revision is live. */
  url?: string;
  /** ID of its tracing project; absent where the server does not return it. */
  tracerSessionId?: string;
  /** Version of the platform's base image; absent where the server does not return it. */
  imageVersion?: string;
  /** Whether the platform made it for a change that is not merged yet. */
  isPreview?: boolean;
  /** Whether the platform manages the agent itself. */
  isManagedDeepAgent: boolean;
  /** Time of creation. */
  createdAt?: string;
  /** Time of the last change. */
  updatedAt?: string;
  /** Names of the secret environment variables, sorted. */
  secretNames: string[];
  /** Secret environment variables by name, with the values that the server returns. Secret. Returned only with `withSecrets: true`. */
  secrets?: Record<string, string>;
  /** Environment variables from orchestrator secrets, by variable name. */
  secretReferences?: Record<string, SecretReferenceInfo>;
}

/** The agent that a deployment runs. */
export interface AgentBindingInfo {
  /** ID of the agent. */
  agentId: string;
  /** Environment of the agent. */
  environment: AgentEnvironment;
}

/** The source and runtime configuration of a deployment. */
export interface SourceConfigInfo {
  /** ID of the git integration that has access to the repository. */
  integrationId?: string;
  /** URL of the repository that is built. */
  repoUrl?: string;
  /** Size class. */
  deploymentType?: DeploymentType;
  /** Whether a push to the branch creates a revision. */
  buildOnPush?: boolean;
  /** URL of the agent server, where the server returns it here; see `url`. */
  customUrl?: string;
  /** Replicas, CPU, memory and pod settings, including the server's defaults. */
  resourceSpec?: ResourceSpecInfo;
  /** ID of the listener in the cluster where it runs. */
  listenerId?: string;
  /** Settings for the listener. */
  listenerConfig?: ListenerConfigInfo;
  /** Command that installs the dependencies of a JS deployment. */
  installCommand?: string;
  /** Command that builds a JS deployment. */
  buildCommand?: string;
  /** ID of the template that it runs. */
  templateId?: string;
  /** Branch that the deployment follows. */
  repoBranch?: string;
}

/** Replicas, CPU, memory and pod settings of a deployment. */
export interface ResourceSpecInfo {
  /** Minimum number of replicas. Chosen by the server if not set. */
  minScale?: number;
  /** Maximum number of replicas. Chosen by the server if not set. */
  maxScale?: number;
  /** CPU request of the agent server. Chosen by the server if not set. In cores, at least 0.1, rounded to one decimal. */
  cpu?: number;
  /** CPU limit. Defaults to twice `cpu`. In cores, at least 0.1, rounded to one decimal. */
  cpuLimit?: number;
  /** Memory request of the agent server. Chosen by the server if not set. In MB, a multiple of 128. */
  memoryMb?: number;
  /** Memory limit. Defaults to twice `memoryMb`. In MB, a multiple of 128. */
  memoryLimitMb?: number;
  /** Minimum number of queue workers. Defaults to `minScale`. */
  queueMinScale?: number;
  /** Maximum number of queue workers. Defaults to `maxScale`. */
  queueMaxScale?: number;
  /** CPU request of a queue worker. Defaults to `cpu`. In cores, at least 0.1, rounded to one decimal. */
  queueCpu?: number;
  /** CPU limit of a queue worker. Defaults to twice `queueCpu`. In cores, at least 0.1, rounded to one decimal. */
  queueCpuLimit?: number;
  /** Memory request of a queue worker. Defaults to `memoryMb`. In MB, a multiple of 128. */
  queueMemoryMb?: number;
  /** Memory limit of a queue worker. Defaults to twice `queueMemoryMb`. In MB, a multiple of 128. */
  queueMemoryLimitMb?: number;
  /** CPU request of the cache. Chosen by the server if not set. In cores, at least 0.1, rounded to one decimal. */
  redisCpu?: number;
  /** CPU limit of the cache. Defaults to twice `redisCpu`. In cores, at least 0.1, rounded to one decimal. */
  redisCpuLimit?: number;
  /** Memory request of the cache. Chosen by the server if not set. In MB, a multiple of 128. */
  redisMemoryMb?: number;
  /** Memory limit of the cache, at least `redisMemoryMb`. Defaults to `redisMemoryMb`. In MB, a multiple of 128. */
  redisMemoryLimitMb?: number;
  /** CPU request of the core API sidecar. Chosen by the server if not set. In cores, at least 0.1, rounded to one decimal. */
  coreCpu?: number;
  /** CPU limit of the core API sidecar. Defaults to twice `coreCpu`. In cores, at least 0.1, rounded to one decimal. */
  coreCpuLimit?: number;
  /** Memory request of the core API sidecar. Chosen by the server if not set. In MB, a multiple of 128. */
  coreMemoryMb?: number;
  /** Memory limit of the core API sidecar. Defaults to twice `coreMemoryMb`. In MB, a multiple of 128. */
  coreMemoryLimitMb?: number;
  /** CPU request of the database. Chosen by the server if not set. In cores. */
  dbCpu?: number;
  /** CPU limit of the database. Defaults to twice `dbCpu`. In cores. */
  dbCpuLimit?: number;
  /** Memory request of the database. Chosen by the server if not set. In MB, a multiple of 128. */
  dbMemoryMb?: number;
  /** Memory limit of the database. Defaults to twice `dbMemoryMb`. In MB, a multiple of 128. */
  dbMemoryLimitMb?: number;
  /** Database storage in GiB. Chosen by the server if not set. */
  dbStorageGi?: number;
  /** Maximum number of connections to the database. Chosen by the server if not set. */
  dbMaxConnections?: number;
  /** Labels for all objects of the deployment, by key. */
  labels?: Record<string, string>;
  /** Annotations for all objects of the deployment, by key. */
  annotations?: Record<string, string>;
  /** Existing service account in the namespace to run as. Defaults to the default account of the namespace. */
  serviceAccountName?: string;
  /** Secrets of type docker-config-json for pulling images. */
  imagePullSecrets?: LocalObjectReferenceInfo[];
  /** Volumes that containers may mount. */
  volumes?: VolumeInfo[];
  /** Volume mounts of the agent server. */
  volumeMounts?: VolumeMountInfo[];
  /** Containers that run to completion before the agent server starts. */
  initContainers?: ContainerInfo[];
  /** Containers that run alongside the agent server. */
  sidecars?: ContainerInfo[];
}

/** A reference to a secret in the namespace of the deployment. */
export interface LocalObjectReferenceInfo {
  /** Name of the secret. */
  name: string;
}

/** A volume that containers may mount. */
export interface VolumeInfo {
  /** Name of the volume: a DNS label that is unique within the pod. */
  name: string;
  /** Config map as the source, in the Kubernetes format. */
  configMap?: Record<string, unknown>;
  /** Secret as the source, in the Kubernetes format. */
  secret?: Record<string, unknown>;
  /** Empty directory as the source, in the Kubernetes format. */
  emptyDir?: Record<string, unknown>;
  /** Persistent volume claim as the source, in the Kubernetes format. */
  persistentVolumeClaim?: Record<string, unknown>;
  /** NFS share as the source, in the Kubernetes format. */
  nfs?: Record<string, unknown>;
  /** Several sources combined, in the Kubernetes format. */
  projected?: Record<string, unknown>;
  /** Pod fields as the source, in the Kubernetes format. */
  downwardAPI?: Record<string, unknown>;
  /** CSI driver as the source, in the Kubernetes format. */
  csi?: Record<string, unknown>;
}

/** A volume that is mounted in a container. */
export interface VolumeMountInfo {
  /** Name of a volume in `volumes`. */
  name: string;
  /** Path in the container at which the volume is mounted. */
  mountPath: string;
  /** Path within the volume. Defaults to its root. */
  subPath?: string;
  /** How mounts propagate between host and container. Defaults to no propagation. */
  mountPropagation?: string;
  /** Whether the mount is read-only. Defaults to false. */
  readOnly?: boolean;
  /** Path within the volume, with environment variables expanded. Defaults to its root. */
  subPathExpr?: string;
}

/** A container that runs before or alongside the agent server. */
export interface ContainerInfo {
  /** Name of the container: a DNS label. */
  name: string;
  /** Image to run. */
  image: string;
  /** When the image is pulled. Defaults to the Kubernetes policy. */
  imagePullPolicy?: "Always" | "Never" | "IfNotPresent";
  /** Entry point. Defaults to that of the image. */
  command?: string[];
  /** Arguments of the entry point. Default to those of the image. */
  args?: string[];
  /** Working directory. Defaults to that of the image. */
  workingDir?: string;
  /** Environment variables. */
  env?: EnvVarInfo[];
  /** Sources of environment variables, in the Kubernetes format. */
  envFrom?: Record<string, unknown>[];
  /** CPU and memory of the container. Default to no requests. */
  resources?: ResourceRequirementsInfo;
  /** Volume mounts of the container. */
  volumeMounts?: VolumeMountInfo[];
  /** Security context, in the Kubernetes format. */
  securityContext?: Record<string, unknown>;
  /** When a sidecar is restarted. Defaults to the Kubernetes policy. */
  restartPolicy?: "Always" | "OnFailure";
}

/** An environment variable of a container. */
export interface EnvVarInfo {
  /** Name of the variable: a C identifier. */
  name: string;
  /** Value of the variable. Defaults to an empty string. Cannot be combined with `valueFrom`. */
  value?: string;
  /** Source of the value, in the Kubernetes format. Cannot be combined with a non-empty `value`. */
  valueFrom?: Record<string, unknown>;
}

/** CPU and memory of a container. */
export interface ResourceRequirementsInfo {
  /** Limit of each resource, such as `{ cpu: "500m" }`. Defaults to no limit. */
  limits?: Record<string, string>;
  /** Request of each resource. Defaults to the limit. */
  requests?: Record<string, string>;
}

/** Settings for the listener of a deployment. */
export interface ListenerConfigInfo {
  /** Namespace of the deployment. */
  k8sNamespace?: string;
}

/** What a revision runs. */
export interface SourceRevisionConfigInfo {
  /** Branch that was built, or tag as `refs/tags/…`. */
  repoRef?: string;
  /** Path of the graph configuration file within the repository. */
  agentgraphConfigPath?: string;
  /** Container image that runs, including one that was built from source. */
  imageUri?: string;
  /** Object path of the uploaded source. */
  sourceTarballPath?: string;
  /** Commit that was built. */
  repoCommitSha?: string;
}

/** A key of an orchestrator secret. */
export interface SecretReferenceInfo {
  /** Name of an existing orchestrator secret in the namespace of the deployment. */
  secretName: string;
  /** Key within the secret. */
  secretKey: string;
}

/** An integration with the git host. */
export interface IntegrationInfo {
  /** ID of the integration, for `sourceConfig.integrationId` of a deployment. */
  id: string;
  /** ID of the installation at the git host. */
  installationId?: number;
  /** Name of the account or organization that installed the integration. */
  name?: string;
}

/** A listener, which runs deployments in its cluster. */
export interface ListenerInfo {
  /** ID of the listener, for `sourceConfig.listenerId` of a deployment. */
  id: string;
  /** Type of compute, such as `k8s`. */
  computeType?: string;
  /** Name of the cluster that the listener runs in, as registered. */
  computeId?: string;
  /** Where in the cluster the listener may deploy. */
  computeConfig?: ComputeConfigInfo;
}

/** The cluster of a listener. */
export interface ComputeConfigInfo {
  /** Namespaces that the listener may deploy to. */
  k8sNamespaces?: string[];
}

export interface ProjectInfo {
  /** ID of the project, for `sessionId` of an export. */
  id: string;
  /** Name of the project. The project of a deployment has the name of the deployment. */
  name?: string;
  /** ID of the workspace. */
  tenantId?: string;
  /** Time of creation. */
  startTime?: string;
  /** ID of the data set of an experiment; absent for other projects. */
  referenceDatasetId?: string;
}

export interface PushTokenInfo {
  /** Password for the registry. Secret. Returned only with `withSecrets: true`. */
  token?: string;
  /** User name for the registry; absent where the server does not return one. */
  username?: string;
  /** URL of the registry to log in to. */
  registryUrl?: string;
  /** Repository to push to; append a tag. Absent where the server does not return one. */
  repositoryUrl?: string;
}

/** A repository that an integration has access to. */
export interface RepositoryInfo {
  /** ID of the repository at the git host. */
  id?: number;
  /** Name of the repository, without the owner. */
  name?: string;
  /** Account or organization that owns the repository. */
  owner?: string;
  /** URL of the repository, for `sourceConfig.repoUrl` of a deployment. */
  url?: string;
  /** Branch that is deployed unless `repoRef` is set. */
  defaultBranch?: string;
  /** ID of the integration that has access to the repository. */
  hostIntegrationId?: string;
}

/** A revision of a deployment. */
export interface RevisionInfo {
  /** ID of the revision. */
  id: string;
  /** Status of the rollout, such as QUEUED, BUILDING, DEPLOYED or DEPLOY_FAILED. A superseded revision keeps DEPLOYED. */
  status: RevisionStatus;
  /** Source of the deployment; absent where the server does not return it. */
  source?: DeploymentSource;
  /** Configuration that the revision runs. */
  sourceRevisionConfig?: SourceRevisionConfigInfo;
  /** Why the rollout failed; absent where the server does not say it. */
  statusMessage?: string;
  /** Time of creation; absent where the server does not return it. */
  createdAt?: string;
  /** Time of the last change; absent where the server does not return it. */
  updatedAt?: string;
}

/** A line of the log of a revision. */
export interface LogLineInfo {
  /** ID of the line. */
  id?: string;
  /** Time of the line. */
  timestamp?: string;
  /** Level, such as INFO or ERROR. */
  level?: string;
  /** Text of the line. */
  message: string;
}

/** A thread of an agent server. */
export interface ThreadInfo {
  /** ID of the thread. */
  threadId: string;
  /** Status: `idle`, `busy`, `interrupted` or `error`. */
  status?: ThreadStatus;
  /** Metadata by key. Keys keep their spelling. */
  metadata?: ThreadMetadataInfo;
  /** Current state values, in the format of the graph; absent where the server does not return them. */
  values?: Record<string, unknown>;
  /** Configuration of the last run; absent where the server does not return it. */
  config?: Record<string, unknown>;
  /** Time to live. Absent where the thread has none, where the server does not return it, and when several threads are read at once. */
  ttl?: ThreadTtlInfo;
  /** Time of creation. */
  createdAt?: string;
  /** Time of the last change. */
  updatedAt?: string;
}

export interface ThreadMetadataInfo {
  /** ID of the authenticated owner, set by custom authentication. */
  agentgraph_auth_user_id?: unknown;
  [key: string]: unknown;
}

/** How long the server keeps a thread. */
export interface ThreadTtlInfo {
  /** What is deleted when the TTL expires: the thread (`delete`) or all states except the latest (`keep_latest`). Defaults to `delete`. */
  strategy?: ThreadTtlStrategy;
  /** Minutes from the request that sets it. */
  ttl: number;
}

/** The state of a thread at a checkpoint. */
export interface ThreadStateInfo {
  /** State values, in the format of the graph. */
  values?: Record<string, unknown>;
  /** Nodes that run next; empty when the graph has finished. */
  next?: string[];
  /** Pending tasks, each with its `name`, `error` and `interrupts`, as the server returns them. */
  tasks?: Record<string, unknown>[];
  /** Origin of the state; further keys keep their spelling. Absent where the thread has no checkpoint. */
  metadata?: ThreadStateMetadataInfo;
  /** Time of writing; absent where the thread has no checkpoint. */
  createdAt?: string;
  /** Checkpoint of the state; absent where the thread has no checkpoint. */
  checkpoint?: CheckpointInfo;
  /** Previous checkpoint; absent for the first. */
  parentCheckpoint?: CheckpointInfo;
  /** ID of the checkpoint, for `checkpointId` of `getThreadState`. */
  checkpointId?: string;
  /** ID of the previous checkpoint; absent for the first. */
  parentCheckpointId?: string;
}

export interface ThreadStateMetadataInfo {
  /** ID of the thread. */
  threadId?: string;
  /** ID of the checkpoint. */
  checkpointId?: string;
  /** ID of the graph that wrote the state. */
  graphId?: string;
  /** What wrote the state, such as `input`, `loop` or `update`. */
  source?: string;
  /** Number of the step: -1 for the input, then from 0. */
  step?: number;
  /** Values that were written, by node. */
  writes?: Record<string, unknown>;
  /** Checkpoints of the enclosing graphs of a subgraph, by namespace. */
  parents?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface CheckpointInfo {
  /** ID of the checkpoint. */
  checkpointId?: string;
  /** ID of the thread. */
  threadId?: string;
  /** Namespace of the subgraph; empty for the graph itself. */
  checkpointNs?: string;
  [key: string]: unknown;
}

export interface UploadUrlInfo {
  /** Signed URL to PUT the .tar.gz file to, with the header `Content-Type: application/gzip`. Secret. Returned only with `withSecrets: true`. */
  uploadUrl?: string;
  /** Path of the upload, for `sourceRevisionConfig.sourceTarballPath` of a deployment. */
  objectPath: string;
}

export interface WorkspaceInfo {
  /** ID of the workspace. */
  id: string;
  /** Name of the workspace; absent where the server does not return it. */
  displayName?: string;
}

export interface GetAssistantArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** ID of the assistant. Specify either `assistantId` or `name`. */
  assistantId?: string;
  /** Exact name of the assistant. Specify either `assistantId` or `name`. */
  name?: string;
  /** Name of the graph. Defaults to all graphs. */
  graphId?: string;
}

export interface GetAssistant {
  /**
   * Returns one assistant of an agent server, by its ID or its exact name. Not every server supports it.
   * @example
   * ```ts
   * const assistant = await agentgraph.getAssistant({ deploymentId, name: "concierge" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<GetAssistantArgs, "deploymentId" | "deploymentUrl"> & OneOf<GetAssistantArgs, "assistantId" | "name">,
    options?: LookupOptions,
  ): Promise<AssistantInfo>;
}

export interface GetAssistantOutput {
  /**
   * Returns one assistant of an agent server, by its ID or its exact name. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const assistant = agentgraph.getAssistantOutput({ deploymentId: agent.id, name: "concierge" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetAssistantArgs>, "deploymentId" | "deploymentUrl"> &
      OneOf<LookupInputs<GetAssistantArgs>, "assistantId" | "name">,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<AssistantInfo>>;
}

export interface GetAssistantSchemasArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** ID of the assistant. Specify either `assistantId` or `graphId`. */
  assistantId?: string;
  /** Name of the graph. Specify either `assistantId` or `graphId`. */
  graphId?: string;
}

export interface GetAssistantSchemas {
  /**
   * Returns the JSON Schemas of the graph of an assistant: its input, output, state, configuration and context. Not every server supports it.
   * @example
   * ```ts
   * const assistantSchemas = await agentgraph.getAssistantSchemas({ deploymentId, graphId: "agent" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<GetAssistantSchemasArgs, "deploymentId" | "deploymentUrl"> &
      OneOf<GetAssistantSchemasArgs, "assistantId" | "graphId">,
    options?: LookupOptions,
  ): Promise<AssistantSchemas>;
}

export interface GetAssistantSchemasOutput {
  /**
   * Returns the JSON Schemas of the graph of an assistant: its input, output, state, configuration and context. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const assistantSchemas = agentgraph.getAssistantSchemasOutput({ deploymentId: agent.id, graphId: "agent" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetAssistantSchemasArgs>, "deploymentId" | "deploymentUrl"> &
      OneOf<LookupInputs<GetAssistantSchemasArgs>, "assistantId" | "graphId">,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<AssistantSchemas>>;
}

export interface GetAssistantVersionsArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** ID of the assistant. */
  assistantId: string;
}

export interface GetAssistantVersions {
  /**
   * Returns all versions of an assistant, newest first. Not every server supports it.
   * @example
   * ```ts
   * const assistantVersions = await agentgraph.getAssistantVersions({ deploymentId, assistantId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<GetAssistantVersionsArgs, "deploymentId" | "deploymentUrl">,
    options?: LookupOptions,
  ): Promise<AssistantVersionInfo[]>;
}

export interface GetAssistantVersionsOutput {
  /**
   * Returns all versions of an assistant, newest first. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const assistantVersions = agentgraph.getAssistantVersionsOutput({ deploymentId: agent.id, assistantId: concierge.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetAssistantVersionsArgs>, "deploymentId" | "deploymentUrl">,
    options?: LookupOutputOptions,
  ): pulumi.Output<AssistantVersionInfo[]>;
}

export interface GetAssistantsArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** Name of the graph. Defaults to all graphs. */
  graphId?: string;
  /** Part of the name, in any case. */
  name?: string;
  /** Metadata that the assistants contain, by key. Keys keep their spelling. */
  metadata?: Record<string, unknown>;
}

export interface GetAssistants {
  /**
   * Returns all assistants of an agent server that match every filter, also those that the server made for its graphs. Not every server supports it.
   * @example
   * ```ts
   * const assistants = await agentgraph.getAssistants({ deploymentId, graphId: "agent" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: OneOf<GetAssistantsArgs, "deploymentId" | "deploymentUrl">, options?: LookupOptions): Promise<AssistantInfo[]>;
}

export interface GetAssistantsOutput {
  /**
   * Returns all assistants of an agent server that match every filter, also those that the server made for its graphs. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const assistants = agentgraph.getAssistantsOutput({ deploymentId: agent.id, graphId: "agent" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetAssistantsArgs>, "deploymentId" | "deploymentUrl">,
    options?: LookupOutputOptions,
  ): pulumi.Output<AssistantInfo[]>;
}

export interface GetBulkExportArgs {
  /** ID of the export. */
  id: string;
}

export interface GetBulkExport {
  /**
   * Returns one bulk export by its ID: a one-time export, a schedule, or an export that a schedule created.
   * @example
   * ```ts
   * const bulkExport = await agentgraph.getBulkExport({ id: exportId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: GetBulkExportArgs, options?: LookupOptions): Promise<BulkExportInfo>;
}

export interface GetBulkExportOutput {
  /**
   * Returns one bulk export by its ID: a one-time export, a schedule, or an export that a schedule created. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const bulkExport = agentgraph.getBulkExportOutput({ id: january.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetBulkExportArgs>, options?: LookupOutputOptions): pulumi.Output<OutputFields<BulkExportInfo>>;
}

export interface GetBulkExportDestinationArgs {
  /** ID of the destination. Specify either `id` or `displayName`. */
  id?: string;
  /** Exact name of the destination. Specify either `id` or `displayName`. */
  displayName?: string;
}

export interface GetBulkExportDestination {
  /**
   * Returns one destination of bulk exports, by its ID or its exact name. Not every server supports it.
   * @example
   * ```ts
   * const bulkExportDestination = await agentgraph.getBulkExportDestination({ displayName: "Data lake" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<GetBulkExportDestinationArgs, "id" | "displayName">,
    options?: LookupOptions,
  ): Promise<BulkExportDestinationInfo>;
}

export interface GetBulkExportDestinationOutput {
  /**
   * Returns one destination of bulk exports, by its ID or its exact name. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const bulkExportDestination = agentgraph.getBulkExportDestinationOutput({ displayName: "Data lake" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetBulkExportDestinationArgs>, "id" | "displayName">,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<BulkExportDestinationInfo>>;
}

export interface GetBulkExportDestinations {
  /**
   * Returns all destinations of bulk exports in the workspace. Not every server supports it.
   * @example
   * ```ts
   * const bulkExportDestinations = await agentgraph.getBulkExportDestinations();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOptions): Promise<BulkExportDestinationInfo[]>;
}

export interface GetBulkExportDestinationsOutput {
  /**
   * Returns all destinations of bulk exports in the workspace. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const bulkExportDestinations = agentgraph.getBulkExportDestinationsOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOutputOptions): pulumi.Output<BulkExportDestinationInfo[]>;
}

export interface GetBulkExportRunsArgs {
  /** ID of the export. Specify either `bulkExportId` or `sourceBulkExportId`. */
  bulkExportId?: string;
  /** ID of the schedule that created the exports. Specify either `bulkExportId` or `sourceBulkExportId`. */
  sourceBulkExportId?: string;
}

export interface GetBulkExportRuns {
  /**
   * Returns the runs of an export, one per day and project, or of all exports that a schedule created. Not every server supports it.
   * @example
   * ```ts
   * const bulkExportRuns = await agentgraph.getBulkExportRuns({ bulkExportId: exportId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<GetBulkExportRunsArgs, "bulkExportId" | "sourceBulkExportId">,
    options?: LookupOptions,
  ): Promise<BulkExportRunInfo[]>;
}

export interface GetBulkExportRunsOutput {
  /**
   * Returns the runs of an export, one per day and project, or of all exports that a schedule created. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const bulkExportRuns = agentgraph.getBulkExportRunsOutput({ bulkExportId: january.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetBulkExportRunsArgs>, "bulkExportId" | "sourceBulkExportId">,
    options?: LookupOutputOptions,
  ): pulumi.Output<BulkExportRunInfo[]>;
}

export interface GetBulkExports {
  /**
   * Returns all bulk exports of the workspace: one-time exports, schedules, and exports that schedules created. Not every server supports it.
   * @example
   * ```ts
   * const bulkExports = await agentgraph.getBulkExports();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOptions): Promise<BulkExportInfo[]>;
}

export interface GetBulkExportsOutput {
  /**
   * Returns all bulk exports of the workspace: one-time exports, schedules, and exports that schedules created. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const bulkExports = agentgraph.getBulkExportsOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOutputOptions): pulumi.Output<BulkExportInfo[]>;
}

export interface GetCronArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** ID of the cron. */
  cronId: string;
  /** Whether the result contains the webhook. Defaults to false. */
  withSecrets?: boolean;
}

export interface GetCron {
  /**
   * Returns one cron of an agent server, by its ID. Not every server supports it.
   * @example
   * ```ts
   * const cron = await agentgraph.getCron({ deploymentId, cronId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: OneOf<GetCronArgs, "deploymentId" | "deploymentUrl">, options?: LookupOptions): Promise<CronInfo>;
}

export interface GetCronOutput {
  /**
   * Returns one cron of an agent server, by its ID. Not every server supports it. Accepts Inputs and returns an Output, which always includes the secret values.
   * @example
   * ```ts
   * const cron = agentgraph.getCronOutput({ deploymentId: agent.id, cronId: nightly.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<Omit<GetCronArgs, "withSecrets">>, "deploymentId" | "deploymentUrl">,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<CronInfo, "webhook">>;
}

export interface GetCronsArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** ID of the assistant, or the name of a graph for its default assistant. */
  assistantId?: string;
  /** ID of the thread of their runs. */
  threadId?: string;
  /** Whether they make runs. */
  enabled?: boolean;
  /** Metadata that the crons contain, by key. Keys keep their spelling. */
  metadata?: Record<string, unknown>;
  /** Whether the result contains the webhook. Defaults to false. */
  withSecrets?: boolean;
}

export interface GetCrons {
  /**
   * Returns all crons of an agent server that match every filter. Not every server supports it.
   * @example
   * ```ts
   * const crons = await agentgraph.getCrons({ deploymentId, enabled: true });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: OneOf<GetCronsArgs, "deploymentId" | "deploymentUrl">, options?: LookupOptions): Promise<CronInfo[]>;
}

export interface GetCronsOutput {
  /**
   * Returns all crons of an agent server that match every filter. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const crons = agentgraph.getCronsOutput({ deploymentId: agent.id, enabled: true });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetCronsArgs>, "deploymentId" | "deploymentUrl">,
    options?: LookupOutputOptions,
  ): pulumi.Output<CronInfo[]>;
}

export interface GetDeploymentArgs {
  /** Exact name of the deployment. Specify either `name` or `id`. */
  name?: string;
  /** ID of the deployment. Specify either `name` or `id`. */
  id?: string;
  /** Whether the result contains secret values. Defaults to false. */
  withSecrets?: boolean;
}

export interface GetDeployment {
  /**
   * Returns one deployment, by its exact name or its ID.
   * @example
   * ```ts
   * const deployment = await agentgraph.getDeployment({ name: "support-agent" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: OneOf<GetDeploymentArgs, "name" | "id">, options?: LookupOptions): Promise<DeploymentInfo>;
}

export interface GetDeploymentOutput {
  /**
   * Returns one deployment, by its exact name or its ID. Accepts Inputs and returns an Output, which always includes the secret values.
   * @example
   * ```ts
   * const deployment = agentgraph.getDeploymentOutput({ name: "support-agent" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<Omit<GetDeploymentArgs, "withSecrets">>, "name" | "id">,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<DeploymentInfo, "secrets">>;
}

export interface GetDeploymentsArgs {
  /** Part of the name. */
  nameContains?: string;
  /** Status, such as READY. */
  status?: DeploymentStatus;
  /** Size class. */
  deploymentType?: DeploymentType;
  /** Version of the platform's base image. */
  imageVersion?: string;
  /** ID of the agent, on platforms with agents; others ignore it. */
  agentId?: string;
  /** Environment of the agent, such as production. */
  agentEnvironment?: string;
  /** Whether a remote cluster reconciles the deployment. */
  remoteReconciled?: boolean;
  /** IDs of tag values. */
  tagValueIds?: string[];
  /** IDs of deployments; IDs that do not exist are ignored. */
  deploymentIds?: string[];
  /** Whether the result contains secret values. Defaults to false. */
  withSecrets?: boolean;
}

export interface GetDeployments {
  /**
   * Returns all deployments of the workspace that match every filter, newest first.
   * @example
   * ```ts
   * const deployments = await agentgraph.getDeployments({ status: "READY" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: GetDeploymentsArgs, options?: LookupOptions): Promise<DeploymentInfo[]>;
}

export interface GetDeploymentsOutput {
  /**
   * Returns all deployments of the workspace that match every filter, newest first. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const deployments = agentgraph.getDeploymentsOutput({ status: "READY" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: LookupInputs<GetDeploymentsArgs>, options?: LookupOutputOptions): pulumi.Output<DeploymentInfo[]>;
}

export interface GetIntegrationArgs {
  /** Name of the account or organization that installed the integration. */
  name: string;
}

export interface GetIntegration {
  /**
   * Returns one integration with the git host, by its exact name. Not every server supports it.
   * @example
   * ```ts
   * const integration = await agentgraph.getIntegration({ name: "my-organization" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: GetIntegrationArgs, options?: LookupOptions): Promise<IntegrationInfo>;
}

export interface GetIntegrationOutput {
  /**
   * Returns one integration with the git host, by its exact name. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const integration = agentgraph.getIntegrationOutput({ name: "my-organization" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetIntegrationArgs>, options?: LookupOutputOptions): pulumi.Output<OutputFields<IntegrationInfo>>;
}

export interface GetIntegrations {
  /**
   * Returns all integrations of the workspace with the git host. Not every server supports it.
   * @example
   * ```ts
   * const integrations = await agentgraph.getIntegrations();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOptions): Promise<IntegrationInfo[]>;
}

export interface GetIntegrationsOutput {
  /**
   * Returns all integrations of the workspace with the git host. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const integrations = agentgraph.getIntegrationsOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOutputOptions): pulumi.Output<IntegrationInfo[]>;
}

export interface GetListenerArgs {
  /** ID of the listener. Specify either `id` or `computeId`. */
  id?: string;
  /** Name of the cluster, as registered. Specify either `id` or `computeId`. */
  computeId?: string;
}

export interface GetListener {
  /**
   * Returns one listener, by its ID or by the name of its cluster.
   * @example
   * ```ts
   * const listener = await agentgraph.getListener({ computeId: "eu-west" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: OneOf<GetListenerArgs, "id" | "computeId">, options?: LookupOptions): Promise<ListenerInfo>;
}

export interface GetListenerOutput {
  /**
   * Returns one listener, by its ID or by the name of its cluster. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const listener = agentgraph.getListenerOutput({ computeId: "eu-west" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetListenerArgs>, "id" | "computeId">,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<ListenerInfo>>;
}

export interface GetListeners {
  /**
   * Returns all listeners of the workspace.
   * @example
   * ```ts
   * const listeners = await agentgraph.getListeners();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOptions): Promise<ListenerInfo[]>;
}

export interface GetListenersOutput {
  /**
   * Returns all listeners of the workspace. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const listeners = agentgraph.getListenersOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOutputOptions): pulumi.Output<ListenerInfo[]>;
}

export interface GetProjectArgs {
  /** Exact name of the project. */
  name: string;
}

export interface GetProject {
  /**
   * Returns one tracing project, by its exact name. Each deployment has a project with its own name. Not every server supports it.
   * @example
   * ```ts
   * const project = await agentgraph.getProject({ name: "support-agent" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: GetProjectArgs, options?: LookupOptions): Promise<ProjectInfo>;
}

export interface GetProjectOutput {
  /**
   * Returns one tracing project, by its exact name. Each deployment has a project with its own name. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const project = agentgraph.getProjectOutput({ name: "support-agent" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetProjectArgs>, options?: LookupOutputOptions): pulumi.Output<OutputFields<ProjectInfo>>;
}

export interface GetPushTokenArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** Whether the result contains the token. Defaults to false. */
  withSecrets?: boolean;
}

export interface GetPushToken {
  /**
   * Creates a token for pushing an image, for a deployment of source `internal_docker`. Not every server supports it.
   * @example
   * ```ts
   * const pushToken = await agentgraph.getPushToken({ deploymentId, withSecrets: true });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: GetPushTokenArgs, options?: LookupOptions): Promise<PushTokenInfo>;
}

export interface GetPushTokenOutput {
  /**
   * Creates a token for pushing an image, for a deployment of source `internal_docker`. Not every server supports it. Accepts Inputs and returns an Output, which always includes the secret values.
   * @example
   * ```ts
   * const pushToken = agentgraph.getPushTokenOutput({ deploymentId: agent.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: LookupInputs<Omit<GetPushTokenArgs, "withSecrets">>,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<PushTokenInfo, "token">>;
}

export interface GetRepositoriesArgs {
  /** ID of the integration. */
  integrationId: string;
}

export interface GetRepositories {
  /**
   * Returns all repositories that an integration with the git host has access to. Not every server supports it.
   * @example
   * ```ts
   * const repositories = await agentgraph.getRepositories({ integrationId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: GetRepositoriesArgs, options?: LookupOptions): Promise<RepositoryInfo[]>;
}

export interface GetRepositoriesOutput {
  /**
   * Returns all repositories that an integration with the git host has access to. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const repositories = agentgraph.getRepositoriesOutput({ integrationId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetRepositoriesArgs>, options?: LookupOutputOptions): pulumi.Output<RepositoryInfo[]>;
}

export interface GetRevisionArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** ID of the revision. */
  revisionId: string;
}

export interface GetRevision {
  /**
   * Returns one revision of a deployment, by its ID.
   * @example
   * ```ts
   * const revision = await agentgraph.getRevision({ deploymentId, revisionId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: GetRevisionArgs, options?: LookupOptions): Promise<RevisionInfo>;
}

export interface GetRevisionOutput {
  /**
   * Returns one revision of a deployment, by its ID. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const revision = agentgraph.getRevisionOutput({ deploymentId: agent.id, revisionId: agent.latestRevisionId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetRevisionArgs>, options?: LookupOutputOptions): pulumi.Output<OutputFields<RevisionInfo>>;
}

export interface GetRevisionLogsArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** ID of the revision. */
  revisionId: string;
  /** Log to read. */
  type: "build" | "deploy";
  /** Order of the lines: oldest first (`asc`) or newest first (`desc`). Defaults to `asc`. */
  order?: "asc" | "desc";
  /** Only lines of this level, such as ERROR. */
  level?: string;
  /** Only lines that contain this text. */
  query?: string;
  /** Only lines from this time on, such as `2026-01-31T12:00:00Z`. */
  startTime?: string;
  /** Only lines until this time. */
  endTime?: string;
  /** Maximum number of lines. Defaults to all. */
  limit?: number;
}

export interface GetRevisionLogs {
  /**
   * Returns the build or deployment log of a revision: all lines, or at most `limit`. Not every server supports it.
   * @example
   * ```ts
   * const revisionLogs = await agentgraph.getRevisionLogs({ deploymentId, revisionId, type: "deploy" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: GetRevisionLogsArgs, options?: LookupOptions): Promise<LogLineInfo[]>;
}

export interface GetRevisionLogsOutput {
  /**
   * Returns the build or deployment log of a revision: all lines, or at most `limit`. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const revisionLogs = agentgraph.getRevisionLogsOutput({ deploymentId: agent.id, revisionId: agent.latestRevisionId, type: "deploy" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetRevisionLogsArgs>, options?: LookupOutputOptions): pulumi.Output<LogLineInfo[]>;
}

export interface GetRevisionsArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** Statuses to include. Defaults to all. */
  status?: RevisionStatus[];
}

export interface GetRevisions {
  /**
   * Returns all revisions of a deployment, newest first. Not every server supports it.
   * @example
   * ```ts
   * const revisions = await agentgraph.getRevisions({ deploymentId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: GetRevisionsArgs, options?: LookupOptions): Promise<RevisionInfo[]>;
}

export interface GetRevisionsOutput {
  /**
   * Returns all revisions of a deployment, newest first. Not every server supports it. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const revisions = agentgraph.getRevisionsOutput({ deploymentId: agent.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetRevisionsArgs>, options?: LookupOutputOptions): pulumi.Output<RevisionInfo[]>;
}

export interface GetThreadArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** ID of the thread. */
  threadId: string;
}

export interface GetThread {
  /**
   * Returns one thread of an agent server, by its ID.
   * @example
   * ```ts
   * const thread = await agentgraph.getThread({ deploymentId, threadId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: OneOf<GetThreadArgs, "deploymentId" | "deploymentUrl">, options?: LookupOptions): Promise<ThreadInfo>;
}

export interface GetThreadOutput {
  /**
   * Returns one thread of an agent server, by its ID. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const thread = agentgraph.getThreadOutput({ deploymentId: agent.id, threadId: welcome.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetThreadArgs>, "deploymentId" | "deploymentUrl">,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<ThreadInfo>>;
}

export interface GetThreadHistoryArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** ID of the thread. */
  threadId: string;
  /** Maximum number of states. Defaults to all. */
  limit?: number;
}

export interface GetThreadHistory {
  /**
   * Returns all states of a thread, newest first, or the latest `limit` of them.
   * @example
   * ```ts
   * const threadHistory = await agentgraph.getThreadHistory({ deploymentId, threadId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<GetThreadHistoryArgs, "deploymentId" | "deploymentUrl">,
    options?: LookupOptions,
  ): Promise<ThreadStateInfo[]>;
}

export interface GetThreadHistoryOutput {
  /**
   * Returns all states of a thread, newest first, or the latest `limit` of them. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const threadHistory = agentgraph.getThreadHistoryOutput({ deploymentId: agent.id, threadId: welcome.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetThreadHistoryArgs>, "deploymentId" | "deploymentUrl">,
    options?: LookupOutputOptions,
  ): pulumi.Output<ThreadStateInfo[]>;
}

export interface GetThreadStateArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** ID of the thread. */
  threadId: string;
  /** ID of the checkpoint. Defaults to the latest. */
  checkpointId?: string;
}

export interface GetThreadState {
  /**
   * Returns the latest state of a thread, or its state at a checkpoint.
   * @example
   * ```ts
   * const threadState = await agentgraph.getThreadState({ deploymentId, threadId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<GetThreadStateArgs, "deploymentId" | "deploymentUrl">,
    options?: LookupOptions,
  ): Promise<ThreadStateInfo>;
}

export interface GetThreadStateOutput {
  /**
   * Returns the latest state of a thread, or its state at a checkpoint. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const threadState = agentgraph.getThreadStateOutput({ deploymentId: agent.id, threadId: welcome.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetThreadStateArgs>, "deploymentId" | "deploymentUrl">,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<ThreadStateInfo>>;
}

export interface GetThreadsArgs {
  /** ID of the deployment that runs the agent server. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of the agent server, including its path. Specify either `deploymentId` or `deploymentUrl`. */
  deploymentUrl?: string;
  /** IDs of threads. */
  ids?: string[];
  /** Status of the threads. */
  status?: "idle" | "busy" | "interrupted" | "error";
  /** Metadata that the threads contain, by key. Keys keep their spelling. */
  metadata?: ThreadMetadataInfo;
  /** State values that the threads contain, in the format of the graph. */
  values?: Record<string, unknown>;
  /** Field to sort by. Chosen by the server if not set. */
  sortBy?: "thread_id" | "status" | "created_at" | "updated_at" | "state_updated_at";
  /** Sort order: ascending (`asc`) or descending (`desc`). Chosen by the server if not set. */
  sortOrder?: "asc" | "desc";
  /** Maximum number of threads. Defaults to all. */
  limit?: number;
}

export interface GetThreads {
  /**
   * Returns all threads of an agent server that match every filter, or the first `limit` of them.
   * @example
   * ```ts
   * const threads = await agentgraph.getThreads({ deploymentId, metadata: { graph_id: "agent" } });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: OneOf<GetThreadsArgs, "deploymentId" | "deploymentUrl">, options?: LookupOptions): Promise<ThreadInfo[]>;
}

export interface GetThreadsOutput {
  /**
   * Returns all threads of an agent server that match every filter, or the first `limit` of them. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const threads = agentgraph.getThreadsOutput({ deploymentId: agent.id, metadata: { graph_id: "agent" } });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (
    args: OneOf<LookupInputs<GetThreadsArgs>, "deploymentId" | "deploymentUrl">,
    options?: LookupOutputOptions,
  ): pulumi.Output<ThreadInfo[]>;
}

export interface GetUploadUrlArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** Whether the result contains the URL. Defaults to false. */
  withSecrets?: boolean;
}

export interface GetUploadUrl {
  /**
   * Creates a URL for uploading a tarball, for a deployment of source `internal_source`.
   * @example
   * ```ts
   * const uploadUrl = await agentgraph.getUploadUrl({ deploymentId, withSecrets: true });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: GetUploadUrlArgs, options?: LookupOptions): Promise<UploadUrlInfo>;
}

export interface GetUploadUrlOutput {
  /**
   * Creates a URL for uploading a tarball, for a deployment of source `internal_source`. Accepts Inputs and returns an Output, which always includes the secret values.
   * @example
   * ```ts
   * const uploadUrl = agentgraph.getUploadUrlOutput({ deploymentId: agent.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (
    args: LookupInputs<Omit<GetUploadUrlArgs, "withSecrets">>,
    options?: LookupOutputOptions,
  ): pulumi.Output<OutputFields<UploadUrlInfo, "uploadUrl">>;
}

export interface GetWorkspaceArgs {
  /** ID of the workspace. Defaults to that of the settings. */
  id?: string;
}

export interface GetWorkspace {
  /**
   * Returns one workspace, by its ID.
   * @example
   * ```ts
   * const workspace = await agentgraph.getWorkspace();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args?: GetWorkspaceArgs, options?: LookupOptions): Promise<WorkspaceInfo>;
}

export interface GetWorkspaceOutput {
  /**
   * Returns one workspace, by its ID. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const workspace = agentgraph.getWorkspaceOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args?: LookupInputs<GetWorkspaceArgs>, options?: LookupOutputOptions): pulumi.Output<OutputFields<WorkspaceInfo>>;
}

/** Both forms of each function. */
export interface Functions {
  getAssistant: readonly [GetAssistant, GetAssistantOutput];
  getAssistantSchemas: readonly [GetAssistantSchemas, GetAssistantSchemasOutput];
  getAssistantVersions: readonly [GetAssistantVersions, GetAssistantVersionsOutput];
  getAssistants: readonly [GetAssistants, GetAssistantsOutput];
  getBulkExport: readonly [GetBulkExport, GetBulkExportOutput];
  getBulkExportDestination: readonly [GetBulkExportDestination, GetBulkExportDestinationOutput];
  getBulkExportDestinations: readonly [GetBulkExportDestinations, GetBulkExportDestinationsOutput];
  getBulkExportRuns: readonly [GetBulkExportRuns, GetBulkExportRunsOutput];
  getBulkExports: readonly [GetBulkExports, GetBulkExportsOutput];
  getCron: readonly [GetCron, GetCronOutput];
  getCrons: readonly [GetCrons, GetCronsOutput];
  getDeployment: readonly [GetDeployment, GetDeploymentOutput];
  getDeployments: readonly [GetDeployments, GetDeploymentsOutput];
  getIntegration: readonly [GetIntegration, GetIntegrationOutput];
  getIntegrations: readonly [GetIntegrations, GetIntegrationsOutput];
  getListener: readonly [GetListener, GetListenerOutput];
  getListeners: readonly [GetListeners, GetListenersOutput];
  getProject: readonly [GetProject, GetProjectOutput];
  getPushToken: readonly [GetPushToken, GetPushTokenOutput];
  getRepositories: readonly [GetRepositories, GetRepositoriesOutput];
  getRevision: readonly [GetRevision, GetRevisionOutput];
  getRevisionLogs: readonly [GetRevisionLogs, GetRevisionLogsOutput];
  getRevisions: readonly [GetRevisions, GetRevisionsOutput];
  getThread: readonly [GetThread, GetThreadOutput];
  getThreadHistory: readonly [GetThreadHistory, GetThreadHistoryOutput];
  getThreadState: readonly [GetThreadState, GetThreadStateOutput];
  getThreads: readonly [GetThreads, GetThreadsOutput];
  getUploadUrl: readonly [GetUploadUrl, GetUploadUrlOutput];
  getWorkspace: readonly [GetWorkspace, GetWorkspaceOutput];
}

export const metadata = {
  getAssistant: {},
  getAssistantSchemas: {},
  getAssistantVersions: { isList: true },
  getAssistants: { isList: true },
  getBulkExport: {},
  getBulkExportDestination: {},
  getBulkExportDestinations: { isList: true },
  getBulkExportRuns: { isList: true },
  getBulkExports: { isList: true },
  getCron: {
    publicFields: [
      "cronId",
      "assistantId",
      "schedule",
      "timezone",
      "endTime",
      "enabled",
      "onRunCompleted",
      "metadata",
      "threadId",
      "input",
      "config",
      "context",
      "multitaskStrategy",
      "interruptBefore",
      "interruptAfter",
      "streamMode",
      "streamSubgraphs",
      "streamResumable",
      "durability",
      "userId",
      "nextRunDate",
      "createdAt",
      "updatedAt",
    ],
  },
  getCrons: { isList: true },
  getDeployment: {
    publicFields: [
      "id",
      "name",
      "displayName",
      "agent",
      "tenantId",
      "source",
      "status",
      "latestRevisionId",
      "activeRevisionId",
      "sourceConfig",
      "sourceRevisionConfig",
      "url",
      "tracerSessionId",
      "imageVersion",
      "isPreview",
      "isManagedDeepAgent",
      "createdAt",
      "updatedAt",
      "secretNames",
      "secretReferences",
    ],
  },
  getDeployments: { isList: true },
  getIntegration: {},
  getIntegrations: { isList: true },
  getListener: {},
  getListeners: { isList: true },
  getProject: {},
  getPushToken: { publicFields: ["username", "registryUrl", "repositoryUrl"] },
  getRepositories: { isList: true },
  getRevision: {},
  getRevisionLogs: { isList: true },
  getRevisions: { isList: true },
  getThread: {},
  getThreadHistory: { isList: true },
  getThreadState: {},
  getThreads: { isList: true },
  getUploadUrl: { publicFields: ["objectPath"] },
  getWorkspace: {},
} as const satisfies Record<keyof Functions, FunctionMetadata>;
