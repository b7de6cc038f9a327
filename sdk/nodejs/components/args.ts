// Generated from provider/components/agent-service.ts by `npm run generate`. Do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../resources";

/** An assistant of an `AgentService`. */
export interface ServiceAssistantArgs<Context extends object = Record<string, unknown>>
  extends Omit<types.AssistantArgs<Context>, "deploymentId" | "deploymentUrl"> {}

/** A cron of an `AgentService`. */
export interface ServiceCronArgs
  extends Omit<types.CronArgs, "deploymentId" | "deploymentUrl" | "assistantId">,
    Partial<Pick<types.CronArgs, "assistantId">> {
  /** What runs: the key of one of the service's `assistants`. Specify this or `assistantId`. A change replaces the cron. */
  assistant?: string | undefined;
}

/** The thread of an `AgentService`. */
export interface ServiceThreadArgs extends Omit<types.ThreadArgs, "deploymentId" | "deploymentUrl"> {}

/** The nightly export of an `AgentService`. */
export interface ServiceScheduledBulkExportArgs
  extends Omit<
      types.ScheduledBulkExportArgs,
      "sessionId" | "allExperiments" | "intervalHours" | "bulkExportDestinationId"
    >,
    Partial<Pick<types.ScheduledBulkExportArgs, "bulkExportDestinationId">> {
  /** The bucket, with the inputs of a `BulkExportDestination`. Its resource is named `<service>-destination`. Specify this or `bulkExportDestinationId`. */
  destination?: types.BulkExportDestinationArgs | undefined;
}

/** The types of the contexts of assistants, by their keys. */
export type ServiceContexts = Record<string, object>;
/** The default: any assistants, with any contexts. */
export type AnyContexts = Record<string, Record<string, unknown>>;

/** The arguments of an AgentService. Their keys must be known; their values may be Outputs. */
export interface AgentServiceArgs<Contexts extends ServiceContexts = AnyContexts> {
  /** The deployment, with all inputs of a `Deployment`, such as the checks of its rollouts in `verify`. Its resource has the name of the service. */
  deployment: types.DeploymentArgs;
  /** Assistants by key, with the inputs of an `Assistant`. The resource of `concierge` is named `<service>-concierge`. Defaults to none. */
  assistants?: { readonly [Key in keyof Contexts]: ServiceAssistantArgs<Contexts[Key]> } | undefined;
  /** Crons by key, with the inputs of a `Cron`. The resource of `summary` is named `<service>-summary-cron`. Defaults to none. */
  crons?: Readonly<Record<string, ServiceCronArgs>> | undefined;
  /** A conversation, with the inputs of a `Thread`. Its resource is named `<service>-thread`. Defaults to none. */
  thread?: ServiceThreadArgs | undefined;
  /** An export of the deployment's traces that repeats every 24 hours, with the inputs of a `ScheduledBulkExport`. Its resource is named `<service>-export`. Defaults to none. */
  nightlyExport?: ServiceScheduledBulkExportArgs | undefined;
}

/** The outputs of an AgentService. */
export interface AgentServiceOutputs {
  /** ID of the deployment. */
  readonly deploymentId: pulumi.Output<string>;
  /** URL of the agent server; absent while the platform has none. */
  readonly url: pulumi.Output<string | undefined>;
  /** ID of the revision that is live; absent while none is. */
  readonly activeRevisionId: pulumi.Output<string | undefined>;
  /** ID of the tracing project of the deployment; absent if the server does not return it. */
  readonly tracingProjectId: pulumi.Output<string | undefined>;
  /** IDs of the assistants, by their keys. */
  readonly assistantIds: pulumi.Output<Record<string, string>>;
  /** IDs of the crons, by their keys. */
  readonly cronIds: pulumi.Output<Record<string, string>>;
  /** ID of the thread; absent without one. */
  readonly threadId: pulumi.Output<string | undefined>;
  /** ID of the nightly export; absent without one. */
  readonly nightlyExportId: pulumi.Output<string | undefined>;
  /** ID of the destination of the nightly export; absent if the service has none. */
  readonly destinationId: pulumi.Output<string | undefined>;
}
