import fc from "fast-check";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { destination } from "../../../support/exports/destinations";
import { type ChaosKind, expectEqual, idsOf, type Observed, stateIn } from "./kind";
import { pick } from "./values";

export interface DestinationSpec {
  slot: "bucket" | "archive";
  prefix: "agents" | "backup";
}

const EXPORTS = "/api/v1/bulk-exports";
const DESTINATIONS = `${EXPORTS}/destinations`;

export const destinations: ChaosKind<DestinationSpec> = {
  slots: { bucket: "BulkExportDestination", archive: "BulkExportDestination" },
  weight: 2,
  specs: fc.record({ slot: pick("bucket", "archive"), prefix: pick("agents", "agents", "backup") }),

  declare: ({ slot, prefix }, { around }) => ({
    inputs: destination(around, { displayName: `chaos-${slot}`, config: { prefix } }),
  }),

  async verify(world, specs) {
    for (const { slot, prefix } of specs) {
      const path = `${DESTINATIONS}/${stateIn(world, slot).id}`;
      const { body } = await world.server.call<{ config: PropertyMap }>("GET", path);
      expectEqual(`the prefix of ${slot}`, body.config?.prefix, prefix);
    }
  },

  async findLeftovers(world) {
    const own = idsOf(world);
    const { body: all } = await world.server.call<(PropertyMap & { id: string })[]>("GET", DESTINATIONS);
    const isOwn = ({ id }: { id: string }) => own.has(id);
    const left = all.filter((one) => !isOwn(one) && !world.others.has(`${DESTINATIONS}/${one.id}`));
    const { body: exports } = await world.server.call<PropertyMap[]>("GET", EXPORTS);
    const used = new Set(exports.map((one) => one.bulk_export_destination_id));
    const findTwin = twinsIn(all.filter(isOwn), world);
    // One that exports use stays when it is replaced by an equal one.
    const twinOf = (one: (typeof left)[number]) => (used.has(one.id) ? undefined : findTwin(one));
    return left.map((one) => ({
      id: one.id,
      kind: "BulkExportDestination",
      // Nothing on it shows which of two runs made it.
      mustBeNamed: twinOf(one) !== undefined && !world.hadFailedLists && !world.hadTwoRuns,
      twin: twinOf(one),
      // Exports are never deleted, whichever run made them.
      isKept: used.has(one.id),
      remove: () => world.server.call("DELETE", `${DESTINATIONS}/${one.id}`),
    }));
  },

  remove: (server, id) => server.call("DELETE", `${DESTINATIONS}/${id}`),
};

/** What the program declares of an export or a destination. */
const CONTENT = [
  ...["display_name", "config", "bulk_export_destination_id", "session_id"],
  ...["start_time", "end_time", "interval_hours", "filter"],
];
const contentOf = (remote: PropertyMap): string => JSON.stringify(CONTENT.map((key) => remote[key] ?? null));

/**
 * Finds the object in state with the content of a left one, and returns its ID. Only two runs at once may create such
 * equal objects.
 * @throws Error that names it, if there were none.
 */
export function twinsIn(own: readonly PropertyMap[], { hadTwoRuns }: Observed) {
  return (left: PropertyMap): string | undefined => {
    const twin = own.find((one) => contentOf(one) === contentOf(left));
    if (twin && !hadTwoRuns) throw new Error(`${left.id} exists twice: ${contentOf(left)}`);
    return twin && String(twin.id);
  };
}
