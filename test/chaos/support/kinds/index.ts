/** All kinds, in an order in which each comes after those that it may refer to. */
import { agentKinds } from "../../../support/agents/kinds";
import type { AgentKind } from "../../../support/agents/kinds/kind";
import { chaosKindOf } from "./agent-server";
import { type CronSpec, crons } from "./cron";
import { type DeploymentSpec, deployments } from "./deployment";
import { type DestinationSpec, destinations } from "./destination";
import { bulkExports, type ExportSpec } from "./export";
import type { ChaosKind } from "./kind";
import { type ThreadSpec, threads } from "./thread";

type SpecOf<K> = K extends AgentKind<infer S> ? S : never;
export type ResourceSpec =
  | DeploymentSpec
  | ThreadSpec
  | DestinationSpec
  | ExportSpec
  | SpecOf<(typeof agentKinds)[number]>
  | CronSpec;
/** A place in the program. Its kind is fixed, and it comes after what it may refer to. */
export type Slot = ResourceSpec["slot"];

export const KINDS: readonly ChaosKind<ResourceSpec>[] = [
  deployments,
  threads,
  destinations,
  bulkExports,
  ...agentKinds.map((kind) => chaosKindOf(kind as AgentKind<never>)),
  crons,
];

const kinds = new Map(KINDS.flatMap((kind) => Object.keys(kind.slots).map((slot) => [slot as Slot, kind])));
export const SLOTS: readonly Slot[] = [...kinds.keys()];

export function kindOf(slot: Slot): ChaosKind<ResourceSpec> {
  const kind = kinds.get(slot);
  if (!kind) throw new Error(`No kind of test/chaos/support/kinds/ has the slot ${slot}.`);
  return kind;
}
