/** An `AgentService` as data, for the types of all languages. The SDK loads this file: no dependencies. */

export const AGENT_SERVICE = "AgentService";

export const AGENT_SERVICE_DESCRIPTION =
  "An agent with all that belongs to it: a deployment, its assistants, their crons, a thread, and a nightly export " +
  "of its traces. One component for all languages, whose resources are the same as if the program declared each.";

/** What becomes a resource. Its fields are the inputs of that kind, except as said here. */
export interface ServicePart {
  readonly kind: string;
  readonly description: string;
  /** Inputs that the service sets, and that the program cannot set. */
  readonly sets: readonly string[];
  /** Inputs that the kind requires and the service does not. */
  readonly optional?: readonly string[];
  /** Fields that the kind does not have. */
  readonly own?: Readonly<Record<string, OwnField>>;
}

/** A field of the service alone: a text, or another part. */
export interface OwnField {
  readonly description: string;
  readonly part?: ServicePart;
}

export interface ServiceArgument {
  readonly description: string;
  readonly part: ServicePart;
  /** Set if there are several, by key. */
  readonly isMap?: true;
  readonly isRequired?: true;
  /** Set if a program in TypeScript can name the type of the context of each. */
  readonly hasContexts?: true;
}

const AT_THE_DEPLOYMENT = ["deploymentId", "deploymentUrl"];

const DESTINATION: ServicePart = {
  kind: "BulkExportDestination",
  description: "A bucket to which the traces of an `AgentService` are exported.",
  sets: [],
};

export const SERVICE_ARGUMENTS = {
  deployment: {
    description:
      "The deployment, with all inputs of a `Deployment`, such as the checks of its rollouts in `verify`. Its " +
      "resource has the name of the service.",
    part: { kind: "Deployment", description: "The deployment of an `AgentService`.", sets: [] },
    isRequired: true,
  },
  assistants: {
    description:
      "Assistants by key, with the inputs of an `Assistant`. The resource of `concierge` is named " +
      "`<service>-concierge`. Defaults to none.",
    part: { kind: "Assistant", description: "An assistant of an `AgentService`.", sets: AT_THE_DEPLOYMENT },
    isMap: true,
    hasContexts: true,
  },
  crons: {
    description:
      "Crons by key, with the inputs of a `Cron`. The resource of `summary` is named " +
      "`<service>-summary-cron`. Defaults to none.",
    part: {
      kind: "Cron",
      description: "A cron of an `AgentService`.",
      sets: AT_THE_DEPLOYMENT,
      optional: ["assistantId"],
      own: {
        assistant: {
          description:
            "What runs: the key of one of the service's `assistants`. Specify this or `assistantId`. A change " +
            "replaces the cron.",
        },
      },
    },
    isMap: true,
  },
  thread: {
    description:
      "A conversation, with the inputs of a `Thread`. Its resource is named `<service>-thread`. Defaults to none.",
    part: { kind: "Thread", description: "The thread of an `AgentService`.", sets: AT_THE_DEPLOYMENT },
  },
  nightlyExport: {
    description:
      "An export of the deployment's traces that repeats every 24 hours, with the inputs of a " +
      "`ScheduledBulkExport`. Its resource is named `<service>-export`. Defaults to none.",
    part: {
      kind: "ScheduledBulkExport",
      description: "The nightly export of an `AgentService`.",
      sets: ["sessionId", "allExperiments", "intervalHours"],
      optional: ["bulkExportDestinationId"],
      own: {
        destination: {
          description:
            "The bucket, with the inputs of a `BulkExportDestination`. Its resource is named " +
            "`<service>-destination`. Specify this or `bulkExportDestinationId`.",
          part: DESTINATION,
        },
      },
    },
  },
} as const satisfies Record<string, ServiceArgument>;

export interface ServiceOutput {
  readonly description: string;
  /** Set for one text per key of an argument. */
  readonly isMap?: true;
  /** Set if it always exists. */
  readonly isRequired?: true;
}

export const SERVICE_OUTPUTS = {
  deploymentId: { description: "ID of the deployment.", isRequired: true },
  url: { description: "URL of the agent server; absent while the platform has none." },
  activeRevisionId: { description: "ID of the revision that is live; absent while none is." },
  tracingProjectId: {
    description: "ID of the tracing project of the deployment; absent if the server does not return it.",
  },
  assistantIds: { description: "IDs of the assistants, by their keys.", isMap: true, isRequired: true },
  cronIds: { description: "IDs of the crons, by their keys.", isMap: true, isRequired: true },
  threadId: { description: "ID of the thread; absent without one." },
  nightlyExportId: { description: "ID of the nightly export; absent without one." },
  destinationId: { description: "ID of the destination of the nightly export; absent if the service has none." },
} as const satisfies Record<string, ServiceOutput>;
