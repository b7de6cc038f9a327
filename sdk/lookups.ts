// Generated from the functions by `npm run generate`. Do not edit.
// biome-ignore-all lint/style/useShorthandFunctionType: editors show the comment of a call signature, but not that of a function type.
import type * as pulumi from "@pulumi/pulumi";
import type {
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
} from "./kinds";
import type { LookupFacts, LookupInputs, LookupOptions, LookupOutputOptions, OneOf, Told } from "./lookup-types";

export interface DeploymentInfo {
  /** Id of the deployment. */
  id: string;
  /** Name of the deployment and of its tracing project. */
  name: string;
  /** Workspace that owns it. */
  tenantId?: string;
  /** Where what runs comes from. */
  source?: DeploymentSource;
  /** What the service says of it as a whole: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN. */
  status: DeploymentStatus;
  /** URL of its agent server; absent until the first revision serves. */
  url?: string;
  /** The newest revision, whatever became of it; absent where there is none yet. */
  latestRevisionId?: string;
  /** The revision that serves now; absent until the first does. */
  activeRevisionId?: string;
  /** Where it is built from, and how it runs. */
  sourceConfig?: SourceConfigInfo;
  /** What runs in the newest revision. */
  sourceRevisionConfig?: SourceRevisionConfigInfo;
  /** Names of its secret environment variables, in order. */
  secretNames: string[];
  /** Secret environment variables by name, as far as the service shows them. Secret; a plain look-up, and one of many, needs `withSecrets: true` for them. */
  secrets?: Record<string, string>;
  /** Environment variables that come from secrets of the orchestrator, by name. */
  secretReferences?: Record<string, SecretReferenceInfo>;
  /** Version of the platform's base image, where the service tells it. */
  imageVersion?: string;
  /** Whether the platform manages the agent itself. */
  isManagedDeepAgent: boolean;
  /** When it was created, as the service says it. */
  createdAt?: string;
  /** When it was last changed, as the service says it. */
  updatedAt?: string;
}

export interface SourceConfigInfo {
  /** Integration with the git host that may read the repository. */
  integrationId?: string;
  /** Repository that it is built from. */
  repoUrl?: string;
  /** Size class. */
  deploymentType?: DeploymentType;
  /** Whether a push to the branch makes a revision by itself. */
  buildOnPush?: boolean;
  /** URL of the agent server, as `url` says it too. */
  customUrl?: string;
  /** Replicas, CPU, memory and the pod's own settings, filled with the service's defaults. */
  resourceSpec?: ResourceSpecInfo;
  /** Listener in the cluster where it runs. */
  listenerId?: string;
  /** Settings for the listener. */
  listenerConfig?: ListenerConfigInfo;
  /** Command that installs the dependencies of a JS deployment. */
  installCommand?: string;
  /** Command that builds a JS deployment. */
  buildCommand?: string;
}

export interface ResourceSpecInfo {
  /** Smallest number of replicas; the service decides when absent. */
  minScale?: number;
  /** Largest number of replicas; the service decides when absent. */
  maxScale?: number;
  /** CPU request of the agent server; the service decides when absent. Cores, at least 0.1, rounded to one decimal. */
  cpu?: number;
  /** CPU limit; twice `cpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  cpuLimit?: number;
  /** Memory request of the agent server; the service decides when absent. MB, a multiple of 128. */
  memoryMb?: number;
  /** Memory limit; twice `memoryMb` when absent. MB, a multiple of 128. */
  memoryLimitMb?: number;
  /** Smallest number of queue workers; `minScale` when absent. */
  queueMinScale?: number;
  /** Largest number of queue workers; `maxScale` when absent. */
  queueMaxScale?: number;
  /** CPU request of a queue worker; `cpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  queueCpu?: number;
  /** CPU limit of a queue worker; twice `queueCpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  queueCpuLimit?: number;
  /** Memory request of a queue worker; `memoryMb` when absent. MB, a multiple of 128. */
  queueMemoryMb?: number;
  /** Memory limit of a queue worker; twice `queueMemoryMb` when absent. MB, a multiple of 128. */
  queueMemoryLimitMb?: number;
  /** CPU request of the cache; the service decides when absent. Cores, at least 0.1, rounded to one decimal. */
  redisCpu?: number;
  /** CPU limit of the cache; twice `redisCpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  redisCpuLimit?: number;
  /** Memory request of the cache; the service decides when absent. MB, a multiple of 128. */
  redisMemoryMb?: number;
  /** Memory limit of the cache, not below `redisMemoryMb`; that (not twice) when absent. MB, a multiple of 128. */
  redisMemoryLimitMb?: number;
  /** CPU request of the core API sidecar; the service decides when absent. Cores, at least 0.1, rounded to one decimal. */
  coreCpu?: number;
  /** CPU limit of the core API sidecar; twice `coreCpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  coreCpuLimit?: number;
  /** Memory request of the core API sidecar; the service decides when absent. MB, a multiple of 128. */
  coreMemoryMb?: number;
  /** Memory limit of the core API sidecar; twice `coreMemoryMb` when absent. MB, a multiple of 128. */
  coreMemoryLimitMb?: number;
  /** CPU request of the database; the service decides when absent. Cores. */
  dbCpu?: number;
  /** CPU limit of the database; twice `dbCpu` when absent. Cores. */
  dbCpuLimit?: number;
  /** Memory request of the database; the service decides when absent. MB, a multiple of 128. */
  dbMemoryMb?: number;
  /** Memory limit of the database; twice `dbMemoryMb` when absent. MB, a multiple of 128. */
  dbMemoryLimitMb?: number;
  /** Database storage in GiB; the service decides when absent. */
  dbStorageGi?: number;
  /** Most connections to the database; the service decides when absent. */
  dbMaxConnections?: number;
  /** Labels of everything that is created for it, by key; none when absent. */
  labels?: Record<string, string>;
  /** Annotations of everything that is created for it, by key; none when absent. */
  annotations?: Record<string, string>;
  /** Service account to run as, which must exist in the namespace; the namespace's default when absent. */
  serviceAccountName?: string;
  /** Secrets of type docker-config-json for pulling images; none when absent. */
  imagePullSecrets?: LocalObjectReferenceInfo[];
  /** Volumes that containers may mount; none when absent. */
  volumes?: VolumeInfo[];
  /** Where the agent server mounts which volume; nowhere when absent. */
  volumeMounts?: VolumeMountInfo[];
  /** Containers that run to completion before the agent server; none when absent. */
  initContainers?: ContainerInfo[];
  /** Containers that run beside the agent server; none when absent. */
  sidecars?: ContainerInfo[];
}

export interface LocalObjectReferenceInfo {
  /** Name of the secret. */
  name: string;
}

export interface VolumeInfo {
  /** Name of the volume: a DNS label, unique within the pod. */
  name: string;
  /** A config map as the source, as the orchestrator writes it. */
  configMap?: Record<string, unknown>;
  /** A secret as the source, as the orchestrator writes it. */
  secret?: Record<string, unknown>;
  /** An empty folder as the source, as the orchestrator writes it. */
  emptyDir?: Record<string, unknown>;
  /** A persistent volume claim as the source, as the orchestrator writes it. */
  persistentVolumeClaim?: Record<string, unknown>;
  /** A network share as the source, as the orchestrator writes it. */
  nfs?: Record<string, unknown>;
  /** Several sources in one, as the orchestrator writes it. */
  projected?: Record<string, unknown>;
  /** Facts about the pod as the source, as the orchestrator writes it. */
  downwardAPI?: Record<string, unknown>;
  /** A storage driver as the source, as the orchestrator writes it. */
  csi?: Record<string, unknown>;
}

export interface VolumeMountInfo {
  /** Name of the volume to mount; it must be in `volumes`. */
  name: string;
  /** Where in the container it appears. */
  mountPath: string;
  /** Path within the volume; its root when absent. */
  subPath?: string;
  /** How mounts spread between host and container; not at all when absent. */
  mountPropagation?: string;
  /** Whether it cannot be written; false when absent. */
  readOnly?: boolean;
  /** Path within the volume, with variables of the environment expanded; its root when absent. */
  subPathExpr?: string;
}

export interface ContainerInfo {
  /** Name of the container, a DNS label. */
  name: string;
  /** Image to run. */
  image: string;
  /** When the image is pulled; the orchestrator's rule when absent. */
  imagePullPolicy?: "Always" | "Never" | "IfNotPresent";
  /** Entry point; the image's when absent. */
  command?: string[];
  /** Arguments of the entry point; the image's when absent. */
  args?: string[];
  /** Working folder; the image's when absent. */
  workingDir?: string;
  /** Environment variables; none when absent. */
  env?: EnvVarInfo[];
  /** Sources of whole environments, as the orchestrator writes them; none when absent. */
  envFrom?: Record<string, unknown>[];
  /** CPU and memory of the container; none set aside when absent. */
  resources?: ResourceRequirementsInfo;
  /** Volumes it mounts; none when absent. */
  volumeMounts?: VolumeMountInfo[];
  /** Security context, as the orchestrator writes it. */
  securityContext?: Record<string, unknown>;
  /** When a sidecar is started again; the orchestrator's rule when absent. */
  restartPolicy?: "Always" | "OnFailure";
}

export interface EnvVarInfo {
  /** Name of the variable, a C identifier. */
  name: string;
  /** Its value; empty when absent. Not together with `valueFrom`. */
  value?: string;
  /** Where the value comes from, as the orchestrator writes it. Not together with a non-empty `value`. */
  valueFrom?: Record<string, unknown>;
}

export interface ResourceRequirementsInfo {
  /** Upper bound of each resource, such as `{ cpu: "500m" }`; none when absent. */
  limits?: Record<string, string>;
  /** What is set aside of each resource; the limits when absent. */
  requests?: Record<string, string>;
}

export interface ListenerConfigInfo {
  /** Namespace it is deployed to. */
  k8sNamespace?: string;
}

export interface SourceRevisionConfigInfo {
  /** Branch, or tag as `refs/tags/…`, that it was built from. */
  repoRef?: string;
  /** Path of the graph configuration file within the repository. */
  agentgraphConfigPath?: string;
  /** Container image that runs, or was built from the source. */
  imageUri?: string;
  /** Object path of the uploaded source. */
  sourceTarballPath?: string;
  /** Commit that it was built from. */
  repoCommitSha?: string;
}

export interface SecretReferenceInfo {
  /** Name of the orchestrator secret in the deployment's namespace. */
  secretName: string;
  /** Key within that secret. */
  secretKey: string;
}

export interface RevisionInfo {
  /** Id of the revision. */
  id: string;
  /** How far it came, such as QUEUED, BUILDING, DEPLOYED or DEPLOY_FAILED; one that was overtaken keeps DEPLOYED. */
  status: RevisionStatus;
  /** Kind of source of its deployment, where the service tells it. */
  source?: DeploymentSource;
  /** What runs in it. */
  sourceRevisionConfig?: SourceRevisionConfigInfo;
  /** When it was created, where the service tells it. */
  createdAt?: string;
  /** When it last changed, where the service tells it. */
  updatedAt?: string;
}

export interface LogLineInfo {
  /** Id of the line. */
  id?: string;
  /** When it was written. */
  timestamp?: string;
  /** Its level, such as INFO or ERROR. */
  level?: string;
  /** The line itself. */
  message: string;
}

export interface IntegrationInfo {
  /** Id, as `integrationId` of a deployment's `sourceConfig` takes it. */
  id: string;
  /** Number of the installation at the git host itself. */
  installationId?: number;
  /** Name of the account or organization that installed it. */
  name?: string;
}

export interface RepositoryInfo {
  /** Number of the repository at the git host. */
  id?: number;
  /** Name, without the owner. */
  name?: string;
  /** Account or organization that owns it. */
  owner?: string;
  /** Address, as `repoUrl` of a deployment's `sourceConfig` takes it. */
  url?: string;
  /** The branch that is deployed where no `repoRef` names another. */
  defaultBranch?: string;
  /** Id of the integration that may read it. */
  hostIntegrationId?: string;
}

export interface ListenerInfo {
  /** Id, as `listenerId` of a deployment's `sourceConfig` takes it. */
  id: string;
  /** What it deploys to: `k8s`, or another word of the service. */
  computeType?: string;
  /** Name of the cluster it stands in, as the service knows it. */
  computeId?: string;
  /** Where in the cluster it may deploy. */
  computeConfig?: ComputeConfigInfo;
}

export interface ComputeConfigInfo {
  /** Namespaces that it may deploy to. */
  k8sNamespaces?: string[];
}

export interface PushTokenInfo {
  /** Password for the registry. Secret; a plain look-up needs `withSecrets: true` for it. */
  token?: string;
  /** User that the password belongs to, where the service tells one. */
  username?: string;
  /** Registry to log in to. */
  registryUrl?: string;
  /** Where in it to push, where the service tells it; a tag follows. */
  repositoryUrl?: string;
}

export interface UploadUrlInfo {
  /** Signed URL to PUT the .tar.gz file to, with the header `Content-Type: application/gzip`. Secret; the plain form needs `withSecrets: true` for it. */
  uploadUrl?: string;
  /** Path to declare as `sourceRevisionConfig.sourceTarballPath` after the upload. */
  objectPath: string;
}

export interface WorkspaceInfo {
  /** Id of the workspace. */
  id: string;
  /** Its name, where the service tells it. */
  displayName?: string;
}

export interface ProjectInfo {
  /** Id, as `sessionId` of an export takes it. */
  id: string;
  /** Name of the project; that of a deployment has the deployment's name. */
  name?: string;
  /** Workspace that it belongs to. */
  tenantId?: string;
  /** When it was made. */
  startTime?: string;
  /** The data set that it is an experiment on; absent for any other project. */
  referenceDatasetId?: string;
}

export interface BulkExportDestinationInfo {
  /** Id, as `bulkExportDestinationId` of an export takes it. */
  id: string;
  /** Workspace that it belongs to. */
  tenantId?: string;
  /** Name of the destination. */
  displayName?: string;
  /** Type of the object store. */
  destinationType?: BulkExportDestinationType;
  /** Which bucket, and where in it. */
  config?: BulkExportDestinationConfigInfo;
  /** Names of the credentials that the service holds; it never tells their values. */
  credentialsKeys?: string[];
  /** When it was created. */
  createdAt?: string;
  /** When it last changed. */
  updatedAt?: string;
}

export interface BulkExportDestinationConfigInfo {
  /** Name of the bucket, 3 to 63 characters; it must exist. */
  bucketName: string;
  /** Where in the bucket the files begin, without a leading slash; its root when absent. */
  prefix?: string;
  /** Region of the bucket at the cloud object store; for other stores write `endpointUrl`. */
  region?: string;
  /** Address of another object store that speaks the same protocol; the cloud object store when absent. */
  endpointUrl?: string;
  /** Whether the bucket's name stands before the prefix; write false where `endpointUrl` already holds the bucket. True when absent. */
  includeBucketInPrefix?: boolean;
  /** How the service's client speaks to the store; further keys go to it as they are written. */
  configKwargsS3?: S3ConfigKwargsInfo;
  /** Further arguments of each upload, such as encryption, as the service's client names them. */
  s3AdditionalKwargs?: Record<string, unknown>;
}

export interface S3ConfigKwargsInfo {
  /** How the bucket stands in addresses: in the host name (`virtual`), in the path (`path`), or as the service finds best (`auto`, when absent). */
  addressingStyle?: S3AddressingStyle;
  [key: string]: unknown;
}

export interface BulkExportInfo {
  /** Id of the export. */
  id: string;
  /** Workspace that it belongs to. */
  tenantId?: string;
  /** Destination that it writes to. */
  bulkExportDestinationId?: string;
  /** Project that it exports; absent where it exports all experiments. */
  sessionId?: string;
  /** Whether it exports every experiment of the workspace. */
  allExperiments?: boolean;
  /** First moment whose runs are exported. */
  startTime?: string;
  /** First moment whose runs are not; absent for a schedule. */
  endTime?: string;
  /** Hours of each window of a schedule; absent for a one-time export. */
  intervalHours?: number;
  /** Which runs; all when absent. */
  filter?: string;
  /** Which fields of them; all when absent. */
  exportFields?: BulkExportField[];
  /** Format of the files. */
  format?: BulkExportFormat;
  /** Version of the format. */
  formatVersion?: BulkExportFormatVersion;
  /** Compression of the files. */
  compression?: BulkExportCompression;
  /** CREATED, RUNNING, COMPLETED, FAILED, CANCELLED or TIMEDOUT, or another word of the service, in upper case. */
  status?: BulkExportStatus;
  /** Schedule that spawned it; absent for all others. */
  sourceBulkExportId?: string;
  /** When it was created. */
  createdAt?: string;
  /** When it last changed. */
  updatedAt?: string;
  /** When it ended; absent until then. */
  finishedAt?: string;
}

export interface BulkExportRunInfo {
  /** Id of the run. */
  id: string;
  /** Export that it is a part of. */
  bulkExportId?: string;
  /** Its status, in upper case. */
  status?: BulkExportStatus;
  /** How many times it was tried again. */
  retryNumber?: number;
  /** What went wrong, by attempt: `retry_0` is the first. */
  errors?: Record<string, unknown>;
  /** Which window it covers, and what it wrote. */
  metadata?: BulkExportRunMetadataInfo;
}

export interface BulkExportRunMetadataInfo {
  /** Where in the bucket its export writes. */
  prefix?: string;
  /** First moment whose runs it wrote. */
  startTime?: string;
  /** First moment whose runs it did not. */
  endTime?: string;
  /** What it wrote; absent until it has. */
  result?: BulkExportRunResultInfo;
}

export interface BulkExportRunResultInfo {
  /** Rows in its files. */
  rowsWritten?: number;
  /** Its files, as keys in the bucket. */
  exportedFiles?: string[];
  /** Where in the bucket they lie. */
  exportPath?: string;
}

export interface ThreadInfo {
  /** Id of the thread. */
  threadId: string;
  /** `idle`, `busy`, `interrupted` or `error`. */
  status?: ThreadStatus;
  /** Metadata by key, as whoever wrote them spelt the keys. */
  metadata?: ThreadMetadataInfo;
  /** State values now, in the graph's own form, where the server tells them. */
  values?: Record<string, unknown>;
  /** Configuration of the last run, where the server tells it. */
  config?: Record<string, unknown>;
  /** How long it lives after its last change, where the server tells it. */
  ttl?: ThreadTtlInfo;
  /** When it was created. */
  createdAt?: string;
  /** When it last changed. */
  updatedAt?: string;
}

export interface ThreadMetadataInfo {
  /** The authenticated owner, which custom authentication sets by itself. */
  agentgraph_auth_user_id?: unknown;
  [key: string]: unknown;
}

export interface ThreadTtlInfo {
  /** What happens then: the thread goes (`delete`, when absent), or all but its latest state (`keep_latest`). */
  strategy?: ThreadTtlStrategy;
  /** Minutes after its last change. */
  ttl: number;
}

export interface ThreadStateInfo {
  /** State values, in the graph's own form. */
  values?: Record<string, unknown>;
  /** Nodes that run next; none when the graph is at its end. */
  next?: string[];
  /** What is to be done next, each with its `name`, `error` and `interrupts`, as the server tells it. */
  tasks?: Record<string, unknown>[];
  /** Where the state comes from; further keys as whoever wrote them spelt them. Absent before the first. */
  metadata?: ThreadStateMetadataInfo;
  /** When it was written; absent before the first. */
  createdAt?: string;
  /** The checkpoint that holds it; absent before the first. */
  checkpoint?: CheckpointInfo;
  /** The checkpoint before; absent for the first. */
  parentCheckpoint?: CheckpointInfo;
  /** Id of the checkpoint, as `checkpointId` of a look-up takes it. */
  checkpointId?: string;
  /** Id of the checkpoint before; absent for the first. */
  parentCheckpointId?: string;
}

export interface ThreadStateMetadataInfo {
  /** Id of the thread. */
  threadId?: string;
  /** Id of the checkpoint. */
  checkpointId?: string;
  /** Graph that wrote it. */
  graphId?: string;
  /** What wrote it, such as `input`, `loop` or `update`. */
  source?: string;
  /** Its number: -1 for the input, then counted from 0. */
  step?: number;
  /** What was written, by node. */
  writes?: Record<string, unknown>;
  /** Checkpoints of the graphs around a subgraph, by namespace. */
  parents?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface CheckpointInfo {
  /** Id of the checkpoint. */
  checkpointId?: string;
  /** Id of its thread. */
  threadId?: string;
  /** Namespace of a subgraph; empty for the graph itself. */
  checkpointNs?: string;
  [key: string]: unknown;
}

export interface GetDeploymentArgs {
  /** Its exact name. This or `id`. */
  name?: string;
  /** Its id. This or `name`. */
  id?: string;
  /** Whether the answer holds secret values; false when absent. */
  withSecrets?: boolean;
}

export interface GetDeployment {
  /**
   * One deployment, by its exact name or its id.
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
   * One deployment, by its exact name or its id. Accepts Inputs and returns an Output.
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
  ): pulumi.Output<Told<DeploymentInfo, "secrets">>;
}

export interface GetDeploymentsArgs {
  /** A part of the name. */
  nameContains?: string;
  /** Their status, such as READY. */
  status?: DeploymentStatus;
  /** Their size class. */
  deploymentType?: "dev_free" | "dev" | "prod" | "dev_zero";
  /** Their version of the platform's base image. */
  imageVersion?: string;
  /** Whether they are reconciled by a remote cluster. */
  remoteReconciled?: boolean;
  /** Ids of tag values that they carry. */
  tagValueIds?: string[];
  /** Their ids; those that do not exist are left out. */
  deploymentIds?: string[];
  /** Whether the answer holds secret values; false when absent. */
  withSecrets?: boolean;
}

export interface GetDeployments {
  /**
   * All deployments of the workspace that match every filter, newest first.
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
   * All deployments of the workspace that match every filter, newest first. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const deployments = agentgraph.getDeploymentsOutput({ status: "READY" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: LookupInputs<GetDeploymentsArgs>, options?: LookupOutputOptions): pulumi.Output<DeploymentInfo[]>;
}

export interface GetRevisionArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** Id of the revision. */
  revisionId: string;
}

export interface GetRevision {
  /**
   * One revision of a deployment, by its id.
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
   * One revision of a deployment, by its id. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const revision = agentgraph.getRevisionOutput({ deploymentId: agent.id, revisionId: agent.latestRevisionId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetRevisionArgs>, options?: LookupOutputOptions): pulumi.Output<Told<RevisionInfo>>;
}

export interface GetRevisionsArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** Words of a status, of which each has one; any when absent. */
  status?: RevisionStatus[];
}

export interface GetRevisions {
  /**
   * All revisions of a deployment, newest first. Not every server supports it.
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
   * All revisions of a deployment, newest first. Accepts Inputs and returns an Output. Not every server supports it.
   * @example
   * ```ts
   * const revisions = agentgraph.getRevisionsOutput({ deploymentId: agent.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetRevisionsArgs>, options?: LookupOutputOptions): pulumi.Output<RevisionInfo[]>;
}

export interface GetRevisionLogsArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** Id of the revision. */
  revisionId: string;
  /** Which of its two logs. */
  type: "build" | "deploy";
  /** Oldest line first (`asc`, when absent), or newest first. */
  order?: "asc" | "desc";
  /** Only lines of this level, such as ERROR. */
  level?: string;
  /** Only lines that hold this text. */
  query?: string;
  /** Only lines from this time on, such as `2026-01-31T12:00:00Z`. */
  startTime?: string;
  /** Only lines until this time. */
  endTime?: string;
  /** So many lines at most; all when absent. */
  limit?: number;
}

export interface GetRevisionLogs {
  /**
   * The log of a revision's build or of its deployment, all of it where no `limit` is given. Not every server supports it.
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
   * The log of a revision's build or of its deployment, all of it where no `limit` is given. Accepts Inputs and returns an Output. Not every server supports it.
   * @example
   * ```ts
   * const revisionLogs = agentgraph.getRevisionLogsOutput({ deploymentId: agent.id, revisionId: agent.latestRevisionId, type: "deploy" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetRevisionLogsArgs>, options?: LookupOutputOptions): pulumi.Output<LogLineInfo[]>;
}

export interface GetIntegrationArgs {
  /** Name of the account or organization that installed it. */
  name: string;
}

export interface GetIntegration {
  /**
   * One integration with the git host, by its exact name. Not every server supports it.
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
   * One integration with the git host, by its exact name. Accepts Inputs and returns an Output. Not every server supports it.
   * @example
   * ```ts
   * const integration = agentgraph.getIntegrationOutput({ name: "my-organization" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetIntegrationArgs>, options?: LookupOutputOptions): pulumi.Output<Told<IntegrationInfo>>;
}

export interface GetIntegrations {
  /**
   * All integrations of the workspace with the git host. Not every server supports it.
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
   * All integrations of the workspace with the git host. Accepts Inputs and returns an Output. Not every server supports it.
   * @example
   * ```ts
   * const integrations = agentgraph.getIntegrationsOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOutputOptions): pulumi.Output<IntegrationInfo[]>;
}

export interface GetRepositoriesArgs {
  /** Id of the integration. */
  integrationId: string;
}

export interface GetRepositories {
  /**
   * All repositories that an integration with the git host may read. Not every server supports it.
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
   * All repositories that an integration with the git host may read. Accepts Inputs and returns an Output. Not every server supports it.
   * @example
   * ```ts
   * const repositories = agentgraph.getRepositoriesOutput({ integrationId });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetRepositoriesArgs>, options?: LookupOutputOptions): pulumi.Output<RepositoryInfo[]>;
}

export interface GetListenerArgs {
  /** Its id. This or `computeId`. */
  id?: string;
  /** Name of its cluster, as the service knows it. This or `id`. */
  computeId?: string;
}

export interface GetListener {
  /**
   * One listener, by its id or by the cluster it stands in.
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
   * One listener, by its id or by the cluster it stands in. Accepts Inputs and returns an Output.
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
  ): pulumi.Output<Told<ListenerInfo>>;
}

export interface GetListeners {
  /**
   * All listeners of the workspace.
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
   * All listeners of the workspace. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const listeners = agentgraph.getListenersOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOutputOptions): pulumi.Output<ListenerInfo[]>;
}

export interface GetPushTokenArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** Whether the answer holds the token itself; false when absent. */
  withSecrets?: boolean;
}

export interface GetPushToken {
  /**
   * A new token for pushing an image, for a deployment of source `internal_docker`. Not every server supports it.
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
   * A new token for pushing an image, for a deployment of source `internal_docker`. Accepts Inputs and returns an Output. Not every server supports it.
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
  ): pulumi.Output<Told<PushTokenInfo, "token">>;
}

export interface GetUploadUrlArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** Whether the result holds the URL itself; false when absent. */
  withSecrets?: boolean;
}

export interface GetUploadUrl {
  /**
   * A new URL to upload a tarball to, for a deployment of source `internal_source`.
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
   * A new URL to upload a tarball to, for a deployment of source `internal_source`. Accepts Inputs and returns an Output.
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
  ): pulumi.Output<Told<UploadUrlInfo, "uploadUrl">>;
}

export interface GetWorkspaceArgs {
  /** Its id; that of the setting `tenantId` when absent. */
  id?: string;
}

export interface GetWorkspace {
  /**
   * One workspace, by its id.
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
   * One workspace, by its id. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const workspace = agentgraph.getWorkspaceOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args?: LookupInputs<GetWorkspaceArgs>, options?: LookupOutputOptions): pulumi.Output<Told<WorkspaceInfo>>;
}

export interface GetProjectArgs {
  /** Exact name of the project. */
  name: string;
}

export interface GetProject {
  /**
   * One tracing project, by its exact name; each deployment has one of its own name. Not every server supports it.
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
   * One tracing project, by its exact name; each deployment has one of its own name. Accepts Inputs and returns an Output. Not every server supports it.
   * @example
   * ```ts
   * const project = agentgraph.getProjectOutput({ name: "support-agent" });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetProjectArgs>, options?: LookupOutputOptions): pulumi.Output<Told<ProjectInfo>>;
}

export interface GetBulkExportDestinationArgs {
  /** Its id. This or `displayName`. */
  id?: string;
  /** Its exact name. This or `id`. */
  displayName?: string;
}

export interface GetBulkExportDestination {
  /**
   * One destination of exports, by its id or its exact name. Not every server supports it.
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
   * One destination of exports, by its id or its exact name. Accepts Inputs and returns an Output. Not every server supports it.
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
  ): pulumi.Output<Told<BulkExportDestinationInfo>>;
}

export interface GetBulkExportDestinations {
  /**
   * All destinations of exports in the workspace. Not every server supports it.
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
   * All destinations of exports in the workspace. Accepts Inputs and returns an Output. Not every server supports it.
   * @example
   * ```ts
   * const bulkExportDestinations = agentgraph.getBulkExportDestinationsOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOutputOptions): pulumi.Output<BulkExportDestinationInfo[]>;
}

export interface GetBulkExportArgs {
  /** Its id. */
  id: string;
}

export interface GetBulkExport {
  /**
   * One export, by its id: one-time, a schedule, or what a schedule spawned.
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
   * One export, by its id: one-time, a schedule, or what a schedule spawned. Accepts Inputs and returns an Output.
   * @example
   * ```ts
   * const bulkExport = agentgraph.getBulkExportOutput({ id: january.id });
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if there is not exactly one, or the server refuses the request; the error says what to do.
   */
  (args: LookupInputs<GetBulkExportArgs>, options?: LookupOutputOptions): pulumi.Output<Told<BulkExportInfo>>;
}

export interface GetBulkExports {
  /**
   * All exports of the workspace: one-time, schedules, and what schedules spawned. Not every server supports it.
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
   * All exports of the workspace: one-time, schedules, and what schedules spawned. Accepts Inputs and returns an Output. Not every server supports it.
   * @example
   * ```ts
   * const bulkExports = agentgraph.getBulkExportsOutput();
   * ```
   * @see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)
   * @throws if the server refuses the request; the error says what to do.
   */
  (args?: Record<string, never>, options?: LookupOutputOptions): pulumi.Output<BulkExportInfo[]>;
}

export interface GetBulkExportRunsArgs {
  /** The export. This or `sourceBulkExportId`. */
  bulkExportId?: string;
  /** The schedule that spawned the exports. This or `bulkExportId`. */
  sourceBulkExportId?: string;
}

export interface GetBulkExportRuns {
  /**
   * The runs of an export, one a day and project, or of all that a schedule spawned. Not every server supports it.
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
   * The runs of an export, one a day and project, or of all that a schedule spawned. Accepts Inputs and returns an Output. Not every server supports it.
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

export interface GetThreadArgs {
  /** Id of the deployment whose agent server holds them; the control plane tells its address. This or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of an agent server that the control plane may not know, with its path if it has one. This or `deploymentId`. */
  deploymentUrl?: string;
  /** Id of the thread. */
  threadId: string;
}

export interface GetThread {
  /**
   * One thread of an agent server, by its id.
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
   * One thread of an agent server, by its id. Accepts Inputs and returns an Output.
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
  ): pulumi.Output<Told<ThreadInfo>>;
}

export interface GetThreadsArgs {
  /** Id of the deployment whose agent server holds them; the control plane tells its address. This or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of an agent server that the control plane may not know, with its path if it has one. This or `deploymentId`. */
  deploymentUrl?: string;
  /** Their ids. */
  ids?: string[];
  /** Their status. */
  status?: "idle" | "busy" | "interrupted" | "error";
  /** Metadata that they hold, by key, as whoever wrote them spelt the keys. */
  metadata?: ThreadMetadataInfo;
  /** State values that they hold, in the graph's own form. */
  values?: Record<string, unknown>;
  /** What they are sorted by; the server decides when absent. */
  sortBy?: "thread_id" | "status" | "created_at" | "updated_at" | "state_updated_at";
  /** Smallest first (`asc`) or last; the server decides when absent. */
  sortOrder?: "asc" | "desc";
  /** So many at most; all when absent. */
  limit?: number;
}

export interface GetThreads {
  /**
   * All threads of an agent server that match every filter, or the first of them where a `limit` is given.
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
   * All threads of an agent server that match every filter, or the first of them where a `limit` is given. Accepts Inputs and returns an Output.
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

export interface GetThreadStateArgs {
  /** Id of the deployment whose agent server holds them; the control plane tells its address. This or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of an agent server that the control plane may not know, with its path if it has one. This or `deploymentId`. */
  deploymentUrl?: string;
  /** Id of the thread. */
  threadId: string;
  /** Id of the checkpoint; the latest when absent. */
  checkpointId?: string;
}

export interface GetThreadState {
  /**
   * The state of a thread: the latest, or that at a checkpoint.
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
   * The state of a thread: the latest, or that at a checkpoint. Accepts Inputs and returns an Output.
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
  ): pulumi.Output<Told<ThreadStateInfo>>;
}

export interface GetThreadHistoryArgs {
  /** Id of the deployment whose agent server holds them; the control plane tells its address. This or `deploymentUrl`. */
  deploymentId?: string;
  /** Base URL of an agent server that the control plane may not know, with its path if it has one. This or `deploymentId`. */
  deploymentUrl?: string;
  /** Id of the thread. */
  threadId: string;
  /** So many at most; all when absent. */
  limit?: number;
}

export interface GetThreadHistory {
  /**
   * The states of a thread, most recent first: all of them, or the latest where a `limit` is given.
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
   * The states of a thread, most recent first: all of them, or the latest where a `limit` is given. Accepts Inputs and returns an Output.
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

/** Both forms of each function. */
export interface Lookups {
  getDeployment: readonly [GetDeployment, GetDeploymentOutput];
  getDeployments: readonly [GetDeployments, GetDeploymentsOutput];
  getRevision: readonly [GetRevision, GetRevisionOutput];
  getRevisions: readonly [GetRevisions, GetRevisionsOutput];
  getRevisionLogs: readonly [GetRevisionLogs, GetRevisionLogsOutput];
  getIntegration: readonly [GetIntegration, GetIntegrationOutput];
  getIntegrations: readonly [GetIntegrations, GetIntegrationsOutput];
  getRepositories: readonly [GetRepositories, GetRepositoriesOutput];
  getListener: readonly [GetListener, GetListenerOutput];
  getListeners: readonly [GetListeners, GetListenersOutput];
  getPushToken: readonly [GetPushToken, GetPushTokenOutput];
  getUploadUrl: readonly [GetUploadUrl, GetUploadUrlOutput];
  getWorkspace: readonly [GetWorkspace, GetWorkspaceOutput];
  getProject: readonly [GetProject, GetProjectOutput];
  getBulkExportDestination: readonly [GetBulkExportDestination, GetBulkExportDestinationOutput];
  getBulkExportDestinations: readonly [GetBulkExportDestinations, GetBulkExportDestinationsOutput];
  getBulkExport: readonly [GetBulkExport, GetBulkExportOutput];
  getBulkExports: readonly [GetBulkExports, GetBulkExportsOutput];
  getBulkExportRuns: readonly [GetBulkExportRuns, GetBulkExportRunsOutput];
  getThread: readonly [GetThread, GetThreadOutput];
  getThreads: readonly [GetThreads, GetThreadsOutput];
  getThreadState: readonly [GetThreadState, GetThreadStateOutput];
  getThreadHistory: readonly [GetThreadHistory, GetThreadHistoryOutput];
}

export const facts = {
  getDeployment: {
    open: [
      "id",
      "name",
      "tenantId",
      "source",
      "status",
      "url",
      "latestRevisionId",
      "activeRevisionId",
      "sourceConfig",
      "sourceRevisionConfig",
      "secretNames",
      "secretReferences",
      "imageVersion",
      "isManagedDeepAgent",
      "createdAt",
      "updatedAt",
    ],
  },
  getDeployments: { list: true },
  getRevision: {},
  getRevisions: { list: true },
  getRevisionLogs: { list: true },
  getIntegration: {},
  getIntegrations: { list: true },
  getRepositories: { list: true },
  getListener: {},
  getListeners: { list: true },
  getPushToken: { open: ["username", "registryUrl", "repositoryUrl"] },
  getUploadUrl: { open: ["objectPath"] },
  getWorkspace: {},
  getProject: {},
  getBulkExportDestination: {},
  getBulkExportDestinations: { list: true },
  getBulkExport: {},
  getBulkExports: { list: true },
  getBulkExportRuns: { list: true },
  getThread: {},
  getThreads: { list: true },
  getThreadState: {},
  getThreadHistory: { list: true },
} as const satisfies Record<keyof Lookups, LookupFacts>;
