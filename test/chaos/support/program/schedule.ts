/** A schedule as plain data, so that fast-check can shrink it and a failure can be pasted as a test. */
import type { ResourceSpec, Slot } from "../kinds";
import type { ServiceSlot } from "./services";

/**
 * The provider of a resource: that of dynamic resources, another instance of it, or the native one. Each is a process.
 */
export const PROVIDERS = ["default", "explicit", "native"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

export type FaultName = string;

/**
 * What others do. `takes`: they create an object with the name or ID that the program declares, or with the metadata of
 * a cron.
 */
export const OUTSIDE_ACTS = ["copies", "deletes", "changes", "adds", "takes"] as const;
export type OutsideAct = (typeof OUTSIDE_ACTS)[number];

/** A fault of the requests of one Pulumi command. */
export interface FaultSpec {
  what: FaultName;
  /** Only requests of this resource. */
  of?: Slot | undefined;
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE" | undefined;
  /** Only requests of checks. */
  ofCheck?: true | undefined;
  /** How many matching requests pass first. */
  skip: number;
  times: number;
}

export const COMMANDS = ["up", "up --refresh", "refresh", "destroy"] as const;

export interface PulumiStep {
  do: (typeof COMMANDS)[number];
  /** What the program changes or adds before. */
  changes?: ResourceSpec[];
  target?: Slot | undefined;
  replace?: Slot | undefined;
  continueOnError?: true | undefined;
  faults: FaultSpec[];
}

export type Step =
  | PulumiStep
  /** Changes a resource of the program, or adds it. */
  | { do: "change"; to: ResourceSpec }
  | { do: "remove"; slot: Slot }
  | { do: "rename"; slot: Slot; alias: boolean }
  /** Declares a deployment, and what can be with it, as one service, or one by one again. */
  | { do: "move into service" | "move out of service"; slot: ServiceSlot; alias: boolean }
  /** Runs `pulumi state delete`. With `import`, the program then imports the object. */
  | { do: "forget"; slot: Slot; import: boolean }
  /** Declares the resource with another provider. */
  | { do: "move"; slot: Slot; to: ProviderName }
  /** Renames the resource without an alias, and imports the object that the stack has under the old name. */
  | { do: "import again"; slot: Slot; with: ProviderName }
  | { do: "outside"; slot: Slot; act: OutsideAct }
  /** Two runs of the program at once, each with a separate state. The second state is lost. */
  | { do: "two ups"; faults: FaultSpec[] }
  | { do: "revision fails"; ends: "BUILD_FAILED" | "DEPLOY_FAILED" }
  /** Every revision stays in this status. */
  | { do: "revisions hang"; status: "AWAITING_BUILD" | "DEPLOYING" }
  | { do: "export run fails" }
  | { do: "time passes"; minutes: number }
  /** Moves the clock of the machine that runs Pulumi. */
  | { do: "clock jumps"; minutes: number }
  | { do: "emulator restarts" };

export interface Schedule {
  /** The provider of resources that no step moves. Default: that of dynamic resources. */
  provider?: ProviderName | undefined;
  /** The server masks the values of secrets, so that no marker of a deployment can be read. */
  masksSecrets?: true | undefined;
  /** The deployments that are declared in a service from the beginning. */
  services?: ServiceSlot[] | undefined;
  program: ResourceSpec[];
  steps: Step[];
}

/** Returns the source of a test that runs the schedule: one line per resource and step. */
export function toTest({ provider, masksSecrets, services, program, steps }: Schedule): string {
  const lines = (items: readonly object[]) => items.map((item) => `    ${JSON.stringify(item)},`);
  return [
    'test("a program recovers from this schedule", () =>',
    "  runSchedule({",
    ...(provider ? [`    provider: "${provider}",`] : []),
    ...(masksSecrets ? ["    masksSecrets: true,"] : []),
    ...(services ? [`    services: ${JSON.stringify(services)},`] : []),
    "    program: [",
    ...lines(program),
    "    ],",
    "    steps: [",
    ...lines(steps),
    "    ],",
    "  }), 60_000);",
  ].join("\n");
}
