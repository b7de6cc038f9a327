/** Services: components that contain a deployment with what belongs to it, and that name their resources. */
import type { ResourceSpec, Slot } from "../kinds";
import type { DeploymentSpec } from "../kinds/deployment";
import { insideName } from "./names";

/** A service has a deployment, and is told apart by it. */
export type ServiceSlot = DeploymentSpec["slot"];

type Specs = ReadonlyMap<string, ResourceSpec>;

/** Returns the deployment whose service can declare a resource; undefined where none can. */
export function serviceSlotOf(spec: ResourceSpec | undefined, specs: Specs): ServiceSlot | undefined {
  const declared = (slot: string) => (specs.has(slot) ? (slot as ServiceSlot) : undefined);
  switch (spec?.slot) {
    case "api":
    case "worker":
      return declared(spec.slot);
    case "support":
    case "sales":
    case "session":
      return spec.by === "deploymentId" ? declared(spec.on) : undefined;
    case "nightly":
    case "hourly":
      // A service has no output before it is declared, so a cron of it cannot refer to its thread.
      return spec.thread ? undefined : serviceSlotOf(specs.get(spec.runs), specs);
    case "daily":
      return spec.variant === 0 ? declared(spec.of) : undefined;
    case "bucket": {
      const daily = specs.get("daily");
      return daily?.slot === "daily" && daily.to === "bucket" ? serviceSlotOf(daily, specs) : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns the name of a resource in a service. @param key What the program calls it. */
export function nameInside(service: string, slot: Slot, key: string): string {
  const suffixes: Partial<Record<Slot, string>> = {
    ...{ api: "", worker: "", session: "-thread", daily: "-export", bucket: "-destination" },
    ...{ nightly: `-${key}-cron`, hourly: `-${key}-cron` },
  };
  return insideName(`${service}${suffixes[slot] ?? `-${key}`}`);
}

/** What the server deletes with the deployment, which a service says of them. */
const DELETED_WITH: readonly Slot[] = ["support", "sales", "session", "nightly", "hourly"];
export const isDeletedWithDeployment = (slot: Slot): boolean => DELETED_WITH.includes(slot);
