/** What the engine keeps between its commands. */
import type { ResourceState } from "../../../support/stack";
import type { Slot } from "../kinds";
import type { ProviderName } from "../program/schedule";

export interface Reference {
  /** Logical name. */
  name: string;
  /** `id`, or an output. */
  output: string;
}

export interface StateEntry {
  slot: Slot;
  kind: string;
  provider: ProviderName;
  references: Record<string, Reference>;
  /** The name of a resource whose deletion deletes it on the server. */
  deletedWith?: string;
  resource: ResourceState;
}

/** State: by logical name, in the order in which resources were created. */
export type State = Map<string, StateEntry>;

/** Follows the logical name of what an import has replaced, until it is deleted. */
export const REPLACED = " (replaced)";
