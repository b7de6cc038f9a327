/** Converts between the inputs and state of a Thread and the objects of the API. */
import type { Thread, ThreadBody } from "../../api/agent-server/client";
import { stateOf } from "../../objects/fields";
import { buildMetadata, diffMetadata, mergeMetadata, omitMarker } from "../../objects/metadata/metadata";
import { isEqual } from "../../schema/compare";
import { type Inputs, outputs, type State, THREAD } from "./fields";

export const toState = stateOf<State>(outputs);

/** Returns the declared inputs with the server's values. The server never returns the initial state, so it stays as declared. */
export function toInputs({ metadata, ttl }: Pick<Thread, "metadata" | "ttl">, declared: Inputs): Inputs {
  return {
    ...declared,
    ...(declared.metadata && { metadata: mergeMetadata(declared.metadata, metadata) }),
    ...(declared.ttl && ttl !== undefined && !isSameTtl(ttl, declared.ttl) && { ttl: ttl ?? undefined }),
  };
}

/** Returns everything that the server returns of a thread except for the keys of the ownership marker. */
export const toAllInputs = (id: string, { metadata, ttl }: Pick<Thread, "metadata" | "ttl">): Inputs => ({
  threadId: id,
  metadata: omitMarker(THREAD.keys, metadata),
  ttl: ttl ?? undefined,
});

/** Returns the request that changes the previous inputs into the desired ones; undefined when nothing changed. */
export function toUpdateRequest(
  previous: Pick<Inputs, "metadata" | "ttl">,
  desired: Inputs,
): Pick<ThreadBody, "metadata" | "ttl"> | undefined {
  const metadata = diffMetadata(previous.metadata, desired.metadata);
  const isMetadataChanged = Object.keys(metadata).length > 0;
  const isTtlChanged = !isSameTtl(previous.ttl, desired.ttl);
  if (!isMetadataChanged && !isTtlChanged) return undefined;
  return {
    ...(isMetadataChanged && { metadata }),
    ...(isTtlChanged && { ttl: withDefaultStrategy(desired.ttl) ?? null }),
  };
}

/**
 * Returns the body of a create.
 * @param tags The metadata of the ownership marker.
 */
export function toCreateRequest(
  { metadata, supersteps, ttl }: Inputs,
  id: string,
  tags: Record<string, string>,
): ThreadBody {
  return {
    threadId: id,
    // With `do_nothing`, the supersteps would be applied to an existing thread (API `4B.POST /threads:existing`).
    ifExists: "raise",
    metadata: buildMetadata(metadata, tags),
    ...(supersteps && { supersteps }),
    ...(ttl && { ttl: withDefaultStrategy(ttl) }),
  };
}

type Ttl = Inputs["ttl"] | null;
/** Adds the strategy that an absent one means. */
const withDefaultStrategy = (ttl: Ttl) => ttl && { strategy: ttl.strategy ?? ("delete" as const), ttl: ttl.ttl };
export const isSameTtl = (left: Ttl, right: Ttl) =>
  isEqual(undefined, withDefaultStrategy(left), withDefaultStrategy(right));
