/** Converts between the inputs and state of a Thread and the objects of the API. */
import type { Thread, ThreadBody } from "../../api/agent-server/threads";
import { stateOf } from "../../objects/fields";
import { buildMetadata, omitMarker } from "../../objects/metadata/metadata";
import { changesBetween, isEmpty, mergeRemote } from "../../schema/mapping";
import { type Inputs, inputs, outputs, type State, THREAD } from "./fields";

export const toState = stateOf<State>(outputs);

/** Returns the declared inputs with the server's values. The server never returns the initial state, so it stays as declared. */
export const toInputs = ({ metadata, ttl }: Pick<Thread, "metadata" | "ttl">, declared: Inputs): Inputs =>
  mergeRemote(inputs, declared, { metadata: metadata ?? {}, ttl });

/** Returns everything that the server returns of a thread except for the keys of the ownership marker. */
export const toAllInputs = ({ threadId, metadata, ttl }: Thread): Inputs => ({
  threadId,
  metadata: omitMarker(THREAD.keys, metadata),
  ttl: ttl ?? undefined,
});

/** Returns the request that changes the previous inputs into the desired ones; undefined when nothing changed. */
export function toUpdateRequest(
  previous: Pick<Inputs, "metadata" | "ttl">,
  desired: Inputs,
): Pick<ThreadBody, "metadata" | "ttl"> | undefined {
  const changes: Pick<ThreadBody, "metadata" | "ttl"> = changesBetween(inputs, previous, desired);
  if (isEmpty(changes)) return undefined;
  return { ...changes, ...(changes.ttl && { ttl: withDefaultStrategy(changes.ttl) }) };
}

/**
 * Returns the body of a create.
 * @param tags The metadata of the ownership marker.
 */
export const toCreateRequest = (desired: Inputs, id: string, tags: Record<string, string>): ThreadBody => ({
  ...desired,
  threadId: id,
  // With `do_nothing`, the supersteps would be applied to an existing thread (API `4B.POST /threads:existing`).
  ifExists: "raise",
  metadata: buildMetadata(desired.metadata, tags),
  ttl: desired.ttl && withDefaultStrategy(desired.ttl),
});

/** Adds the strategy that an absent one means. */
const withDefaultStrategy = ({ strategy = "delete", ttl }: NonNullable<Inputs["ttl"]>) => ({ strategy, ttl });
