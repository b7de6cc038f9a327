// Generated from the definitions by `npm run generate`. Do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ArgsOf, Field, Present, ResourceMetadata } from "./resource-types";

/** One of these values, which editors complete, or any other string. */
export type LiteralUnion<Word extends string> = Word | (string & Record<never, never>);

/** A value of which each part, at any depth, may be an Output. */
export type DeepInput<Value> = pulumi.Input<
  unknown extends Value ? Value : { [Key in keyof Value]: DeepInput<Value[Key]> }
>;

/** Known values. A newer server may use others. */
export type DeploymentSource = LiteralUnion<
  "githost" | "external_docker" | "internal_docker" | "internal_source" | "internal_template"
>;

/** Known values. A newer server may use others. */
export type DeploymentType = LiteralUnion<"dev_free" | "dev" | "prod" | "dev_zero" | "dev_free_zero">;

/** Known values. A newer server may use others. */
export type AgentEnvironment = LiteralUnion<"development" | "staging" | "production">;

/** Known values. A newer server may use others. */
export type DeploymentStatus = LiteralUnion<"AWAITING_DATABASE" | "READY" | "UNUSED" | "AWAITING_DELETE" | "UNKNOWN">;

/** Known values. A newer server may use others. */
export type RevisionStatus = LiteralUnion<
  | "CREATING"
  | "QUEUED"
  | "AWAITING_BUILD"
  | "BUILDING"
  | "AWAITING_DEPLOY"
  | "DEPLOYING"
  | "DEPLOYED"
  | "CREATE_FAILED"
  | "BUILD_FAILED"
  | "DEPLOY_FAILED"
  | "SKIPPED"
  | "INTERRUPTED"
  | "UNKNOWN"
>;

/** Known values. A newer server may use others. */
export type ThreadStatus = LiteralUnion<"idle" | "busy" | "interrupted" | "error">;

/** Known values. A newer server may use others. */
export type BulkExportStatus = LiteralUnion<
  "CREATED" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED" | "TIMEDOUT" | "INTERVALSCHEDULED"
>;

/** Known values. A newer server may use others. */
export type ThreadTtlStrategy = LiteralUnion<"delete" | "keep_latest">;

/** Known values. A newer server may use others. */
export type CronMultitaskStrategy = LiteralUnion<"enqueue" | "reject" | "interrupt" | "rollback">;

/** Known values. A newer server may use others. */
export type CronOnRunCompleted = LiteralUnion<"delete" | "keep">;

/** Known values. A newer server may use others. */
export type CronDurability = LiteralUnion<"sync" | "async" | "exit">;

/** Known values. A newer server may use others. */
export type CronStreamMode = LiteralUnion<
  "values" | "messages" | "messages-tuple" | "updates" | "events" | "tasks" | "checkpoints" | "debug" | "custom"
>;

/** Known values. A newer server may use others. */
export type BulkExportDestinationType = LiteralUnion<"s3">;

/** Known values. A newer server may use others. */
export type S3AddressingStyle = LiteralUnion<"auto" | "virtual" | "path">;

/** Known values. A newer server may use others. */
export type BulkExportFormat = LiteralUnion<"Parquet">;

/** Known values. A newer server may use others. */
export type BulkExportFormatVersion = LiteralUnion<"v1" | "v2_beta">;

/** Known values. A newer server may use others. */
export type BulkExportCompression = LiteralUnion<"none" | "gzip" | "snappy" | "zstandard">;

/** Known values. A newer server may use others. */
export type BulkExportField = LiteralUnion<
  | "id"
  | "tenant_id"
  | "session_id"
  | "trace_id"
  | "parent_run_id"
  | "parent_run_ids"
  | "reference_example_id"
  | "name"
  | "run_type"
  | "start_time"
  | "end_time"
  | "status"
  | "is_root"
  | "dotted_order"
  | "trace_tier"
  | "inputs"
  | "outputs"
  | "error"
  | "extra"
  | "events"
  | "tags"
  | "feedback_stats"
  | "total_tokens"
  | "prompt_tokens"
  | "completion_tokens"
  | "total_cost"
  | "prompt_cost"
  | "completion_cost"
  | "first_token_time"
  | "feedbacks"
>;

export interface GithostSourceConfigArgs {
  /** ID of the integration with the git host that can read the repository. Defaults to the server's choice. A change replaces the deployment, except on platforms that move repositories. */
  integrationId?: pulumi.Input<string | undefined>;
  /** URL of the repository. A change replaces the deployment, except on platforms that move repositories: see the setting `platform`. */
  repoUrl: pulumi.Input<string>;
  /** Size class of the deployment, such as `dev`, `prod` or `dev_zero`. Defaults to the server's choice; some servers require it. A change replaces the deployment. */
  deploymentType?: pulumi.Input<DeploymentType | undefined>;
  /** Whether a push to the branch creates a revision. Defaults to the server's choice. Cannot be true with a tag. */
  buildOnPush?: pulumi.Input<boolean | undefined>;
  /** Replicas, CPU, memory and pod settings. Defaults to the server's settings. A change creates a revision. */
  resourceSpec?: pulumi.Input<ResourceSpecArgs | undefined>;
  /** Command that installs the dependencies of a JS deployment, run in the repository root. Defaults to a command for the lock file. Takes effect with the next revision. */
  installCommand?: pulumi.Input<string | undefined>;
  /** Command that builds a JS deployment, run in the folder of the graph configuration. Defaults to none. Takes effect with the next revision. */
  buildCommand?: pulumi.Input<string | undefined>;
}

/** Replicas, CPU, memory and pod settings of a deployment. */
export interface ResourceSpecArgs {
  /** Minimum number of replicas. Chosen by the server if not set. */
  minScale?: pulumi.Input<number | undefined>;
  /** Maximum number of replicas. Chosen by the server if not set. */
  maxScale?: pulumi.Input<number | undefined>;
  /** CPU request of the agent server. Chosen by the server if not set. In cores, at least 0.1, rounded to one decimal. */
  cpu?: pulumi.Input<number | undefined>;
  /** CPU limit. Defaults to twice `cpu`. In cores, at least 0.1, rounded to one decimal. */
  cpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the agent server. Chosen by the server if not set. In MB, a multiple of 128. */
  memoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit. Defaults to twice `memoryMb`. In MB, a multiple of 128. */
  memoryLimitMb?: pulumi.Input<number | undefined>;
  /** Minimum number of queue workers. Defaults to `minScale`. */
  queueMinScale?: pulumi.Input<number | undefined>;
  /** Maximum number of queue workers. Defaults to `maxScale`. */
  queueMaxScale?: pulumi.Input<number | undefined>;
  /** CPU request of a queue worker. Defaults to `cpu`. In cores, at least 0.1, rounded to one decimal. */
  queueCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of a queue worker. Defaults to twice `queueCpu`. In cores, at least 0.1, rounded to one decimal. */
  queueCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of a queue worker. Defaults to `memoryMb`. In MB, a multiple of 128. */
  queueMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of a queue worker. Defaults to twice `queueMemoryMb`. In MB, a multiple of 128. */
  queueMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** CPU request of the cache. Chosen by the server if not set. In cores, at least 0.1, rounded to one decimal. */
  redisCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of the cache. Defaults to twice `redisCpu`. In cores, at least 0.1, rounded to one decimal. */
  redisCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the cache. Chosen by the server if not set. In MB, a multiple of 128. */
  redisMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of the cache, at least `redisMemoryMb`. Defaults to `redisMemoryMb`. In MB, a multiple of 128. */
  redisMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** CPU request of the core API sidecar. Chosen by the server if not set. In cores, at least 0.1, rounded to one decimal. */
  coreCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of the core API sidecar. Defaults to twice `coreCpu`. In cores, at least 0.1, rounded to one decimal. */
  coreCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the core API sidecar. Chosen by the server if not set. In MB, a multiple of 128. */
  coreMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of the core API sidecar. Defaults to twice `coreMemoryMb`. In MB, a multiple of 128. */
  coreMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** CPU request of the database. Chosen by the server if not set. In cores. */
  dbCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of the database. Defaults to twice `dbCpu`. In cores. */
  dbCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the database. Chosen by the server if not set. In MB, a multiple of 128. */
  dbMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of the database. Defaults to twice `dbMemoryMb`. In MB, a multiple of 128. */
  dbMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** Database storage in GiB. Chosen by the server if not set. */
  dbStorageGi?: pulumi.Input<number | undefined>;
  /** Maximum number of connections to the database. Chosen by the server if not set. */
  dbMaxConnections?: pulumi.Input<number | undefined>;
  /** Labels for all objects of the deployment, by key. */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Annotations for all objects of the deployment, by key. */
  annotations?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Existing service account in the namespace to run as. Defaults to the default account of the namespace. */
  serviceAccountName?: pulumi.Input<string | undefined>;
  /** Secrets of type docker-config-json for pulling images. */
  imagePullSecrets?: pulumi.Input<pulumi.Input<LocalObjectReferenceArgs>[] | undefined>;
  /** Volumes that containers may mount. */
  volumes?: pulumi.Input<pulumi.Input<VolumeArgs>[] | undefined>;
  /** Volume mounts of the agent server. */
  volumeMounts?: pulumi.Input<pulumi.Input<VolumeMountArgs>[] | undefined>;
  /** Containers that run to completion before the agent server starts. */
  initContainers?: pulumi.Input<pulumi.Input<ContainerArgs>[] | undefined>;
  /** Containers that run alongside the agent server. */
  sidecars?: pulumi.Input<pulumi.Input<ContainerArgs>[] | undefined>;
}

/** A reference to a secret in the namespace of the deployment. */
export interface LocalObjectReferenceArgs {
  /** Name of the secret. */
  name: pulumi.Input<string>;
}

/** A volume that containers may mount. */
export interface VolumeArgs {
  /** Name of the volume: a DNS label that is unique within the pod. */
  name: pulumi.Input<string>;
  /** Config map as the source, in the Kubernetes format. */
  configMap?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Secret as the source, in the Kubernetes format. */
  secret?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Empty directory as the source, in the Kubernetes format. */
  emptyDir?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Persistent volume claim as the source, in the Kubernetes format. */
  persistentVolumeClaim?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** NFS share as the source, in the Kubernetes format. */
  nfs?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Several sources combined, in the Kubernetes format. */
  projected?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Pod fields as the source, in the Kubernetes format. */
  downwardAPI?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** CSI driver as the source, in the Kubernetes format. */
  csi?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
}

/** A volume that is mounted in a container. */
export interface VolumeMountArgs {
  /** Name of a volume in `volumes`. */
  name: pulumi.Input<string>;
  /** Path in the container at which the volume is mounted. */
  mountPath: pulumi.Input<string>;
  /** Path within the volume. Defaults to its root. */
  subPath?: pulumi.Input<string | undefined>;
  /** How mounts propagate between host and container. Defaults to no propagation. */
  mountPropagation?: pulumi.Input<string | undefined>;
  /** Whether the mount is read-only. Defaults to false. */
  readOnly?: pulumi.Input<boolean | undefined>;
  /** Path within the volume, with environment variables expanded. Defaults to its root. */
  subPathExpr?: pulumi.Input<string | undefined>;
}

/** A container that runs before or alongside the agent server. */
export interface ContainerArgs {
  /** Name of the container: a DNS label. */
  name: pulumi.Input<string>;
  /** Image to run. */
  image: pulumi.Input<string>;
  /** When the image is pulled. Defaults to the Kubernetes policy. */
  imagePullPolicy?: pulumi.Input<"Always" | "Never" | "IfNotPresent" | undefined>;
  /** Entry point. Defaults to that of the image. */
  command?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Arguments of the entry point. Default to those of the image. */
  args?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Working directory. Defaults to that of the image. */
  workingDir?: pulumi.Input<string | undefined>;
  /** Environment variables. */
  env?: pulumi.Input<pulumi.Input<EnvVarArgs>[] | undefined>;
  /** Sources of environment variables, in the Kubernetes format. */
  envFrom?: pulumi.Input<pulumi.Input<Record<string, pulumi.Input<unknown>>>[] | undefined>;
  /** CPU and memory of the container. Default to no requests. */
  resources?: pulumi.Input<ResourceRequirementsArgs | undefined>;
  /** Volume mounts of the container. */
  volumeMounts?: pulumi.Input<pulumi.Input<VolumeMountArgs>[] | undefined>;
  /** Security context, in the Kubernetes format. */
  securityContext?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** When a sidecar is restarted. Defaults to the Kubernetes policy. */
  restartPolicy?: pulumi.Input<"Always" | "OnFailure" | undefined>;
}

/** An environment variable of a container. */
export interface EnvVarArgs {
  /** Name of the variable: a C identifier. */
  name: pulumi.Input<string>;
  /** Value of the variable. Defaults to an empty string. Cannot be combined with `valueFrom`. */
  value?: pulumi.Input<string | undefined>;
  /** Source of the value, in the Kubernetes format. Cannot be combined with a non-empty `value`. */
  valueFrom?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
}

/** CPU and memory of a container. */
export interface ResourceRequirementsArgs {
  /** Limit of each resource, such as `{ cpu: "500m" }`. Defaults to no limit. */
  limits?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Request of each resource. Defaults to the limit. */
  requests?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
}

export interface GithostSourceRevisionConfigArgs {
  /** Name of a branch, or a tag as `refs/tags/…`. Defaults to the default branch of the repository. A change creates a revision. */
  repoRef?: pulumi.Input<string | undefined>;
  /** Path of the graph configuration file within the repository. A change creates a revision. */
  agentgraphConfigPath: pulumi.Input<string>;
}

/** The agent that a deployment runs, and the environment of the agent. */
export interface AgentBindingArgs {
  /** ID of the agent. A change replaces the deployment. */
  agentId: pulumi.Input<string>;
  /** Environment of the agent, such as `production`. A change replaces the deployment. */
  environment: pulumi.Input<AgentEnvironment>;
}

/** A check of a live revision: one of `http`, `ask`, `dataset`, `conversations` and `command`. */
export interface CheckArgs {
  /** What previews, errors and traces call it. Defaults to what it does, such as `ask agent`. */
  name?: pulumi.Input<string | undefined>;
  /** A request to the agent server. */
  http?: pulumi.Input<HttpCheckArgs | undefined>;
  /** A question to the agent. */
  ask?: pulumi.Input<AskCheckArgs | undefined>;
  /** The questions of a file. */
  dataset?: pulumi.Input<DatasetCheckArgs | undefined>;
  /** The threads that wait for an answer. */
  conversations?: pulumi.Input<ConversationsCheckArgs | undefined>;
  /** A command on the machine that runs Pulumi. */
  command?: pulumi.Input<CommandCheckArgs | undefined>;
  /** How long one attempt may take, such as `30s` or `2m`. Defaults to 30 seconds. */
  timeout?: pulumi.Input<string | undefined>;
  /** How often it is tried before it has failed. Defaults to 3. */
  attempts?: pulumi.Input<number | undefined>;
  /** Time between two attempts, such as `2s`. Defaults to 2 seconds. */
  pause?: pulumi.Input<string | undefined>;
}

/** Sends one request to the agent server. */
export interface HttpCheckArgs {
  /** Path below the URL of the agent server, with its query, such as `/ok`. */
  path: pulumi.Input<string>;
  /** Method of the request. Defaults to `POST` with a body, and to `GET` without one. */
  method?: pulumi.Input<"GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | undefined>;
  /** Headers of the request, in addition to the credentials of the agent server. Defaults to none. */
  headers?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Body of the request: a string is sent as it is, everything else as JSON. Defaults to none. */
  body?: pulumi.Input<unknown | undefined>;
  /** What the response must be. Defaults to any success. */
  expect?: pulumi.Input<ExpectedResponseArgs | undefined>;
}

/** What a response must be; every condition must hold. The texts may be secret. */
export interface ExpectedResponseArgs {
  /** Status code of the response. Defaults to any from 200 to 299. */
  status?: pulumi.Input<number | undefined>;
  /** Text that it contains. Defaults to any. */
  contains?: pulumi.Input<string | undefined>;
  /** Regular expression, in the syntax of JavaScript, that part of its text matches. Defaults to any. */
  matches?: pulumi.Input<string | undefined>;
  /** Part of its JSON: objects contain these keys, lists have these items in this order, and other values are equal. Defaults to any. */
  json?: pulumi.Input<unknown | undefined>;
}

/** Asks the agent a question in a stateless run, which leaves no thread, and costs what a run costs. */
export interface AskCheckArgs {
  /** ID of an assistant, or the name of a graph. */
  assistantId: pulumi.Input<string>;
  /** Input of the run, in the format of the graph. Defaults to none. */
  input?: pulumi.Input<unknown | undefined>;
  /** Context of the run, which the graph reads. Defaults to the assistant's. */
  context?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Configuration of the run. Defaults to the assistant's. */
  config?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** What the answer must be: texts are compared with the last message of the run, or with all texts of its result where it has no messages; JSON with the result. Defaults to any answer. */
  expect?: pulumi.Input<ExpectedAnswerArgs | undefined>;
}

/** What an answer must be; every condition must hold. The texts may be secret. */
export interface ExpectedAnswerArgs {
  /** Text that it contains. Defaults to any. */
  contains?: pulumi.Input<string | undefined>;
  /** Regular expression, in the syntax of JavaScript, that part of its text matches. Defaults to any. */
  matches?: pulumi.Input<string | undefined>;
  /** Part of its JSON: objects contain these keys, lists have these items in this order, and other values are equal. Defaults to any. */
  json?: pulumi.Input<unknown | undefined>;
}

/** Asks the questions of a file, each in a stateless run. Each attempt is of one question. */
export interface DatasetCheckArgs {
  /** JSON Lines file, relative to the program's folder: each line has an `input`, what to `expect`, and optionally `assistantId`, `context` and `config`, as in `ask`. Its content is compared, as `verifyDigest`. */
  path: pulumi.Input<string>;
  /** ID of an assistant, or the name of a graph, for lines without one. Defaults to none. */
  assistantId?: pulumi.Input<string | undefined>;
  /** Share of the questions that must pass, above 0 and up to 1. Defaults to 1. */
  minPassRate?: pulumi.Input<number | undefined>;
  /** Questions that are asked at the same time. Defaults to 4. */
  concurrency?: pulumi.Input<number | undefined>;
}

/** Compares the threads that wait for an answer with the live graph: a thread that waits in a node that the graph no longer has could never continue. */
export interface ConversationsCheckArgs {
  /** Threads that are compared at most. Defaults to 1000. */
  maxThreads?: pulumi.Input<number | undefined>;
}

/** Runs a command, which must end with exit code 0. Its environment contains `AGENT_URL`, `AGENT_DEPLOYMENT_ID` and `AGENT_REVISION_ID`. */
export interface CommandCheckArgs {
  /** Program and arguments, run without a shell in the program's folder, on the machine that runs Pulumi. */
  args: pulumi.Input<pulumi.Input<string>[]>;
  /** Environment variables of the command by name. Defaults to none. */
  environment?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Names of environment variables that the command inherits from Pulumi, such as `PATH`. Defaults to none. */
  inherit?: pulumi.Input<pulumi.Input<string>[] | undefined>;
}

/** Where the conversations of a deployment are kept when it is replaced or deleted. */
export interface KeepConversationsArgs {
  /** Where the backups are: a folder, relative to the program's folder, or `s3://bucket/prefix`. In a pipeline, a folder is accepted as a `file:` URL only, since most pipelines delete theirs. */
  at: pulumi.Input<string>;
  /** What happens on the new deployment to threads that wait for an answer: their nodes run again up to the question (`askAgain`), or they have the state before it and ask with their next run (`leave`). Without it, a replacement fails before anything is lost if there are any. */
  waiting?: pulumi.Input<"askAgain" | "leave" | undefined>;
  /** How long to wait for a thread that a run writes to, such as `10m`. Defaults to 10 minutes. */
  busy?: pulumi.Input<string | undefined>;
  /** Whether a deployment may be deleted of which the API key sees no thread: where users own their threads, a key may see none although there are some. Defaults to false. */
  allowEmpty?: pulumi.Input<boolean | undefined>;
}

export interface GithostDeploymentArgs {
  /** Name of the deployment and of its tracing project, unique in the workspace. Defaults to the name of the resource at its creation, which is then kept, and with `agent` to `<agentId>-<environment>`. A change replaces the deployment. */
  name?: pulumi.Input<string | undefined>;
  /** A repository of the git host, built by the cloud service. A change of the source replaces the deployment. */
  source: "githost";
  /** The repository and how it is built. */
  sourceConfig: pulumi.Input<GithostSourceConfigArgs>;
  /** What runs. A change creates a revision. */
  sourceRevisionConfig: pulumi.Input<GithostSourceRevisionConfigArgs>;
  /** Environment variables of the container by name, stored as secrets. Defaults to none. A change creates a revision. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Environment variables of the container that are not secret, by name: state, previews and policies show their values. No name may also be in `secrets`. Defaults to none. A change creates a revision. */
  environment?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** The agent that the deployment runs in one of its environments, in place of a name, on platforms with agents. Defaults to none. A change replaces the deployment. */
  agent?: pulumi.Input<AgentBindingArgs | undefined>;
  /** Whether a destroy ends at once what the platform would keep for a week: the database with its threads. The name stays reserved. Defaults to false. */
  forceDelete?: pulumi.Input<boolean | undefined>;
  /** Name for people. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  displayName?: pulumi.Input<string | undefined>;
  /** Version of the platform's base image. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  imageVersion?: pulumi.Input<string | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. Servers may make a revision of a change. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** What create and update wait for: the latest revision to be DEPLOYED and active (`deployed`), the agent server to return success for `/ok` as well (`healthy`), or nothing (`none`). Defaults to `deployed`. */
  waitFor?: pulumi.Input<"deployed" | "healthy" | "none" | undefined>;
  /** Arbitrary values by name: any change redeploys the same configuration, for example after a referenced secret was rotated. Defaults to none. */
  redeployTriggers?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Checks that follow each rollout, in this order, before it has succeeded; they imply `waitFor: "healthy"`. If one fails, the update fails, and `rollbackOnFailure` decides what is live. Defaults to none. */
  verify?: pulumi.Input<pulumi.Input<CheckArgs>[] | undefined>;
  /** Whether to redeploy the last good revision when the revision of an update fails, does not become healthy with `waitFor: "healthy"`, or fails a check of `verify`: with `verify`, the last verified one. The update still fails. Defaults to true with `verify` once a revision is verified, and to false otherwise. */
  rollbackOnFailure?: pulumi.Input<boolean | undefined>;
  /** Keeps the conversations, assistants, stored items and crons of the deployment when it is replaced or deleted: each delete first makes a complete backup, or fails, and a create restores the last one of this resource that was not restored yet. Defaults to losing them. */
  keepConversations?: pulumi.Input<KeepConversationsArgs | undefined>;
}

export interface ExternalDockerSourceConfigArgs {
  /** ID of the listener in the cluster where the deployment runs. Defaults to the server's choice. A change replaces the deployment. */
  listenerId?: pulumi.Input<string | undefined>;
  /** Settings for the listener. Requires `listenerId`. */
  listenerConfig?: pulumi.Input<ListenerConfigArgs | undefined>;
  /** URL of the agent server. Defaults to a URL that the server assigns. Cannot be removed once set. */
  customUrl?: pulumi.Input<string | undefined>;
  /** Replicas, CPU, memory and pod settings. Defaults to the server's settings. A change creates a revision. */
  resourceSpec?: pulumi.Input<ResourceSpecArgs | undefined>;
  /** Command that installs the dependencies of a JS deployment, run in the repository root. Defaults to a command for the lock file. Takes effect with the next revision. */
  installCommand?: pulumi.Input<string | undefined>;
  /** Command that builds a JS deployment, run in the folder of the graph configuration. Defaults to none. Takes effect with the next revision. */
  buildCommand?: pulumi.Input<string | undefined>;
}

/** Settings for the listener of a deployment. */
export interface ListenerConfigArgs {
  /** Namespace to deploy to. Defaults to the namespace of the listener. A change replaces the deployment. */
  k8sNamespace?: pulumi.Input<string | undefined>;
}

export interface ExternalDockerSourceRevisionConfigArgs {
  /** Container image to run, preferably with a digest. A change creates a revision. */
  imageUri: pulumi.Input<string>;
}

/** A key of an orchestrator secret. */
export interface SecretReferenceArgs {
  /** Name of an existing orchestrator secret in the namespace of the deployment. */
  secretName: pulumi.Input<string>;
  /** Key within the secret. */
  secretKey: pulumi.Input<string>;
}

export interface ExternalDockerDeploymentArgs {
  /** Name of the deployment and of its tracing project, unique in the workspace. Defaults to the name of the resource at its creation, which is then kept, and with `agent` to `<agentId>-<environment>`. A change replaces the deployment. */
  name?: pulumi.Input<string | undefined>;
  /** A container image from a registry, for self-hosted deployments. A change of the source replaces the deployment. */
  source: "external_docker";
  /** Where and how it runs. Defaults to the server's settings. */
  sourceConfig?: pulumi.Input<ExternalDockerSourceConfigArgs | undefined>;
  /** What runs. A change creates a revision. */
  sourceRevisionConfig: pulumi.Input<ExternalDockerSourceRevisionConfigArgs>;
  /** Environment variables of the container by name, stored as secrets. Defaults to none. A change creates a revision. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Environment variables of the container that are not secret, by name: state, previews and policies show their values. No name may also be in `secrets`. Defaults to none. A change creates a revision. */
  environment?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Environment variables from orchestrator secrets, by variable name. Defaults to none. LangSmith creates a revision for a change; elsewhere it takes effect with the next one. */
  secretReferences?: pulumi.Input<Record<string, pulumi.Input<SecretReferenceArgs>> | undefined>;
  /** The agent that the deployment runs in one of its environments, in place of a name, on platforms with agents. Defaults to none. A change replaces the deployment. */
  agent?: pulumi.Input<AgentBindingArgs | undefined>;
  /** Whether a destroy ends at once what the platform would keep for a week: the database with its threads. The name stays reserved. Defaults to false. */
  forceDelete?: pulumi.Input<boolean | undefined>;
  /** Name for people. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  displayName?: pulumi.Input<string | undefined>;
  /** Version of the platform's base image. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  imageVersion?: pulumi.Input<string | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. Servers may make a revision of a change. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** What create and update wait for: the latest revision to be DEPLOYED and active (`deployed`), the agent server to return success for `/ok` as well (`healthy`), or nothing (`none`). Defaults to `deployed`. */
  waitFor?: pulumi.Input<"deployed" | "healthy" | "none" | undefined>;
  /** Arbitrary values by name: any change redeploys the same configuration, for example after a referenced secret was rotated. Defaults to none. */
  redeployTriggers?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Checks that follow each rollout, in this order, before it has succeeded; they imply `waitFor: "healthy"`. If one fails, the update fails, and `rollbackOnFailure` decides what is live. Defaults to none. */
  verify?: pulumi.Input<pulumi.Input<CheckArgs>[] | undefined>;
  /** Whether to redeploy the last good revision when the revision of an update fails, does not become healthy with `waitFor: "healthy"`, or fails a check of `verify`: with `verify`, the last verified one. The update still fails. Defaults to true with `verify` once a revision is verified, and to false otherwise. */
  rollbackOnFailure?: pulumi.Input<boolean | undefined>;
  /** Keeps the conversations, assistants, stored items and crons of the deployment when it is replaced or deleted: each delete first makes a complete backup, or fails, and a create restores the last one of this resource that was not restored yet. Defaults to losing them. */
  keepConversations?: pulumi.Input<KeepConversationsArgs | undefined>;
}

export interface InternalDockerSourceConfigArgs {
  /** Size class of the deployment, such as `dev`, `prod` or `dev_zero`. Defaults to the server's choice; some servers require it. A change replaces the deployment. */
  deploymentType?: pulumi.Input<DeploymentType | undefined>;
  /** Replicas, CPU, memory and pod settings. Defaults to the server's settings. A change creates a revision. */
  resourceSpec?: pulumi.Input<ResourceSpecArgs | undefined>;
  /** Command that installs the dependencies of a JS deployment, run in the repository root. Defaults to a command for the lock file. Takes effect with the next revision. */
  installCommand?: pulumi.Input<string | undefined>;
  /** Command that builds a JS deployment, run in the folder of the graph configuration. Defaults to none. Takes effect with the next revision. */
  buildCommand?: pulumi.Input<string | undefined>;
}

export interface InternalDockerSourceRevisionConfigArgs {
  /** Image to run. Without it, the deployment is created and nothing runs until the first image is deployed. A change creates a revision. */
  imageUri?: pulumi.Input<string | undefined>;
}

export interface InternalDockerDeploymentArgs {
  /** Name of the deployment and of its tracing project, unique in the workspace. Defaults to the name of the resource at its creation, which is then kept, and with `agent` to `<agentId>-<environment>`. A change replaces the deployment. */
  name?: pulumi.Input<string | undefined>;
  /** An image in the registry of the cloud service. A change of the source replaces the deployment. */
  source: "internal_docker";
  /** How the source is built. Defaults to what the server detects. */
  sourceConfig?: pulumi.Input<InternalDockerSourceConfigArgs | undefined>;
  /** What runs. Defaults to nothing. */
  sourceRevisionConfig?: pulumi.Input<InternalDockerSourceRevisionConfigArgs | undefined>;
  /** Environment variables of the container by name, stored as secrets. Defaults to none. A change creates a revision. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Environment variables of the container that are not secret, by name: state, previews and policies show their values. No name may also be in `secrets`. Defaults to none. A change creates a revision. */
  environment?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** The agent that the deployment runs in one of its environments, in place of a name, on platforms with agents. Defaults to none. A change replaces the deployment. */
  agent?: pulumi.Input<AgentBindingArgs | undefined>;
  /** Whether a destroy ends at once what the platform would keep for a week: the database with its threads. The name stays reserved. Defaults to false. */
  forceDelete?: pulumi.Input<boolean | undefined>;
  /** Name for people. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  displayName?: pulumi.Input<string | undefined>;
  /** Version of the platform's base image. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  imageVersion?: pulumi.Input<string | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. Servers may make a revision of a change. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** What create and update wait for: the latest revision to be DEPLOYED and active (`deployed`), the agent server to return success for `/ok` as well (`healthy`), or nothing (`none`). Defaults to `deployed`. */
  waitFor?: pulumi.Input<"deployed" | "healthy" | "none" | undefined>;
  /** Arbitrary values by name: any change redeploys the same configuration, for example after a referenced secret was rotated. Defaults to none. */
  redeployTriggers?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Checks that follow each rollout, in this order, before it has succeeded; they imply `waitFor: "healthy"`. If one fails, the update fails, and `rollbackOnFailure` decides what is live. Defaults to none. */
  verify?: pulumi.Input<pulumi.Input<CheckArgs>[] | undefined>;
  /** Whether to redeploy the last good revision when the revision of an update fails, does not become healthy with `waitFor: "healthy"`, or fails a check of `verify`: with `verify`, the last verified one. The update still fails. Defaults to true with `verify` once a revision is verified, and to false otherwise. */
  rollbackOnFailure?: pulumi.Input<boolean | undefined>;
  /** Keeps the conversations, assistants, stored items and crons of the deployment when it is replaced or deleted: each delete first makes a complete backup, or fails, and a create restores the last one of this resource that was not restored yet. Defaults to losing them. */
  keepConversations?: pulumi.Input<KeepConversationsArgs | undefined>;
}

export interface InternalSourceSourceConfigArgs {
  /** Size class of the deployment, such as `dev`, `prod` or `dev_zero`. Defaults to the server's choice; some servers require it. A change replaces the deployment. */
  deploymentType?: pulumi.Input<DeploymentType | undefined>;
  /** Replicas, CPU, memory and pod settings. Defaults to the server's settings. A change creates a revision. */
  resourceSpec?: pulumi.Input<ResourceSpecArgs | undefined>;
  /** Command that installs the dependencies of a JS deployment, run in the repository root. Defaults to a command for the lock file. Takes effect with the next revision. */
  installCommand?: pulumi.Input<string | undefined>;
  /** Command that builds a JS deployment, run in the folder of the graph configuration. Defaults to none. Takes effect with the next revision. */
  buildCommand?: pulumi.Input<string | undefined>;
}

export interface InternalSourceSourceRevisionConfigArgs {
  /** Path of the graph configuration file within the folder. A change creates a revision. */
  agentgraphConfigPath: pulumi.Input<string>;
  /** Object path of a tarball that a pipeline uploaded, as `getUploadUrl` returns it for this deployment. An alternative to `sourcePath`. A change creates a revision. */
  sourceTarballPath?: pulumi.Input<string | undefined>;
}

export interface InternalSourceDeploymentArgs {
  /** Name of the deployment and of its tracing project, unique in the workspace. Defaults to the name of the resource at its creation, which is then kept, and with `agent` to `<agentId>-<environment>`. A change replaces the deployment. */
  name?: pulumi.Input<string | undefined>;
  /** A local folder, uploaded to and built by the cloud service. A change of the source replaces the deployment. */
  source: "internal_source";
  /** Folder to upload, relative to the program's folder and without files that .gitignore and .agentgraphignore exclude, or a .tar.gz file of at most 200 MiB. Its content is compared, as `sourceDigest`. Specify this or `sourceRevisionConfig.sourceTarballPath`; without either, the deployment is created and nothing runs yet. */
  sourcePath?: pulumi.Input<string | undefined>;
  /** How the source is built. Defaults to what the server detects. */
  sourceConfig?: pulumi.Input<InternalSourceSourceConfigArgs | undefined>;
  /** What runs. A change creates a revision. */
  sourceRevisionConfig: pulumi.Input<InternalSourceSourceRevisionConfigArgs>;
  /** Environment variables of the container by name, stored as secrets. Defaults to none. A change creates a revision. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Environment variables of the container that are not secret, by name: state, previews and policies show their values. No name may also be in `secrets`. Defaults to none. A change creates a revision. */
  environment?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** The agent that the deployment runs in one of its environments, in place of a name, on platforms with agents. Defaults to none. A change replaces the deployment. */
  agent?: pulumi.Input<AgentBindingArgs | undefined>;
  /** Whether a destroy ends at once what the platform would keep for a week: the database with its threads. The name stays reserved. Defaults to false. */
  forceDelete?: pulumi.Input<boolean | undefined>;
  /** Name for people. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  displayName?: pulumi.Input<string | undefined>;
  /** Version of the platform's base image. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  imageVersion?: pulumi.Input<string | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. Servers may make a revision of a change. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** What create and update wait for: the latest revision to be DEPLOYED and active (`deployed`), the agent server to return success for `/ok` as well (`healthy`), or nothing (`none`). Defaults to `deployed`. */
  waitFor?: pulumi.Input<"deployed" | "healthy" | "none" | undefined>;
  /** Arbitrary values by name: any change redeploys the same configuration, for example after a referenced secret was rotated. Defaults to none. */
  redeployTriggers?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Checks that follow each rollout, in this order, before it has succeeded; they imply `waitFor: "healthy"`. If one fails, the update fails, and `rollbackOnFailure` decides what is live. Defaults to none. */
  verify?: pulumi.Input<pulumi.Input<CheckArgs>[] | undefined>;
  /** Whether to redeploy the last good revision when the revision of an update fails, does not become healthy with `waitFor: "healthy"`, or fails a check of `verify`: with `verify`, the last verified one. The update still fails. Defaults to true with `verify` once a revision is verified, and to false otherwise. */
  rollbackOnFailure?: pulumi.Input<boolean | undefined>;
  /** Keeps the conversations, assistants, stored items and crons of the deployment when it is replaced or deleted: each delete first makes a complete backup, or fails, and a create restores the last one of this resource that was not restored yet. Defaults to losing them. */
  keepConversations?: pulumi.Input<KeepConversationsArgs | undefined>;
}

export interface InternalTemplateSourceConfigArgs {
  /** ID of the template. Defaults to the server's choice; some servers require it. A change replaces the deployment. */
  templateId?: pulumi.Input<string | undefined>;
  /** Size class of the deployment, such as `dev`, `prod` or `dev_zero`. Defaults to the server's choice; some servers require it. A change replaces the deployment. */
  deploymentType?: pulumi.Input<DeploymentType | undefined>;
  /** Replicas, CPU, memory and pod settings. Defaults to the server's settings. A change creates a revision. */
  resourceSpec?: pulumi.Input<ResourceSpecArgs | undefined>;
  /** Command that installs the dependencies of a JS deployment, run in the repository root. Defaults to a command for the lock file. Takes effect with the next revision. */
  installCommand?: pulumi.Input<string | undefined>;
  /** Command that builds a JS deployment, run in the folder of the graph configuration. Defaults to none. Takes effect with the next revision. */
  buildCommand?: pulumi.Input<string | undefined>;
}

export interface InternalTemplateDeploymentArgs {
  /** Name of the deployment and of its tracing project, unique in the workspace. Defaults to the name of the resource at its creation, which is then kept, and with `agent` to `<agentId>-<environment>`. A change replaces the deployment. */
  name?: pulumi.Input<string | undefined>;
  /** A prebuilt template of the cloud service. A change of the source replaces the deployment. */
  source: "internal_template";
  /** How the source is built. Defaults to what the server detects. */
  sourceConfig?: pulumi.Input<InternalTemplateSourceConfigArgs | undefined>;
  /** Environment variables of the container by name, stored as secrets. Defaults to none. A change creates a revision. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Environment variables of the container that are not secret, by name: state, previews and policies show their values. No name may also be in `secrets`. Defaults to none. A change creates a revision. */
  environment?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** The agent that the deployment runs in one of its environments, in place of a name, on platforms with agents. Defaults to none. A change replaces the deployment. */
  agent?: pulumi.Input<AgentBindingArgs | undefined>;
  /** Whether a destroy ends at once what the platform would keep for a week: the database with its threads. The name stays reserved. Defaults to false. */
  forceDelete?: pulumi.Input<boolean | undefined>;
  /** Name for people. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  displayName?: pulumi.Input<string | undefined>;
  /** Version of the platform's base image. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  imageVersion?: pulumi.Input<string | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. Servers may make a revision of a change. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** What create and update wait for: the latest revision to be DEPLOYED and active (`deployed`), the agent server to return success for `/ok` as well (`healthy`), or nothing (`none`). Defaults to `deployed`. */
  waitFor?: pulumi.Input<"deployed" | "healthy" | "none" | undefined>;
  /** Arbitrary values by name: any change redeploys the same configuration, for example after a referenced secret was rotated. Defaults to none. */
  redeployTriggers?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Checks that follow each rollout, in this order, before it has succeeded; they imply `waitFor: "healthy"`. If one fails, the update fails, and `rollbackOnFailure` decides what is live. Defaults to none. */
  verify?: pulumi.Input<pulumi.Input<CheckArgs>[] | undefined>;
  /** Whether to redeploy the last good revision when the revision of an update fails, does not become healthy with `waitFor: "healthy"`, or fails a check of `verify`: with `verify`, the last verified one. The update still fails. Defaults to true with `verify` once a revision is verified, and to false otherwise. */
  rollbackOnFailure?: pulumi.Input<boolean | undefined>;
  /** Keeps the conversations, assistants, stored items and crons of the deployment when it is replaced or deleted: each delete first makes a complete backup, or fails, and a create restores the last one of this resource that was not restored yet. Defaults to losing them. */
  keepConversations?: pulumi.Input<KeepConversationsArgs | undefined>;
}

/** A bucket, and how the server accesses it. */
export interface BulkExportDestinationConfigArgs {
  /** Name of an existing bucket, 3 to 63 characters. */
  bucketName: pulumi.Input<string>;
  /** Prefix of the keys in the bucket, without a leading slash. Defaults to the root of the bucket. */
  prefix?: pulumi.Input<string | undefined>;
  /** Region of the bucket. For other S3-compatible stores, set `endpointUrl` instead. */
  region?: pulumi.Input<string | undefined>;
  /** URL of another S3-compatible store. Defaults to the cloud object store. */
  endpointUrl?: pulumi.Input<string | undefined>;
  /** Whether keys begin with the bucket name. Set to false if `endpointUrl` already contains the bucket. Defaults to true. */
  includeBucketInPrefix?: pulumi.Input<boolean | undefined>;
  /** Options of the server's S3 client. Further keys are passed through unchanged. */
  configKwargsS3?: pulumi.Input<S3ConfigKwargsArgs | undefined>;
  /** Further arguments of each upload, such as encryption, under the names of the server's S3 client. */
  s3AdditionalKwargs?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
}

export interface S3ConfigKwargsArgs {
  /** Where URLs contain the bucket name: in the host name (`virtual`), in the path (`path`), or chosen by the server (`auto`). Defaults to `auto`. */
  addressingStyle?: pulumi.Input<S3AddressingStyle | undefined>;
  [key: string]: pulumi.Input<unknown>;
}

/** An access key for a bucket. */
export interface BulkExportDestinationCredentialsArgs {
  /** ID of the access key that can write to the bucket. Secret. */
  accessKeyId: pulumi.Input<string>;
  /** Secret part of the access key. Secret. */
  secretAccessKey: pulumi.Input<string>;
  /** Session token of temporary credentials. Secret. Exports fail after it expires. */
  sessionToken?: pulumi.Input<string | undefined>;
}

export interface BulkExportDestinationArgs {
  /** Type of the object store: `s3`, including other stores with an S3-compatible API. A change replaces the destination. */
  destinationType: pulumi.Input<BulkExportDestinationType>;
  /** Display name: letters, digits, spaces, hyphens, underscores and apostrophes. A change replaces the destination. */
  displayName: pulumi.Input<string>;
  /** Location of the files. A change replaces the destination and restarts its exports. */
  config: pulumi.Input<BulkExportDestinationConfigArgs>;
  /** Access key with write access to the bucket, stored as a secret. The server tests it before it saves it. Changes in place, as a whole. Defaults to `awsRoleArn`, or to what the server itself may write to. */
  credentials?: pulumi.Input<BulkExportDestinationCredentialsArgs | undefined>;
  /** Role that the platform assumes in place of an access key, as `arn:aws:iam::…`. The server tests it before it saves it. Changes in place, also to and from `credentials`. */
  awsRoleArn?: pulumi.Input<string | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change replaces the destination. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Whether to create the destination even if an equivalent one already exists in the workspace. Defaults to false. Has no effect on an existing destination. */
  allowDuplicate?: pulumi.Input<boolean | undefined>;
  /** Whether to manage the identical destination of the workspace if there is one, instead of creating another, and to leave the destination on the server in a destroy. The declared credentials are tested and stored in it. Several stacks may share it. Defaults to false, so an identical destination is an error. Has no effect on an existing destination until it is destroyed. */
  adoptExisting?: pulumi.Input<boolean | undefined>;
}

export interface BulkExportArgs {
  /** ID of the destination that the files are written to. A change restarts the export. */
  bulkExportDestinationId: pulumi.Input<string>;
  /** ID of the tracing project to export. Specify this or `allExperiments: true`. A change restarts the export. */
  sessionId?: pulumi.Input<string | undefined>;
  /** Whether to export all experiments that the workspace has when the export runs. Defaults to false. A change restarts the export. */
  allExperiments?: pulumi.Input<boolean | undefined>;
  /** Start of the time window, inclusive: only runs that started at this time or later are exported. UTC. A change restarts the export. */
  startTime: pulumi.Input<string>;
  /** End of the time window, exclusive: only runs that started before this time are exported. UTC. A change restarts the export. */
  endTime: pulumi.Input<string>;
  /** Filter for the runs to export, in the trace filter language. Defaults to all runs. A change restarts the export. */
  filter?: pulumi.Input<string | undefined>;
  /** Fields of a run to export, in the API's spelling (`run_type`) and in any order. Defaults to all fields. An export without `inputs` and `outputs` is faster and much smaller. A change restarts the export. */
  exportFields?: pulumi.Input<pulumi.Input<BulkExportField>[] | undefined>;
  /** Format of the files: `Parquet`. Defaults to the server's choice. A change restarts the export. */
  format?: pulumi.Input<BulkExportFormat | undefined>;
  /** Version of the file layout: `v1`, `v2_beta`. Defaults to the server's choice. A change restarts the export. */
  formatVersion?: pulumi.Input<BulkExportFormatVersion | undefined>;
  /** Compression of the files: `none`, `gzip`, `snappy`, `zstandard`. Defaults to the server's choice. A change restarts the export. */
  compression?: pulumi.Input<BulkExportCompression | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change restarts the export. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Whether to create the export even if an equivalent one is already active in the workspace. Defaults to false. Has no effect on an existing export. */
  allowDuplicate?: pulumi.Input<boolean | undefined>;
  /** What create and update wait for: the end of the export (`completed`), for at most customTimeouts (75 minutes by default), or nothing (`none`). Defaults to `none`. */
  waitFor?: pulumi.Input<"none" | "completed" | undefined>;
}

export interface ScheduledBulkExportArgs {
  /** ID of the destination that the files are written to. A change restarts the export. */
  bulkExportDestinationId: pulumi.Input<string>;
  /** ID of the tracing project to export. Specify this or `allExperiments: true`. A change restarts the export. */
  sessionId?: pulumi.Input<string | undefined>;
  /** Whether to export all experiments that the workspace has when the export runs. Defaults to false. A change restarts the export. */
  allExperiments?: pulumi.Input<boolean | undefined>;
  /** Start of the first time window, inclusive, by the start time of runs. UTC. Past windows are exported as well. A change restarts the export. */
  startTime: pulumi.Input<string>;
  /** Length of a time window in hours, from 1 to 168. Each window is exported ten minutes after its end. A change restarts the export. */
  intervalHours: pulumi.Input<number>;
  /** Filter for the runs to export, in the trace filter language. Defaults to all runs. A change restarts the export. */
  filter?: pulumi.Input<string | undefined>;
  /** Fields of a run to export, in the API's spelling (`run_type`) and in any order. Defaults to all fields. An export without `inputs` and `outputs` is faster and much smaller. A change restarts the export. */
  exportFields?: pulumi.Input<pulumi.Input<BulkExportField>[] | undefined>;
  /** Format of the files: `Parquet`. Defaults to the server's choice. A change restarts the export. */
  format?: pulumi.Input<BulkExportFormat | undefined>;
  /** Version of the file layout: `v1`, `v2_beta`. Defaults to the server's choice. A change restarts the export. */
  formatVersion?: pulumi.Input<BulkExportFormatVersion | undefined>;
  /** Compression of the files: `none`, `gzip`, `snappy`, `zstandard`. Defaults to the server's choice. A change restarts the export. */
  compression?: pulumi.Input<BulkExportCompression | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change restarts the export. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Whether to create the export even if an equivalent one is already active in the workspace. Defaults to false. Has no effect on an existing export. */
  allowDuplicate?: pulumi.Input<boolean | undefined>;
  /** Whether a destroy or replacement also cancels running exports that the schedule spawned. Defaults to false. Has no effect on the server until then. */
  cancelSpawned?: pulumi.Input<boolean | undefined>;
  /** Whether a destroy may remove the schedule from state when the server does not support cancellation, so that it keeps exporting. Defaults to false. Has no effect on the server. */
  forget?: pulumi.Input<boolean | undefined>;
}

export interface ThreadMetadataArgs {
  /** ID of the authenticated owner, set by custom authentication. */
  agentgraph_auth_user_id?: pulumi.Input<unknown | undefined>;
  [key: string]: pulumi.Input<unknown>;
}

/** Updates of the initial state that are applied together. */
export interface ThreadSuperstepArgs {
  /** Updates that are applied together. */
  updates: pulumi.Input<pulumi.Input<ThreadUpdateArgs>[]>;
}

/** Values that a node writes to the state, or a command. */
export interface ThreadUpdateArgs {
  /** State values, in the format of the graph. Specify either `values` or `command`. */
  values?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Command in the format of the graph (`update`, `goto`, `resume`), instead of `values`. */
  command?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Name of the node to which the update is attributed. */
  asNode: pulumi.Input<string>;
}

/** How long the server keeps a thread. */
export interface ThreadTtlArgs {
  /** What is deleted when the TTL expires: the thread (`delete`) or all states except the latest (`keep_latest`). Defaults to `delete`. */
  strategy?: pulumi.Input<ThreadTtlStrategy | undefined>;
  /** Minutes from the request that sets it. */
  ttl: pulumi.Input<number>;
}

export interface ThreadArgs {
  /** ID of the deployment whose agent server stores the thread. Specify this or `deploymentUrl`. A change replaces the thread and discards its history. */
  deploymentId?: pulumi.Input<string | undefined>;
  /** Base URL of the agent server, including its path, for a server outside the control plane. Takes precedence over `deploymentId`. A change replaces the thread and discards its history. */
  deploymentUrl?: pulumi.Input<string | undefined>;
  /** Requested ID of the thread, a UUID. Defaults to one derived from the resource name and the immutable inputs. The output of this name always contains the ID. A change replaces the thread; without it, an existing thread is kept. */
  threadId?: pulumi.Input<string | undefined>;
  /** Metadata by key, for searching; `graph_id` names the graph that the thread belongs to. Keys that others add are left unchanged. A key that is removed or set to null becomes null on the server. */
  metadata?: pulumi.Input<ThreadMetadataArgs | undefined>;
  /** Initial state of the thread, as steps that are applied in order. Defaults to an empty thread. Requires `metadata.graph_id`. A change replaces the thread. */
  supersteps?: pulumi.Input<pulumi.Input<ThreadSuperstepArgs>[] | undefined>;
  /** ID of a thread on the same agent server to copy, including its history. Cannot be combined with `threadId` or `supersteps`. A change replaces the thread. */
  copyFrom?: pulumi.Input<string | undefined>;
  /** How long the server keeps the thread. Defaults to the server's own setting. Servers can change it, but not remove it. */
  ttl?: pulumi.Input<ThreadTtlArgs | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change is made in place. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Whether to treat metadata, supersteps and extra as secrets: encrypted in state and hidden in previews. Defaults to false. Has no effect on the server. */
  sensitive?: pulumi.Input<boolean | undefined>;
  /** Whether a destroy or replacement may delete crons on the thread that this stack does not manage: servers delete them with it. Defaults to false, and such a cron is an error. Has no effect on the server until then. */
  deleteForeignCrons?: pulumi.Input<boolean | undefined>;
}

/** The configuration of runs. */
export interface RunConfigArgs<Configurable extends object = Record<string, unknown>> {
  /** Tags of the runs. */
  tags?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Maximum number of steps of a run. */
  recursionLimit?: pulumi.Input<number | undefined>;
  /** Values that the graph reads from its configuration, by key. Graphs with a context read that instead. */
  configurable?: DeepInput<Configurable | undefined>;
  [key: string]: pulumi.Input<unknown>;
}

export interface AssistantArgs<
  Context extends object = Record<string, unknown>,
  Configurable extends object = Record<string, unknown>,
> {
  /** ID of the deployment whose agent server stores the assistant. Specify this or `deploymentUrl`. A change replaces the assistant and discards its versions and crons. */
  deploymentId?: pulumi.Input<string | undefined>;
  /** Base URL of the agent server, including its path, for a server outside the control plane. Takes precedence over `deploymentId`. A change replaces the assistant and discards its versions and crons. */
  deploymentUrl?: pulumi.Input<string | undefined>;
  /** Name of the graph of the deployment that the assistant configures. */
  graphId: pulumi.Input<string>;
  /** Name of the assistant, which need not be unique. Defaults to the name of the resource at its creation, which is then kept. */
  name?: pulumi.Input<string | undefined>;
  /** What the assistant is for. If it is removed, the server keeps an empty one. */
  description?: pulumi.Input<string | undefined>;
  /** What the graph reads as its context, by key, such as a model and a prompt. Keys keep their spelling. If it is removed, it becomes empty. */
  context?: DeepInput<Context | undefined>;
  /** Configuration of its runs. Keys that are not named here keep their spelling. `configurable` cannot be combined with `context`. If it is removed, it becomes empty. */
  config?: pulumi.Input<RunConfigArgs<Configurable> | undefined>;
  /** Metadata by key, for searching. Servers copy them into every run and trace of the assistant. Keys that others add are left unchanged. A key that is removed or set to null becomes null on the server. */
  metadata?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Requested ID of the assistant, a UUID. Defaults to one derived from the resource name and the agent server. The output of this name always contains the ID. A change replaces the assistant; without it, an existing assistant is kept. */
  assistantId?: pulumi.Input<string | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. Any change makes a version. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Whether to treat context, config, metadata and extra as secrets: encrypted in state and hidden in previews. Defaults to false. Has no effect on the server. */
  sensitive?: pulumi.Input<boolean | undefined>;
  /** Whether a destroy or replacement may delete crons of the assistant that this stack does not manage: servers delete them with it. Defaults to false, and such a cron is an error. Has no effect on the server until then. */
  deleteForeignCrons?: pulumi.Input<boolean | undefined>;
}

export interface CronArgs<
  Context extends object = Record<string, unknown>,
  Configurable extends object = Record<string, unknown>,
> {
  /** ID of the deployment whose agent server stores the cron. Specify this or `deploymentUrl`. A change replaces the cron and lets runs that it started continue. */
  deploymentId?: pulumi.Input<string | undefined>;
  /** Base URL of the agent server, including its path, for a server outside the control plane. Takes precedence over `deploymentId`. A change replaces the cron and lets runs that it started continue. */
  deploymentUrl?: pulumi.Input<string | undefined>;
  /** What runs: the ID of an assistant, usually the output `id` of an Assistant, or the name of a graph for its default assistant. A change replaces the cron. */
  assistantId: pulumi.Input<string>;
  /** ID of the thread on which all runs take place. Defaults to a new thread for each run. The server deletes the cron with its thread. A change replaces the cron. */
  threadId?: pulumi.Input<string | undefined>;
  /** When it fires, as five fields: minute, hour, day of the month, month and weekday (0 is Sunday). For example, `0 3 * * 1-5` is 03:00 from Monday to Friday. */
  schedule: pulumi.Input<string>;
  /** Time zone of the schedule, as a name of the IANA database such as `Europe/Berlin`. It follows daylight saving. Defaults to UTC. */
  timezone?: pulumi.Input<string | undefined>;
  /** When it fires for the last time, with a time zone or offset: `2027-01-31T00:00:00Z`. Defaults to never. The published development server mishandles it: such a cron never fires there, and stops those that were created after it. */
  endTime?: pulumi.Input<string | undefined>;
  /** Whether it fires. Defaults to true. When it is enabled again, it continues with the next time of its schedule. */
  enabled?: pulumi.Input<boolean | undefined>;
  /** Input of each run, in the format of the graph: an object, or an array of objects. Many graphs fail without it. A removal replaces the cron, because the API cannot clear it. */
  input?: pulumi.Input<unknown | undefined>;
  /** Context of each run, which the graph reads. Added to that of the assistant. Cannot be combined with `config.configurable`. */
  context?: DeepInput<Context | undefined>;
  /** Configuration of each run. */
  config?: pulumi.Input<RunConfigArgs<Configurable> | undefined>;
  /** Metadata by key, for searching. The server copies them to the runs of the cron, and to the threads that it creates. Keys that others add are left unchanged. A key that is removed or set to null becomes null on the server. */
  metadata?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** URL that the server calls after each run. Its host must be public. A removal replaces the cron, because the API cannot clear it. */
  webhook?: pulumi.Input<string | undefined>;
  /** What a run does while another one is active on its thread: `enqueue` (wait), `reject` (skip this time), `interrupt` or `rollback` (stop the other one). Defaults to the server's choice, usually `enqueue`. A removal replaces the cron, because the API cannot clear it. */
  multitaskStrategy?: pulumi.Input<CronMultitaskStrategy | undefined>;
  /** What happens to the new thread of a run when the run ends: `delete` or `keep`. Defaults to `delete`. Cannot be combined with `threadId`. */
  onRunCompleted?: pulumi.Input<CronOnRunCompleted | undefined>;
  /** Nodes of the graph before which a run stops; `["*"]` stands for all. A removal replaces the cron, because the API cannot clear it. */
  interruptBefore?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Nodes of the graph after which a run stops; `["*"]` stands for all. A removal replaces the cron, because the API cannot clear it. */
  interruptAfter?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** When a run saves its state: `sync` (before the next step), `async` (during it) or `exit` (at its end). Defaults to the server's choice. A removal replaces the cron, because the API cannot clear it. */
  durability?: pulumi.Input<CronDurability | undefined>;
  /** What runs stream to clients that join them. Defaults to the server's choice. A removal replaces the cron, because the API cannot clear it. */
  streamMode?: pulumi.Input<pulumi.Input<CronStreamMode>[] | undefined>;
  /** Whether runs also stream what subgraphs do. Defaults to the server's choice. A removal replaces the cron, because the API cannot clear it. */
  streamSubgraphs?: pulumi.Input<boolean | undefined>;
  /** Whether clients can resume a stream after a lost connection. Defaults to the server's choice. A removal replaces the cron, because the API cannot clear it. */
  streamResumable?: pulumi.Input<boolean | undefined>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change is made in place. What is removed is no longer sent, and the server keeps it. */
  extra?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;
  /** Whether to treat input, context, config, metadata, webhook and extra as secrets: encrypted in state and hidden in previews. Defaults to false. Has no effect on the server. */
  sensitive?: pulumi.Input<boolean | undefined>;
}

/** The last revision that failed its checks. */
export interface FailedVerification {
  /** ID of the revision. */
  revisionId: string;
  /** Digest of the declared content and checks, with the values of secrets. */
  contentDigest: string;
  /** Number of revisions of this content that have failed. */
  count: number;
  /** Time of the failure, in UTC. */
  failedAt: string;
  /** What failed, in one line. */
  reason: string;
}

/** The server's values for two vendor-specific terms. */
export interface VocabularyArgs {
  /** The server's value for `githost`, the source of hosted git repositories. Default: `githost`. */
  githost?: pulumi.Input<string | undefined>;
  /** The server's value for `agentgraph`, the prefix of some field names. Default: `agentgraph`. */
  agentgraph?: pulumi.Input<string | undefined>;
}

/** The arguments of a Deployment for each `source`. */
export interface DeploymentArgsBySource {
  /** A repository of the git host, built by the cloud service. A change of the source replaces the deployment. */
  githost: GithostDeploymentArgs;
  /** A container image from a registry, for self-hosted deployments. A change of the source replaces the deployment. */
  external_docker: ExternalDockerDeploymentArgs;
  /** An image in the registry of the cloud service. A change of the source replaces the deployment. */
  internal_docker: InternalDockerDeploymentArgs;
  /** A local folder, uploaded to and built by the cloud service. A change of the source replaces the deployment. */
  internal_source: InternalSourceDeploymentArgs;
  /** A prebuilt template of the cloud service. A change of the source replaces the deployment. */
  internal_template: InternalTemplateDeploymentArgs;
}

/** The arguments of a Deployment: `source` determines which fields exist. */
export type DeploymentArgs = DeploymentArgsBySource[keyof DeploymentArgsBySource];

/** Values of `waitFor`. */
export type DeploymentWaitFor = "deployed" | "healthy" | "none";

export interface Deployment<
  Source extends keyof DeploymentArgsBySource = keyof DeploymentArgsBySource,
  WaitFor extends DeploymentWaitFor = DeploymentWaitFor,
> extends pulumi.CustomResource {
  /** Name of the deployment and of its tracing project, unique in the workspace. Defaults to the name of the resource at its creation, which is then kept, and with `agent` to `<agentId>-<environment>`. A change replaces the deployment. */
  readonly name: pulumi.Output<string>;
  /**
   * Determines which other fields exist.
   * - `githost`: A repository of the git host, built by the cloud service. A change of the source replaces the deployment.
   * - `external_docker`: A container image from a registry, for self-hosted deployments. A change of the source replaces the deployment.
   * - `internal_docker`: An image in the registry of the cloud service. A change of the source replaces the deployment.
   * - `internal_source`: A local folder, uploaded to and built by the cloud service. A change of the source replaces the deployment.
   * - `internal_template`: A prebuilt template of the cloud service. A change of the source replaces the deployment.
   */
  readonly source: pulumi.Output<Source>;
  /**
   * Depends on `source`.
   * - `githost`: The repository and how it is built.
   * - `external_docker`: Where and how it runs. Defaults to the server's settings.
   * - `internal_docker`, `internal_source`, `internal_template`: How the source is built. Defaults to what the server detects.
   */
  readonly sourceConfig: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "sourceConfig">>>;
  /**
   * Depends on `source`, and is undefined for values not listed here.
   * - `githost`, `external_docker`, `internal_source`: What runs. A change creates a revision.
   * - `internal_docker`: What runs. Defaults to nothing.
   */
  readonly sourceRevisionConfig: pulumi.Output<
    pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "sourceRevisionConfig">>
  >;
  /** Environment variables of the container by name, stored as secrets. Defaults to none. A change creates a revision. */
  readonly secrets: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "secrets">>>;
  /** Environment variables of the container that are not secret, by name: state, previews and policies show their values. No name may also be in `secrets`. Defaults to none. A change creates a revision. */
  readonly environment: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "environment">>>;
  /** The agent that the deployment runs in one of its environments, in place of a name, on platforms with agents. Defaults to none. A change replaces the deployment. */
  readonly agent: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "agent">>>;
  /** Whether a destroy ends at once what the platform would keep for a week: the database with its threads. The name stays reserved. Defaults to false. */
  readonly forceDelete: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "forceDelete">>>;
  /** Name for people. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  readonly displayName: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "displayName">>>;
  /** Version of the platform's base image. Defaults to the server's choice. Changes in place. Cannot be removed once set. */
  readonly imageVersion: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "imageVersion">>>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. Servers may make a revision of a change. What is removed is no longer sent, and the server keeps it. */
  readonly extra: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "extra">>>;
  /** What create and update wait for: the latest revision to be DEPLOYED and active (`deployed`), the agent server to return success for `/ok` as well (`healthy`), or nothing (`none`). Defaults to `deployed`. */
  readonly waitFor: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "waitFor">>>;
  /** Arbitrary values by name: any change redeploys the same configuration, for example after a referenced secret was rotated. Defaults to none. */
  readonly redeployTriggers: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "redeployTriggers">>>;
  /** Checks that follow each rollout, in this order, before it has succeeded; they imply `waitFor: "healthy"`. If one fails, the update fails, and `rollbackOnFailure` decides what is live. Defaults to none. */
  readonly verify: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "verify">>>;
  /** Digest of the files of `verify`, the same on every machine. A change runs the checks again. */
  readonly verifyDigest: pulumi.Output<string | undefined>;
  /** Whether to redeploy the last good revision when the revision of an update fails, does not become healthy with `waitFor: "healthy"`, or fails a check of `verify`: with `verify`, the last verified one. The update still fails. Defaults to true with `verify` once a revision is verified, and to false otherwise. */
  readonly rollbackOnFailure: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "rollbackOnFailure">>>;
  /** Keeps the conversations, assistants, stored items and crons of the deployment when it is replaced or deleted: each delete first makes a complete backup, or fails, and a create restores the last one of this resource that was not restored yet. Defaults to losing them. */
  readonly keepConversations: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "keepConversations">>>;
  /** Environment variables from orchestrator secrets, by variable name. Defaults to none. LangSmith creates a revision for a change; elsewhere it takes effect with the next one. Only if `source` is `external_docker`. */
  readonly secretReferences: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "secretReferences">>>;
  /** Folder to upload, relative to the program's folder and without files that .gitignore and .agentgraphignore exclude, or a .tar.gz file of at most 200 MiB. Its content is compared, as `sourceDigest`. Specify this or `sourceRevisionConfig.sourceTarballPath`; without either, the deployment is created and nothing runs yet. Only if `source` is `internal_source`. */
  readonly sourcePath: pulumi.Output<pulumi.Unwrap<Field<DeploymentArgsBySource, Source, "sourcePath">>>;
  /** Digest of the content of `sourcePath`, the same on every machine. A change creates a revision. Only if `source` is `internal_source`. */
  readonly sourceDigest: pulumi.Output<string | undefined>;
  /** ID of the workspace that owns the deployment. */
  readonly tenantId: pulumi.Output<string>;
  /** URL of the agent server; absent until the first revision is live. */
  readonly url: pulumi.Output<
    Present<string, [Source, WaitFor], ["githost" | "external_docker" | "internal_template", "deployed" | "healthy"]>
  >;
  /** ID of the latest revision, whether it is live or not; absent until there is one. */
  readonly latestRevisionId: pulumi.Output<
    Present<string, [Source], ["githost" | "external_docker" | "internal_template"]>
  >;
  /** ID of the live revision; absent until there is one. */
  readonly activeRevisionId: pulumi.Output<
    Present<string, [Source, WaitFor], ["githost" | "external_docker" | "internal_template", "deployed" | "healthy"]>
  >;
  /** ID of the last revision that passed the checks of `verify`, or that a rollback deployed with its configuration; absent until there is one. */
  readonly verifiedRevisionId: pulumi.Output<string | undefined>;
  /** The last revision that failed the checks of `verify`; absent if none has since the last that passed. */
  readonly failedVerification: pulumi.Output<FailedVerification | undefined>;
  /** IDs of the deployments whose conversations it has, the oldest first; absent if there are none. */
  readonly movedFrom: pulumi.Output<string[] | undefined>;
  /** Place of the backup whose conversations the next update restores; absent if there is none. */
  readonly pendingConversations: pulumi.Output<string | undefined>;
  /** Commit of the latest revision, for `githost`; absent if the server does not return it. */
  readonly latestRepoCommitSha: pulumi.Output<string | undefined>;
  /** Commit of the live revision, for `githost`; absent until there is one. */
  readonly activeRepoCommitSha: pulumi.Output<string | undefined>;
  /** Status of the deployment as a whole: AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN. `activeRevisionId` shows whether a revision is live. */
  readonly status: pulumi.Output<DeploymentStatus>;
  /** Time of creation, in the server's format. */
  readonly createdAt: pulumi.Output<string>;
  /** Time of the last change, in the server's format. */
  readonly updatedAt: pulumi.Output<string>;
  /** Version of the platform's base image in use; absent if the server does not return it. */
  readonly currentImageVersion: pulumi.Output<string | undefined>;
  /** Whether the platform manages the agent; false if the server does not return it. */
  readonly isManagedDeepAgent: pulumi.Output<boolean>;
  /** ID of the tracing project with this name, for exports. Absent without the setting `url`, or `tracingApiUrl` and `tenantId`; after you add them, run `pulumi refresh`. */
  readonly tracingProjectId: pulumi.Output<string | undefined>;
}

export interface DeploymentClass {
  new <
    Source extends "githost" | "external_docker" | "internal_docker" | "internal_source" | "internal_template" =
      | "githost"
      | "external_docker"
      | "internal_docker"
      | "internal_source"
      | "internal_template",
    WaitFor extends "deployed" | "healthy" | "none" = "deployed",
  >(
    name: string,
    args: { source: Source; waitFor?: pulumi.Input<WaitFor | undefined> } & ArgsOf<DeploymentArgsBySource, Source>,
    options?: pulumi.CustomResourceOptions,
  ): Deployment<Source, WaitFor>;
  /**
   * Reads an existing Deployment that this program does not manage. Nothing is changed or deleted on the server, and each
   * preview and update reads it again. Inputs that the server does not return are undefined.
   * @param name Name of the resource in this program, unique among its resources of type Deployment.
   * @param id ID of the existing resource: the ID that the API returns.
   * @throws if no Deployment with this ID exists.
   */
  get<
    Source extends keyof DeploymentArgsBySource = keyof DeploymentArgsBySource,
    WaitFor extends DeploymentWaitFor = DeploymentWaitFor,
  >(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Deployment<Source, WaitFor>;
  /**
   * Returns whether a value is a Deployment, including one of another copy of this
   * package.
   */
  isInstance(value: unknown): value is Deployment;
}

export interface BulkExportDestination extends pulumi.CustomResource {
  /** Type of the object store: `s3`, including other stores with an S3-compatible API. A change replaces the destination. */
  readonly destinationType: pulumi.Output<pulumi.Unwrap<BulkExportDestinationArgs["destinationType"]>>;
  /** Display name: letters, digits, spaces, hyphens, underscores and apostrophes. A change replaces the destination. */
  readonly displayName: pulumi.Output<pulumi.Unwrap<BulkExportDestinationArgs["displayName"]>>;
  /** Location of the files. A change replaces the destination and restarts its exports. */
  readonly config: pulumi.Output<pulumi.Unwrap<BulkExportDestinationArgs["config"]>>;
  /** Access key with write access to the bucket, stored as a secret. The server tests it before it saves it. Changes in place, as a whole. Defaults to `awsRoleArn`, or to what the server itself may write to. */
  readonly credentials: pulumi.Output<pulumi.Unwrap<BulkExportDestinationArgs["credentials"]>>;
  /** Role that the platform assumes in place of an access key, as `arn:aws:iam::…`. The server tests it before it saves it. Changes in place, also to and from `credentials`. */
  readonly awsRoleArn: pulumi.Output<pulumi.Unwrap<BulkExportDestinationArgs["awsRoleArn"]>>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change replaces the destination. What is removed is no longer sent, and the server keeps it. */
  readonly extra: pulumi.Output<pulumi.Unwrap<BulkExportDestinationArgs["extra"]>>;
  /** Whether to create the destination even if an equivalent one already exists in the workspace. Defaults to false. Has no effect on an existing destination. */
  readonly allowDuplicate: pulumi.Output<pulumi.Unwrap<BulkExportDestinationArgs["allowDuplicate"]>>;
  /** Whether to manage the identical destination of the workspace if there is one, instead of creating another, and to leave the destination on the server in a destroy. The declared credentials are tested and stored in it. Several stacks may share it. Defaults to false, so an identical destination is an error. Has no effect on an existing destination until it is destroyed. */
  readonly adoptExisting: pulumi.Output<pulumi.Unwrap<BulkExportDestinationArgs["adoptExisting"]>>;
  /** ID of the workspace that owns the destination. */
  readonly tenantId: pulumi.Output<string>;
  /** Whether `adoptExisting` found the destination, so that a destroy leaves it on the server; absent if not. */
  readonly adopted: pulumi.Output<boolean | undefined>;
  /** Names of the stored credentials in the API's spelling; absent if the server does not return them. */
  readonly credentialsKeys: pulumi.Output<string[] | undefined>;
  /** Time of creation; absent if the server does not return it. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change; absent if the server does not return it. */
  readonly updatedAt: pulumi.Output<string | undefined>;
}

export interface BulkExportDestinationClass {
  new (name: string, args: BulkExportDestinationArgs, options?: pulumi.CustomResourceOptions): BulkExportDestination;
  /**
   * Reads an existing BulkExportDestination that this program does not manage. Nothing is changed or deleted on the server, and each
   * preview and update reads it again. Inputs that the server does not return are undefined.
   * @param name Name of the resource in this program, unique among its resources of type BulkExportDestination.
   * @param id ID of the existing resource: the ID that the API returns.
   * @throws if no BulkExportDestination with this ID exists.
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): BulkExportDestination;
  /**
   * Returns whether a value is a BulkExportDestination, including one of another copy of this
   * package.
   */
  isInstance(value: unknown): value is BulkExportDestination;
}

export interface BulkExport extends pulumi.CustomResource {
  /** ID of the destination that the files are written to. A change restarts the export. */
  readonly bulkExportDestinationId: pulumi.Output<pulumi.Unwrap<BulkExportArgs["bulkExportDestinationId"]>>;
  /** ID of the tracing project to export. Specify this or `allExperiments: true`. A change restarts the export. */
  readonly sessionId: pulumi.Output<pulumi.Unwrap<BulkExportArgs["sessionId"]>>;
  /** Whether to export all experiments that the workspace has when the export runs. Defaults to false. A change restarts the export. */
  readonly allExperiments: pulumi.Output<pulumi.Unwrap<BulkExportArgs["allExperiments"]>>;
  /** Start of the time window, inclusive: only runs that started at this time or later are exported. UTC. A change restarts the export. */
  readonly startTime: pulumi.Output<pulumi.Unwrap<BulkExportArgs["startTime"]>>;
  /** End of the time window, exclusive: only runs that started before this time are exported. UTC. A change restarts the export. */
  readonly endTime: pulumi.Output<pulumi.Unwrap<BulkExportArgs["endTime"]>>;
  /** Filter for the runs to export, in the trace filter language. Defaults to all runs. A change restarts the export. */
  readonly filter: pulumi.Output<pulumi.Unwrap<BulkExportArgs["filter"]>>;
  /** Fields of a run to export, in the API's spelling (`run_type`) and in any order. Defaults to all fields. An export without `inputs` and `outputs` is faster and much smaller. A change restarts the export. */
  readonly exportFields: pulumi.Output<pulumi.Unwrap<BulkExportArgs["exportFields"]>>;
  /** Format of the files: `Parquet`. Defaults to the server's choice. A change restarts the export. */
  readonly format: pulumi.Output<pulumi.Unwrap<BulkExportArgs["format"]>>;
  /** Version of the file layout: `v1`, `v2_beta`. Defaults to the server's choice. A change restarts the export. */
  readonly formatVersion: pulumi.Output<pulumi.Unwrap<BulkExportArgs["formatVersion"]>>;
  /** Compression of the files: `none`, `gzip`, `snappy`, `zstandard`. Defaults to the server's choice. A change restarts the export. */
  readonly compression: pulumi.Output<pulumi.Unwrap<BulkExportArgs["compression"]>>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change restarts the export. What is removed is no longer sent, and the server keeps it. */
  readonly extra: pulumi.Output<pulumi.Unwrap<BulkExportArgs["extra"]>>;
  /** Whether to create the export even if an equivalent one is already active in the workspace. Defaults to false. Has no effect on an existing export. */
  readonly allowDuplicate: pulumi.Output<pulumi.Unwrap<BulkExportArgs["allowDuplicate"]>>;
  /** What create and update wait for: the end of the export (`completed`), for at most customTimeouts (75 minutes by default), or nothing (`none`). Defaults to `none`. */
  readonly waitFor: pulumi.Output<pulumi.Unwrap<BulkExportArgs["waitFor"]>>;
  /** ID of the workspace that owns the export. */
  readonly tenantId: pulumi.Output<string>;
  /** Status when last read, in upper case: CREATED, RUNNING, COMPLETED, FAILED, CANCELLED or TIMEDOUT. Servers may add other values. */
  readonly status: pulumi.Output<BulkExportStatus>;
  /** Time of creation; absent if the server does not return it. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change; absent if the server does not return it. */
  readonly updatedAt: pulumi.Output<string | undefined>;
  /** Time at which the export ended; absent until then. */
  readonly finishedAt: pulumi.Output<string | undefined>;
  /** Number of runs in the files; absent until the export is read as completed. */
  readonly rowsWritten: pulumi.Output<number | undefined>;
  /** Common prefix of the keys of all files in the bucket, such as `<prefix>/export_id=<id>/`; absent until the export is read as completed. */
  readonly filePrefix: pulumi.Output<string | undefined>;
  /** Number of files in the bucket; absent until the export is read as completed. */
  readonly filesWritten: pulumi.Output<number | undefined>;
}

export interface BulkExportClass {
  new (name: string, args: BulkExportArgs, options?: pulumi.CustomResourceOptions): BulkExport;
  /**
   * Reads an existing BulkExport that this program does not manage. Nothing is changed or deleted on the server, and each
   * preview and update reads it again. Inputs that the server does not return are undefined.
   * @param name Name of the resource in this program, unique among its resources of type BulkExport.
   * @param id ID of the existing resource: the ID that the API returns.
   * @throws if no BulkExport with this ID exists.
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): BulkExport;
  /**
   * Returns whether a value is a BulkExport, including one of another copy of this
   * package.
   */
  isInstance(value: unknown): value is BulkExport;
}

export interface ScheduledBulkExport extends pulumi.CustomResource {
  /** ID of the destination that the files are written to. A change restarts the export. */
  readonly bulkExportDestinationId: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["bulkExportDestinationId"]>>;
  /** ID of the tracing project to export. Specify this or `allExperiments: true`. A change restarts the export. */
  readonly sessionId: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["sessionId"]>>;
  /** Whether to export all experiments that the workspace has when the export runs. Defaults to false. A change restarts the export. */
  readonly allExperiments: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["allExperiments"]>>;
  /** Start of the first time window, inclusive, by the start time of runs. UTC. Past windows are exported as well. A change restarts the export. */
  readonly startTime: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["startTime"]>>;
  /** Length of a time window in hours, from 1 to 168. Each window is exported ten minutes after its end. A change restarts the export. */
  readonly intervalHours: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["intervalHours"]>>;
  /** Filter for the runs to export, in the trace filter language. Defaults to all runs. A change restarts the export. */
  readonly filter: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["filter"]>>;
  /** Fields of a run to export, in the API's spelling (`run_type`) and in any order. Defaults to all fields. An export without `inputs` and `outputs` is faster and much smaller. A change restarts the export. */
  readonly exportFields: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["exportFields"]>>;
  /** Format of the files: `Parquet`. Defaults to the server's choice. A change restarts the export. */
  readonly format: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["format"]>>;
  /** Version of the file layout: `v1`, `v2_beta`. Defaults to the server's choice. A change restarts the export. */
  readonly formatVersion: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["formatVersion"]>>;
  /** Compression of the files: `none`, `gzip`, `snappy`, `zstandard`. Defaults to the server's choice. A change restarts the export. */
  readonly compression: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["compression"]>>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change restarts the export. What is removed is no longer sent, and the server keeps it. */
  readonly extra: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["extra"]>>;
  /** Whether to create the export even if an equivalent one is already active in the workspace. Defaults to false. Has no effect on an existing export. */
  readonly allowDuplicate: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["allowDuplicate"]>>;
  /** Whether a destroy or replacement also cancels running exports that the schedule spawned. Defaults to false. Has no effect on the server until then. */
  readonly cancelSpawned: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["cancelSpawned"]>>;
  /** Whether a destroy may remove the schedule from state when the server does not support cancellation, so that it keeps exporting. Defaults to false. Has no effect on the server. */
  readonly forget: pulumi.Output<pulumi.Unwrap<ScheduledBulkExportArgs["forget"]>>;
  /** ID of the workspace that owns the export. */
  readonly tenantId: pulumi.Output<string>;
  /** Status when last read, in upper case: CREATED, RUNNING, COMPLETED, FAILED, CANCELLED or TIMEDOUT. Servers may add other values. */
  readonly status: pulumi.Output<BulkExportStatus>;
  /** Time of creation; absent if the server does not return it. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change; absent if the server does not return it. */
  readonly updatedAt: pulumi.Output<string | undefined>;
}

export interface ScheduledBulkExportClass {
  new (name: string, args: ScheduledBulkExportArgs, options?: pulumi.CustomResourceOptions): ScheduledBulkExport;
  /**
   * Reads an existing ScheduledBulkExport that this program does not manage. Nothing is changed or deleted on the server, and each
   * preview and update reads it again. Inputs that the server does not return are undefined.
   * @param name Name of the resource in this program, unique among its resources of type ScheduledBulkExport.
   * @param id ID of the existing resource: the ID that the API returns.
   * @throws if no ScheduledBulkExport with this ID exists.
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ScheduledBulkExport;
  /**
   * Returns whether a value is a ScheduledBulkExport, including one of another copy of this
   * package.
   */
  isInstance(value: unknown): value is ScheduledBulkExport;
}

export interface Thread extends pulumi.CustomResource {
  /** ID of the deployment whose agent server stores the thread. Specify this or `deploymentUrl`. A change replaces the thread and discards its history. */
  readonly deploymentId: pulumi.Output<pulumi.Unwrap<ThreadArgs["deploymentId"]>>;
  /** Base URL of the agent server, including its path, for a server outside the control plane. Takes precedence over `deploymentId`. A change replaces the thread and discards its history. */
  readonly deploymentUrl: pulumi.Output<pulumi.Unwrap<ThreadArgs["deploymentUrl"]>>;
  /** Requested ID of the thread, a UUID. Defaults to one derived from the resource name and the immutable inputs. The output of this name always contains the ID. A change replaces the thread; without it, an existing thread is kept. */
  readonly threadId: pulumi.Output<string>;
  /** Metadata by key, for searching; `graph_id` names the graph that the thread belongs to. Keys that others add are left unchanged. A key that is removed or set to null becomes null on the server. */
  readonly metadata: pulumi.Output<pulumi.Unwrap<ThreadArgs["metadata"]>>;
  /** Initial state of the thread, as steps that are applied in order. Defaults to an empty thread. Requires `metadata.graph_id`. A change replaces the thread. */
  readonly supersteps: pulumi.Output<pulumi.Unwrap<ThreadArgs["supersteps"]>>;
  /** ID of a thread on the same agent server to copy, including its history. Cannot be combined with `threadId` or `supersteps`. A change replaces the thread. */
  readonly copyFrom: pulumi.Output<pulumi.Unwrap<ThreadArgs["copyFrom"]>>;
  /** How long the server keeps the thread. Defaults to the server's own setting. Servers can change it, but not remove it. */
  readonly ttl: pulumi.Output<pulumi.Unwrap<ThreadArgs["ttl"]>>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change is made in place. What is removed is no longer sent, and the server keeps it. */
  readonly extra: pulumi.Output<pulumi.Unwrap<ThreadArgs["extra"]>>;
  /** Whether to treat metadata, supersteps and extra as secrets: encrypted in state and hidden in previews. Defaults to false. Has no effect on the server. */
  readonly sensitive: pulumi.Output<pulumi.Unwrap<ThreadArgs["sensitive"]>>;
  /** Whether a destroy or replacement may delete crons on the thread that this stack does not manage: servers delete them with it. Defaults to false, and such a cron is an error. Has no effect on the server until then. */
  readonly deleteForeignCrons: pulumi.Output<pulumi.Unwrap<ThreadArgs["deleteForeignCrons"]>>;
  /** Base URL of the agent server that stores the thread. */
  readonly url: pulumi.Output<string>;
  /** ID of the workspace that owns the deployment; absent with `deploymentUrl`. */
  readonly tenantId: pulumi.Output<string | undefined>;
  /** Status when last read: `idle`, `busy`, `interrupted` or `error`. */
  readonly status: pulumi.Output<ThreadStatus>;
  /** Time of creation; absent if the server does not return it. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change; absent if the server does not return it. */
  readonly updatedAt: pulumi.Output<string | undefined>;
}

export interface ThreadClass {
  new (name: string, args: ThreadArgs, options?: pulumi.CustomResourceOptions): Thread;
  /**
   * Reads an existing Thread that this program does not manage. Nothing is changed or deleted on the server, and each
   * preview and update reads it again. Inputs that the server does not return are undefined.
   * @param name Name of the resource in this program, unique among its resources of type Thread.
   * @param id ID of the existing resource: `<deployment ID>/<ID>` or `<URL of the agent server>/<ID>`.
   * @throws if no Thread with this ID exists.
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Thread;
  /**
   * Returns whether a value is a Thread, including one of another copy of this
   * package.
   */
  isInstance(value: unknown): value is Thread;
}

export interface Assistant<
  Context extends object = Record<string, unknown>,
  Configurable extends object = Record<string, unknown>,
> extends pulumi.CustomResource {
  /** ID of the deployment whose agent server stores the assistant. Specify this or `deploymentUrl`. A change replaces the assistant and discards its versions and crons. */
  readonly deploymentId: pulumi.Output<pulumi.Unwrap<AssistantArgs["deploymentId"]>>;
  /** Base URL of the agent server, including its path, for a server outside the control plane. Takes precedence over `deploymentId`. A change replaces the assistant and discards its versions and crons. */
  readonly deploymentUrl: pulumi.Output<pulumi.Unwrap<AssistantArgs["deploymentUrl"]>>;
  /** Name of the graph of the deployment that the assistant configures. */
  readonly graphId: pulumi.Output<pulumi.Unwrap<AssistantArgs["graphId"]>>;
  /** Name of the assistant, which need not be unique. Defaults to the name of the resource at its creation, which is then kept. */
  readonly name: pulumi.Output<string>;
  /** What the assistant is for. If it is removed, the server keeps an empty one. */
  readonly description: pulumi.Output<pulumi.Unwrap<AssistantArgs["description"]>>;
  /** What the graph reads as its context, by key, such as a model and a prompt. Keys keep their spelling. If it is removed, it becomes empty. */
  readonly context: pulumi.Output<Context | undefined>;
  /** Configuration of its runs. Keys that are not named here keep their spelling. `configurable` cannot be combined with `context`. If it is removed, it becomes empty. */
  readonly config: pulumi.Output<pulumi.Unwrap<AssistantArgs<Context, Configurable>["config"]>>;
  /** Metadata by key, for searching. Servers copy them into every run and trace of the assistant. Keys that others add are left unchanged. A key that is removed or set to null becomes null on the server. */
  readonly metadata: pulumi.Output<pulumi.Unwrap<AssistantArgs["metadata"]>>;
  /** Requested ID of the assistant, a UUID. Defaults to one derived from the resource name and the agent server. The output of this name always contains the ID. A change replaces the assistant; without it, an existing assistant is kept. */
  readonly assistantId: pulumi.Output<string>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. Any change makes a version. What is removed is no longer sent, and the server keeps it. */
  readonly extra: pulumi.Output<pulumi.Unwrap<AssistantArgs["extra"]>>;
  /** Whether to treat context, config, metadata and extra as secrets: encrypted in state and hidden in previews. Defaults to false. Has no effect on the server. */
  readonly sensitive: pulumi.Output<pulumi.Unwrap<AssistantArgs["sensitive"]>>;
  /** Whether a destroy or replacement may delete crons of the assistant that this stack does not manage: servers delete them with it. Defaults to false, and such a cron is an error. Has no effect on the server until then. */
  readonly deleteForeignCrons: pulumi.Output<pulumi.Unwrap<AssistantArgs["deleteForeignCrons"]>>;
  /** Base URL of the agent server that stores the assistant. */
  readonly url: pulumi.Output<string>;
  /** ID of the workspace that owns the deployment; absent with `deploymentUrl`. */
  readonly tenantId: pulumi.Output<string | undefined>;
  /** Number of its current version; absent if the server does not return it. */
  readonly version: pulumi.Output<number | undefined>;
  /** Time of creation; absent if the server does not return it. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change; absent if the server does not return it. */
  readonly updatedAt: pulumi.Output<string | undefined>;
}

export interface AssistantClass {
  new <Context extends object = Record<string, unknown>, Configurable extends object = Record<string, unknown>>(
    name: string,
    args: NoInfer<AssistantArgs<Context, Configurable>>,
    options?: pulumi.CustomResourceOptions,
  ): Assistant<Context, Configurable>;
  /**
   * Reads an existing Assistant that this program does not manage. Nothing is changed or deleted on the server, and each
   * preview and update reads it again. Inputs that the server does not return are undefined.
   * @param name Name of the resource in this program, unique among its resources of type Assistant.
   * @param id ID of the existing resource: `<deployment ID>/<ID>` or `<URL of the agent server>/<ID>`.
   * @throws if no Assistant with this ID exists.
   */
  get<Context extends object = Record<string, unknown>, Configurable extends object = Record<string, unknown>>(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    options?: pulumi.CustomResourceOptions,
  ): Assistant<Context, Configurable>;
  /**
   * Returns whether a value is an Assistant, including one of another copy of this
   * package.
   */
  isInstance(value: unknown): value is Assistant;
}

export interface Cron<
  Context extends object = Record<string, unknown>,
  Configurable extends object = Record<string, unknown>,
> extends pulumi.CustomResource {
  /** ID of the deployment whose agent server stores the cron. Specify this or `deploymentUrl`. A change replaces the cron and lets runs that it started continue. */
  readonly deploymentId: pulumi.Output<pulumi.Unwrap<CronArgs["deploymentId"]>>;
  /** Base URL of the agent server, including its path, for a server outside the control plane. Takes precedence over `deploymentId`. A change replaces the cron and lets runs that it started continue. */
  readonly deploymentUrl: pulumi.Output<pulumi.Unwrap<CronArgs["deploymentUrl"]>>;
  /** What runs: the ID of an assistant, usually the output `id` of an Assistant, or the name of a graph for its default assistant. A change replaces the cron. */
  readonly assistantId: pulumi.Output<pulumi.Unwrap<CronArgs["assistantId"]>>;
  /** ID of the thread on which all runs take place. Defaults to a new thread for each run. The server deletes the cron with its thread. A change replaces the cron. */
  readonly threadId: pulumi.Output<pulumi.Unwrap<CronArgs["threadId"]>>;
  /** When it fires, as five fields: minute, hour, day of the month, month and weekday (0 is Sunday). For example, `0 3 * * 1-5` is 03:00 from Monday to Friday. */
  readonly schedule: pulumi.Output<pulumi.Unwrap<CronArgs["schedule"]>>;
  /** Time zone of the schedule, as a name of the IANA database such as `Europe/Berlin`. It follows daylight saving. Defaults to UTC. */
  readonly timezone: pulumi.Output<pulumi.Unwrap<CronArgs["timezone"]>>;
  /** When it fires for the last time, with a time zone or offset: `2027-01-31T00:00:00Z`. Defaults to never. The published development server mishandles it: such a cron never fires there, and stops those that were created after it. */
  readonly endTime: pulumi.Output<pulumi.Unwrap<CronArgs["endTime"]>>;
  /** Whether it fires. Defaults to true. When it is enabled again, it continues with the next time of its schedule. */
  readonly enabled: pulumi.Output<pulumi.Unwrap<CronArgs["enabled"]>>;
  /** Input of each run, in the format of the graph: an object, or an array of objects. Many graphs fail without it. A removal replaces the cron, because the API cannot clear it. */
  readonly input: pulumi.Output<pulumi.Unwrap<CronArgs["input"]>>;
  /** Context of each run, which the graph reads. Added to that of the assistant. Cannot be combined with `config.configurable`. */
  readonly context: pulumi.Output<Context | undefined>;
  /** Configuration of each run. */
  readonly config: pulumi.Output<pulumi.Unwrap<CronArgs<Context, Configurable>["config"]>>;
  /** Metadata by key, for searching. The server copies them to the runs of the cron, and to the threads that it creates. Keys that others add are left unchanged. A key that is removed or set to null becomes null on the server. */
  readonly metadata: pulumi.Output<pulumi.Unwrap<CronArgs["metadata"]>>;
  /** URL that the server calls after each run. Its host must be public. A removal replaces the cron, because the API cannot clear it. */
  readonly webhook: pulumi.Output<pulumi.Unwrap<CronArgs["webhook"]>>;
  /** What a run does while another one is active on its thread: `enqueue` (wait), `reject` (skip this time), `interrupt` or `rollback` (stop the other one). Defaults to the server's choice, usually `enqueue`. A removal replaces the cron, because the API cannot clear it. */
  readonly multitaskStrategy: pulumi.Output<pulumi.Unwrap<CronArgs["multitaskStrategy"]>>;
  /** What happens to the new thread of a run when the run ends: `delete` or `keep`. Defaults to `delete`. Cannot be combined with `threadId`. */
  readonly onRunCompleted: pulumi.Output<pulumi.Unwrap<CronArgs["onRunCompleted"]>>;
  /** Nodes of the graph before which a run stops; `["*"]` stands for all. A removal replaces the cron, because the API cannot clear it. */
  readonly interruptBefore: pulumi.Output<pulumi.Unwrap<CronArgs["interruptBefore"]>>;
  /** Nodes of the graph after which a run stops; `["*"]` stands for all. A removal replaces the cron, because the API cannot clear it. */
  readonly interruptAfter: pulumi.Output<pulumi.Unwrap<CronArgs["interruptAfter"]>>;
  /** When a run saves its state: `sync` (before the next step), `async` (during it) or `exit` (at its end). Defaults to the server's choice. A removal replaces the cron, because the API cannot clear it. */
  readonly durability: pulumi.Output<pulumi.Unwrap<CronArgs["durability"]>>;
  /** What runs stream to clients that join them. Defaults to the server's choice. A removal replaces the cron, because the API cannot clear it. */
  readonly streamMode: pulumi.Output<pulumi.Unwrap<CronArgs["streamMode"]>>;
  /** Whether runs also stream what subgraphs do. Defaults to the server's choice. A removal replaces the cron, because the API cannot clear it. */
  readonly streamSubgraphs: pulumi.Output<pulumi.Unwrap<CronArgs["streamSubgraphs"]>>;
  /** Whether clients can resume a stream after a lost connection. Defaults to the server's choice. A removal replaces the cron, because the API cannot clear it. */
  readonly streamResumable: pulumi.Output<pulumi.Unwrap<CronArgs["streamResumable"]>>;
  /** Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: 1 } }`. They are merged into its requests. A change is made in place. What is removed is no longer sent, and the server keeps it. */
  readonly extra: pulumi.Output<pulumi.Unwrap<CronArgs["extra"]>>;
  /** Whether to treat input, context, config, metadata, webhook and extra as secrets: encrypted in state and hidden in previews. Defaults to false. Has no effect on the server. */
  readonly sensitive: pulumi.Output<pulumi.Unwrap<CronArgs["sensitive"]>>;
  /** Base URL of the agent server that stores the cron. */
  readonly url: pulumi.Output<string>;
  /** ID of the workspace that owns the deployment; absent with `deploymentUrl`. */
  readonly tenantId: pulumi.Output<string | undefined>;
  /** ID of the cron. */
  readonly cronId: pulumi.Output<string>;
  /** ID of the assistant that runs, also if `assistantId` is the name of a graph; absent if the server does not return it. */
  readonly resolvedAssistantId: pulumi.Output<string | undefined>;
  /** When it fires next, in UTC, as of the last change or refresh; without meaning while it is disabled or has ended. Absent if the server does not return it. */
  readonly nextRunDate: pulumi.Output<string | undefined>;
  /** Identity that created the cron, with which its runs run; absent without authentication. */
  readonly userId: pulumi.Output<string | undefined>;
  /** Time of creation; absent if the server does not return it. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** Time of the last change; absent if the server does not return it. */
  readonly updatedAt: pulumi.Output<string | undefined>;
}

export interface CronClass {
  new <Context extends object = Record<string, unknown>, Configurable extends object = Record<string, unknown>>(
    name: string,
    args: NoInfer<CronArgs<Context, Configurable>>,
    options?: pulumi.CustomResourceOptions,
  ): Cron<Context, Configurable>;
  /**
   * Reads an existing Cron that this program does not manage. Nothing is changed or deleted on the server, and each
   * preview and update reads it again. Inputs that the server does not return are undefined.
   * @param name Name of the resource in this program, unique among its resources of type Cron.
   * @param id ID of the existing resource: `<deployment ID>/<ID>` or `<URL of the agent server>/<ID>`.
   * @throws if no Cron with this ID exists.
   */
  get<Context extends object = Record<string, unknown>, Configurable extends object = Record<string, unknown>>(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    options?: pulumi.CustomResourceOptions,
  ): Cron<Context, Configurable>;
  /**
   * Returns whether a value is a Cron, including one of another copy of this
   * package.
   */
  isInstance(value: unknown): value is Cron;
}

export interface ProviderArgs {
  /** API key, sent as `X-Api-Key`. Secret. One of `apiKey`, `apiKeyEnv` and `bearerToken` is required. */
  apiKey?: pulumi.Input<string | undefined>;
  /** Name of an environment variable that contains the API key. The key is then not stored, so that a rotation changes no state. */
  apiKeyEnv?: pulumi.Input<string | undefined>;
  /** Token, sent as `Authorization: Bearer` in place of an API key. Secret. Bulk exports require an API key. */
  bearerToken?: pulumi.Input<string | undefined>;
  /** Workspace ID, sent as `X-Tenant-Id`. Required with an API key for several workspaces. Default: the only workspace of the API key, for bulk exports where the server lists it. */
  tenantId?: pulumi.Input<string | undefined>;
  /** Base URL of the platform, such as `https://agents.example.com`: that of the control plane and of the tracing API. Must use HTTPS unless it is on this machine. */
  url?: pulumi.Input<string | undefined>;
  /** Base URL of the control plane, where it differs from `url`. Must use HTTPS unless it is on this machine. */
  controlPlaneUrl?: pulumi.Input<string | undefined>;
  /** Base URL of the tracing API, where it differs from `url`. Must use HTTPS unless it is on this machine. */
  tracingApiUrl?: pulumi.Input<string | undefined>;
  /** Platform whose behavior the server has where servers differ, such as what a changed repository does: `langsmith`. Default: known from the host. */
  platform?: pulumi.Input<"langsmith" | undefined>;
  /** The server's values for two vendor-specific terms, as `{ githost: "…", agentgraph: "…" }`. A term without a value stays as it is. */
  vocabulary?: pulumi.Input<VocabularyArgs | undefined>;
  /** Headers to send to agent servers in addition to the credential, for custom authentication. Secret. Default: none. */
  agentHeaders?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Origins of agent servers that may receive the credential and `agentHeaders`, in addition to the control plane and the addresses that it assigns to deployments. A deployment with a `customUrl` elsewhere requires it. Default: none. */
  agentOrigins?: pulumi.Input<pulumi.Input<string>[] | undefined>;
  /** Owner in the ownership marker (see `ownerMarker`). Default: the Pulumi organization. */
  ownerId?: pulumi.Input<string | undefined>;
  /** Whether to set the environment variable `PULUMI_RESOURCE`, the ownership marker, on deployments. It lets a run resume what an interrupted run created. Default: true. */
  ownerMarker?: pulumi.Input<boolean | undefined>;
  /** How long after its creation a deployment with this resource's ownership marker is resumed as the work of an interrupted run. Default: 1h. */
  resumeWithin?: pulumi.Input<string | undefined>;
  /** Maximum number of requests per second to one server, after a burst of one second's worth. The rate adapts to the server's 429 responses below it. Default: no limit. */
  requestsPerSecond?: pulumi.Input<number | undefined>;
  /** Maximum number of concurrent requests to one server. Default: 100. */
  maxConcurrentRequests?: pulumi.Input<number | undefined>;
  /** Timeout of a single request. Default: 30s. */
  requestTimeout?: pulumi.Input<string | undefined>;
  /** Whether `pulumi up` shows the lines of the build and deploy log while it waits for a rollout: true for all deployments, or the names of their resources in the program. Default: false. */
  streamLogs?: pulumi.Input<boolean | pulumi.Input<string>[] | undefined>;
  /** File to which each attempt to send a request is appended as a line of JSON. Default: none. */
  requestLog?: pulumi.Input<string | undefined>;
  /** Whether the request log contains the bodies of requests and responses, redacted and truncated. Default: false. */
  requestLogBodies?: pulumi.Input<boolean | undefined>;
  /** Whether to manage resources that were created on another server or in another workspace than the configured one. Default: false. */
  allowServerChange?: pulumi.Input<boolean | undefined>;
  /** Whether base URLs that are not on this machine may use plain HTTP. Default: false. */
  allowInsecureHttp?: pulumi.Input<boolean | undefined>;
}

export const resources = {
  Deployment: {
    inputs: [
      "name",
      "source",
      "sourceConfig",
      "sourceRevisionConfig",
      "secrets",
      "environment",
      "agent",
      "forceDelete",
      "displayName",
      "imageVersion",
      "extra",
      "waitFor",
      "redeployTriggers",
      "verify",
      "rollbackOnFailure",
      "keepConversations",
      "secretReferences",
      "sourcePath",
    ],
    nestedInputs: [
      "sourceConfig.integrationId",
      "sourceConfig.repoUrl",
      "sourceConfig.deploymentType",
      "sourceConfig.buildOnPush",
      "sourceConfig.resourceSpec",
      "sourceConfig.resourceSpec.minScale",
      "sourceConfig.resourceSpec.maxScale",
      "sourceConfig.resourceSpec.cpu",
      "sourceConfig.resourceSpec.cpuLimit",
      "sourceConfig.resourceSpec.memoryMb",
      "sourceConfig.resourceSpec.memoryLimitMb",
      "sourceConfig.resourceSpec.queueMinScale",
      "sourceConfig.resourceSpec.queueMaxScale",
      "sourceConfig.resourceSpec.queueCpu",
      "sourceConfig.resourceSpec.queueCpuLimit",
      "sourceConfig.resourceSpec.queueMemoryMb",
      "sourceConfig.resourceSpec.queueMemoryLimitMb",
      "sourceConfig.resourceSpec.redisCpu",
      "sourceConfig.resourceSpec.redisCpuLimit",
      "sourceConfig.resourceSpec.redisMemoryMb",
      "sourceConfig.resourceSpec.redisMemoryLimitMb",
      "sourceConfig.resourceSpec.coreCpu",
      "sourceConfig.resourceSpec.coreCpuLimit",
      "sourceConfig.resourceSpec.coreMemoryMb",
      "sourceConfig.resourceSpec.coreMemoryLimitMb",
      "sourceConfig.resourceSpec.dbCpu",
      "sourceConfig.resourceSpec.dbCpuLimit",
      "sourceConfig.resourceSpec.dbMemoryMb",
      "sourceConfig.resourceSpec.dbMemoryLimitMb",
      "sourceConfig.resourceSpec.dbStorageGi",
      "sourceConfig.resourceSpec.dbMaxConnections",
      "sourceConfig.resourceSpec.labels",
      "sourceConfig.resourceSpec.annotations",
      "sourceConfig.resourceSpec.serviceAccountName",
      "sourceConfig.resourceSpec.imagePullSecrets",
      "sourceConfig.resourceSpec.volumes",
      "sourceConfig.resourceSpec.volumeMounts",
      "sourceConfig.resourceSpec.initContainers",
      "sourceConfig.resourceSpec.sidecars",
      "sourceConfig.installCommand",
      "sourceConfig.buildCommand",
      "sourceRevisionConfig.repoRef",
      "sourceRevisionConfig.agentgraphConfigPath",
      "agent.agentId",
      "agent.environment",
      "keepConversations.at",
      "keepConversations.waiting",
      "keepConversations.busy",
      "keepConversations.allowEmpty",
      "sourceConfig.listenerId",
      "sourceConfig.listenerConfig",
      "sourceConfig.listenerConfig.k8sNamespace",
      "sourceConfig.customUrl",
      "sourceRevisionConfig.imageUri",
      "sourceRevisionConfig.sourceTarballPath",
      "sourceConfig.templateId",
    ],
    outputs: [
      "tenantId",
      "url",
      "latestRevisionId",
      "activeRevisionId",
      "verifiedRevisionId",
      "failedVerification",
      "movedFrom",
      "pendingConversations",
      "latestRepoCommitSha",
      "activeRepoCommitSha",
      "status",
      "createdAt",
      "updatedAt",
      "currentImageVersion",
      "isManagedDeepAgent",
      "tracingProjectId",
      "verifyDigest",
      "sourceDigest",
    ],
    secrets: [],
    nameFrom: "name",
  },
  BulkExportDestination: {
    inputs: [
      "destinationType",
      "displayName",
      "config",
      "credentials",
      "awsRoleArn",
      "extra",
      "allowDuplicate",
      "adoptExisting",
    ],
    nestedInputs: [
      "config.bucketName",
      "config.prefix",
      "config.region",
      "config.endpointUrl",
      "config.includeBucketInPrefix",
      "config.configKwargsS3",
      "config.s3AdditionalKwargs",
      "credentials.accessKeyId",
      "credentials.secretAccessKey",
      "credentials.sessionToken",
    ],
    outputs: ["tenantId", "adopted", "credentialsKeys", "createdAt", "updatedAt"],
    secrets: [],
  },
  BulkExport: {
    inputs: [
      "bulkExportDestinationId",
      "sessionId",
      "allExperiments",
      "startTime",
      "endTime",
      "filter",
      "exportFields",
      "format",
      "formatVersion",
      "compression",
      "extra",
      "allowDuplicate",
      "waitFor",
    ],
    nestedInputs: [],
    outputs: [
      "tenantId",
      "status",
      "createdAt",
      "updatedAt",
      "finishedAt",
      "rowsWritten",
      "filePrefix",
      "filesWritten",
    ],
    secrets: [],
  },
  ScheduledBulkExport: {
    inputs: [
      "bulkExportDestinationId",
      "sessionId",
      "allExperiments",
      "startTime",
      "intervalHours",
      "filter",
      "exportFields",
      "format",
      "formatVersion",
      "compression",
      "extra",
      "allowDuplicate",
      "cancelSpawned",
      "forget",
    ],
    nestedInputs: [],
    outputs: ["tenantId", "status", "createdAt", "updatedAt"],
    secrets: [],
  },
  Thread: {
    inputs: [
      "deploymentId",
      "deploymentUrl",
      "threadId",
      "metadata",
      "supersteps",
      "copyFrom",
      "ttl",
      "extra",
      "sensitive",
      "deleteForeignCrons",
    ],
    nestedInputs: ["ttl.strategy", "ttl.ttl"],
    outputs: ["url", "tenantId", "status", "createdAt", "updatedAt"],
    secrets: [],
    idProperty: "threadId",
    container: { id: "deploymentId", url: "deploymentUrl" },
  },
  Assistant: {
    inputs: [
      "deploymentId",
      "deploymentUrl",
      "graphId",
      "name",
      "description",
      "context",
      "config",
      "metadata",
      "assistantId",
      "extra",
      "sensitive",
      "deleteForeignCrons",
    ],
    nestedInputs: [],
    outputs: ["url", "tenantId", "version", "createdAt", "updatedAt"],
    secrets: [],
    nameFrom: "name",
    idProperty: "assistantId",
    container: { id: "deploymentId", url: "deploymentUrl" },
  },
  Cron: {
    inputs: [
      "deploymentId",
      "deploymentUrl",
      "assistantId",
      "threadId",
      "schedule",
      "timezone",
      "endTime",
      "enabled",
      "input",
      "context",
      "config",
      "metadata",
      "webhook",
      "multitaskStrategy",
      "onRunCompleted",
      "interruptBefore",
      "interruptAfter",
      "durability",
      "streamMode",
      "streamSubgraphs",
      "streamResumable",
      "extra",
      "sensitive",
    ],
    nestedInputs: [],
    outputs: ["url", "tenantId", "cronId", "resolvedAssistantId", "nextRunDate", "userId", "createdAt", "updatedAt"],
    secrets: [],
    idProperty: "cronId",
    container: { id: "deploymentId", url: "deploymentUrl" },
  },
} as const satisfies Record<string, ResourceMetadata>;

/** All settings, and whether their values are secret. */
export const settings = {
  apiKey: "secret",
  apiKeyEnv: "plain",
  bearerToken: "secret",
  tenantId: "plain",
  url: "plain",
  controlPlaneUrl: "plain",
  tracingApiUrl: "plain",
  platform: "plain",
  vocabulary: "plain",
  agentHeaders: "secret",
  agentOrigins: "plain",
  ownerId: "plain",
  ownerMarker: "plain",
  resumeWithin: "plain",
  requestsPerSecond: "plain",
  maxConcurrentRequests: "plain",
  requestTimeout: "plain",
  streamLogs: "plain",
  requestLog: "plain",
  requestLogBodies: "plain",
  allowServerChange: "plain",
  allowInsecureHttp: "plain",
} as const;
