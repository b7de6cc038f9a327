import type { Revision } from "../../data/types";

/** Revisions have only IDs; a number is easier to talk about. The first one is 1. */
export function numberOf({ id }: Pick<Revision, "id">, newestFirst: readonly Revision[]): number {
  return newestFirst.length - newestFirst.findIndex((revision) => revision.id === id);
}
