// Generated from the definitions by `npm run kinds`. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

export interface ExternalDockerSourceConfigArgs {
  /** Listener that runs the deployment; the service chooses when absent. A change replaces the deployment. */
  listenerId?: pulumi.Input<string | undefined>;
  /** Settings for the listener; needs `listenerId`. */
  listenerConfig?: pulumi.Input<ListenerConfigArgs | undefined>;
  /** URL at which the agent server is reached; the service chooses when absent. Cannot be cleared once set. */
  customUrl?: pulumi.Input<string | undefined>;
  /** Replicas, CPU and memory; the service's defaults when absent. A change makes a revision. */
  resourceSpec?: pulumi.Input<ResourceSpecArgs | undefined>;
}

export interface ListenerConfigArgs {
  /** Namespace to deploy to; the listener's own when absent. A change replaces the deployment. */
  k8sNamespace?: pulumi.Input<string | undefined>;
}

export interface ResourceSpecArgs {
  /** Smallest number of replicas; the service decides when absent. */
  minScale?: pulumi.Input<number | undefined>;
  /** Largest number of replicas; the service decides when absent. */
  maxScale?: pulumi.Input<number | undefined>;
  /** CPU request of the agent server; the service decides when absent. Cores, at least 0.1, rounded to one decimal. */
  cpu?: pulumi.Input<number | undefined>;
  /** CPU limit; twice `cpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  cpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the agent server; the service decides when absent. MB, a multiple of 128. */
  memoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit; twice `memoryMb` when absent. MB, a multiple of 128. */
  memoryLimitMb?: pulumi.Input<number | undefined>;
  /** Smallest number of queue workers; `minScale` when absent. */
  queueMinScale?: pulumi.Input<number | undefined>;
  /** Largest number of queue workers; `maxScale` when absent. */
  queueMaxScale?: pulumi.Input<number | undefined>;
  /** CPU request of a queue worker; `cpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  queueCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of a queue worker; twice `queueCpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  queueCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of a queue worker; `memoryMb` when absent. MB, a multiple of 128. */
  queueMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of a queue worker; twice `queueMemoryMb` when absent. MB, a multiple of 128. */
  queueMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** CPU request of the cache; the service decides when absent. Cores, at least 0.1, rounded to one decimal. */
  redisCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of the cache; twice `redisCpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  redisCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the cache; the service decides when absent. MB, a multiple of 128. */
  redisMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of the cache; `redisMemoryMb` (not twice) when absent. MB, a multiple of 128. */
  redisMemoryLimitMb?: pulumi.Input<number | undefined>;
  /** CPU request of the core API sidecar; the service decides when absent. Cores, at least 0.1, rounded to one decimal. */
  coreCpu?: pulumi.Input<number | undefined>;
  /** CPU limit of the core API sidecar; twice `coreCpu` when absent. Cores, at least 0.1, rounded to one decimal. */
  coreCpuLimit?: pulumi.Input<number | undefined>;
  /** Memory request of the core API sidecar; the service decides when absent. MB, a multiple of 128. */
  coreMemoryMb?: pulumi.Input<number | undefined>;
  /** Memory limit of the core API sidecar; twice `coreMemoryMb` when absent. MB, a multiple of 128. */
  coreMemoryLimitMb?: pulumi.Input<number | undefined>;
}

export interface ExternalDockerSourceRevisionConfigArgs {
  /** Container image to run, best with a digest. A change makes a revision. */
  imageUri: pulumi.Input<string>;
}

export interface SecretReferenceArgs {
  /** Name of an existing orchestrator secret in the deployment's namespace. */
  secretName: pulumi.Input<string>;
  /** Key within that secret. */
  secretKey: pulumi.Input<string>;
}

export interface ExternalDockerDeploymentArgs {
  /** A container image from a registry, for self-hosted deployments. A change replaces the deployment. */
  source: "external_docker";
  /** Name of the deployment and of its tracing project, unique in the workspace; from the setting `nameTemplate` when absent. A change replaces the deployment. */
  name?: pulumi.Input<string | undefined>;
  /** Where and how it runs; the service's defaults when absent. */
  sourceConfig?: pulumi.Input<ExternalDockerSourceConfigArgs | undefined>;
  /** What runs. */
  sourceRevisionConfig: pulumi.Input<ExternalDockerSourceRevisionConfigArgs>;
  /** Environment variables of the container by name, kept secret; none when absent. A change makes a revision. */
  secrets?: pulumi.Input<Record<string, pulumi.Input<string>> | undefined>;
  /** Environment variables filled from orchestrator secrets, by variable name; none when absent. Takes effect with the next revision. */
  secretReferences?: pulumi.Input<Record<string, pulumi.Input<SecretReferenceArgs>> | undefined>;
}

export interface VocabularyArgs {
  /** The source value and path segment of hosted git repositories; `githost` when absent. */
  githost?: pulumi.Input<string | undefined>;
  /** The prefix of graph-framework fields; `agentgraph` when absent. */
  agentgraph?: pulumi.Input<string | undefined>;
}

export interface DeploymentArgsBySource {
  external_docker: ExternalDockerDeploymentArgs;
}

export type DeploymentArgs = DeploymentArgsBySource[keyof DeploymentArgsBySource];

export interface Deployment extends pulumi.CustomResource {
  /** A container image from a registry, for self-hosted deployments. A change replaces the deployment. */
  readonly source: pulumi.Output<pulumi.Unwrap<DeploymentArgs>["source"]>;
  /** Name of the deployment and of its tracing project, unique in the workspace; from the setting `nameTemplate` when absent. A change replaces the deployment. */
  readonly name: pulumi.Output<string>;
  /** Where and how it runs; the service's defaults when absent. */
  readonly sourceConfig: pulumi.Output<pulumi.Unwrap<DeploymentArgs>["sourceConfig"]>;
  /** What runs. */
  readonly sourceRevisionConfig: pulumi.Output<pulumi.Unwrap<DeploymentArgs>["sourceRevisionConfig"]>;
  /** Environment variables of the container by name, kept secret; none when absent. A change makes a revision. */
  readonly secrets: pulumi.Output<pulumi.Unwrap<DeploymentArgs>["secrets"]>;
  /** Environment variables filled from orchestrator secrets, by variable name; none when absent. Takes effect with the next revision. */
  readonly secretReferences: pulumi.Output<pulumi.Unwrap<DeploymentArgs>["secretReferences"]>;
  /** Workspace that owns the deployment. */
  readonly tenantId: pulumi.Output<string>;
  /** URL of the agent server; absent until the first revision serves. */
  readonly url: pulumi.Output<string | undefined>;
  /** The newest revision, whatever became of it. */
  readonly latestRevisionId: pulumi.Output<string | undefined>;
  /** The revision that serves now. */
  readonly activeRevisionId: pulumi.Output<string | undefined>;
  /** AWAITING_DATABASE, READY, UNUSED, AWAITING_DELETE or UNKNOWN (interface section 3). */
  readonly status: pulumi.Output<string>;
  /** When it was created, as the service says it. */
  readonly createdAt: pulumi.Output<string>;
  /** When it was last changed, as the service says it. */
  readonly updatedAt: pulumi.Output<string>;
  /** Version of the platform's base image, where the service tells it. */
  readonly imageVersion: pulumi.Output<string | undefined>;
  /** Whether the platform manages the agent itself; false where the service does not tell. */
  readonly isManagedDeepAgent: pulumi.Output<boolean>;
}

export interface DeploymentClass {
  new <S extends keyof DeploymentArgsBySource>(
    name: string,
    args: { source: S } & DeploymentArgsBySource[S],
    options?: pulumi.CustomResourceOptions,
  ): Deployment;
}

export interface ProviderArgs {
  /** API key, sent as `X-Api-Key` (interface section 5). Secret. This or `bearerToken` is needed. */
  apiKey?: pulumi.Input<string | undefined>;
  /** Name of the environment variable that holds the API key, instead of storing the key: a rotation then needs no state. */
  apiKeyEnv?: pulumi.Input<string | undefined>;
  /** Token sent as `Authorization: Bearer` instead of an API key. Secret. */
  bearerToken?: pulumi.Input<string | undefined>;
  /** Workspace id, sent as `X-Tenant-Id`. Needed with a key of a whole organization. */
  tenantId?: pulumi.Input<string | undefined>;
  /** Base URL of the control plane, `{base_url}` of the interface. Required; https unless it is this machine. */
  controlPlaneUrl?: pulumi.Input<string | undefined>;
  /** How the service spells the neutral words, for example `{"githost": "…", "agentgraph": "…"}`; the words themselves when absent. */
  vocabulary?: pulumi.Input<VocabularyArgs | undefined>;
  /** Name of a resource that declares none; knows `${name}`, `${stack}` and `${project}`. Default `${name}`. */
  nameTemplate?: pulumi.Input<string | undefined>;
  /** Who owns what these programs create, in the ownership marker. Default: the Pulumi organization. */
  ownerId?: pulumi.Input<string | undefined>;
  /** Whether a created deployment carries a marker that lets an interrupted run be resumed. Default true. */
  ownerMarker?: pulumi.Input<boolean | undefined>;
  /** How long after its creation a finished deployment with our marker still counts as made by an interrupted run. Default 1h. */
  resumeWithin?: pulumi.Input<string | undefined>;
  /** Requests a second to one server, on average. Default 20. */
  requestsPerSecond?: pulumi.Input<number | undefined>;
  /** Requests to one server at the same time. Default 16. */
  maxConcurrentRequests?: pulumi.Input<number | undefined>;
  /** How long one request may take. Default 30s. */
  requestTimeout?: pulumi.Input<string | undefined>;
  /** Lets resources be managed although the service's address or workspace is not the one that created them. Default false. */
  allowServerChange?: pulumi.Input<boolean | undefined>;
  /** Lets a base URL be plain http although it is not on this machine. Default false. */
  allowInsecureHttp?: pulumi.Input<boolean | undefined>;
}

/** What a resource class must know of its kind. */
export interface KindFacts {
  /** Names of what the server adds. */
  readonly outputs: readonly string[];
  /** Inputs that are secret, in state too. */
  readonly secrets: readonly string[];
  /** The input that defaults to the setting `nameTemplate`. */
  readonly named?: string;
}

export const kinds = {
  Deployment: {
    outputs: [
      "tenantId",
      "url",
      "latestRevisionId",
      "activeRevisionId",
      "status",
      "createdAt",
      "updatedAt",
      "imageVersion",
      "isManagedDeepAgent",
    ],
    secrets: ["secrets"],
    named: "name",
  },
} as const satisfies Record<string, KindFacts>;
