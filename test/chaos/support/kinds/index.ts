/** All kinds, in an order in which each comes after those that it may refer to. */
import { type AssistantSpec, assistants } from "./assistant";
import { type CronSpec, crons } from "./cron";
import { type DeploymentSpec, deployments } from "./deployment";
import { type DestinationSpec, destinations } from "./destination";
import { bulkExports, type ExportSpec } from "./export";
import type { ChaosKind } from "./kind";
import { type ThreadSpec, threads } from "./thread";

export type ResourceSpec = DeploymentSpec | ThreadSpec | DestinationSpec | ExportSpec | AssistantSpec | CronSpec;
/** A place in the program. Its kind is fixed, and it comes after what it may refer to. */
export type Slot = ResourceSpec["slot"];

export const KINDS: readonly ChaosKind<ResourceSpec>[] = [
  deployments,
  threads,
  destinations,
  bulkExports,
  assistants,
  crons,
];

const kinds = new Map(KINDS.flatMap((kind) => Object.keys(kind.slots).map((slot) => [slot as Slot, kind])));
export const SLOTS: readonly Slot[] = [...kinds.keys()];

export function kindOf(slot: Slot): ChaosKind<ResourceSpec> {
  const kind = kinds.get(slot);
  if (!kind) throw new Error(`No kind of test/chaos/support/kinds/ has the slot ${slot}.`);
  return kind;
}
