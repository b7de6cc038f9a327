/** Converts between the inputs and state of a Thread and the objects of the API. */
import type { Thread, ThreadBody } from "../../api/agent-server/client";
import { isEqual } from "../../schema/compare";
import { getOwn } from "../../schema/schema";
import type { AgentEndpoint } from "../shared/agent-server/endpoint";
import { type Inputs, isReserved, type State } from "./fields";

export function toState(thread: Thread, { server, tenantId }: AgentEndpoint, previous: Partial<State> = {}): State {
  return {
    url: server.url,
    tenantId,
    status: thread.status ?? previous.status ?? "idle",
    createdAt: thread.createdAt ?? previous.createdAt,
    updatedAt: thread.updatedAt ?? previous.updatedAt,
  };
}

/**
 * Returns the declared inputs with the server's values. Runs add metadata of their own, so only declared keys are
 * compared. The server never returns the initial state, so it stays as declared.
 */
export function toInputs({ metadata, ttl }: Pick<Thread, "metadata" | "ttl">, declared: Inputs): Inputs {
  const remoteEntries = Object.keys(declared.metadata ?? {})
    .map((key) => [key, getOwn(metadata ?? {}, key)] as const)
    .filter(([, value]) => value != null);
  return {
    ...declared,
    // A key that is declared as null is null on the server, so this is not a difference.
    ...(declared.metadata && { metadata: Object.fromEntries(remoteEntries) }),
    ...(declared.ttl && ttl !== undefined && !isSameTtl(ttl, declared.ttl) && { ttl: ttl ?? undefined }),
  };
}

/** Returns everything that the server returns of a thread except for the keys of the ownership marker. */
export function toAllInputs(id: string, { metadata, ttl }: Pick<Thread, "metadata" | "ttl">): Inputs {
  const others = Object.entries(metadata ?? {}).filter(([key]) => !isReserved(key));
  return { threadId: id, metadata: Object.fromEntries(others), ttl: ttl ?? undefined };
}

/** Returns the request that changes the previous inputs into the desired ones; undefined when nothing changed. */
export function toUpdateRequest(
  previous: Pick<Inputs, "metadata" | "ttl">,
  desired: Inputs,
): Pick<ThreadBody, "metadata" | "ttl"> | undefined {
  const [from, to] = [previous.metadata ?? {}, desired.metadata ?? {}];
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const changed = keys.filter((key) => !isEqual(undefined, getOwn(from, key), getOwn(to, key)));
  const ttlChanged = !isSameTtl(previous.ttl, desired.ttl);
  if (changed.length === 0 && !ttlChanged) return undefined;
  return {
    // A server cannot remove a key (API `4B.PATCH /threads/{thread_id}`), so a removed one becomes null.
    ...(changed.length > 0 && { metadata: Object.fromEntries(changed.map((key) => [key, getOwn(to, key) ?? null])) }),
    ...(ttlChanged && { ttl: withDefaultStrategy(desired.ttl) ?? null }),
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
  const entries = Object.entries(metadata ?? {}).filter(([, value]) => value != null);
  return {
    threadId: id,
    ifExists: "do_nothing",
    metadata: { ...Object.fromEntries(entries), ...tags },
    ...(supersteps && { supersteps }),
    ...(ttl && { ttl: withDefaultStrategy(ttl) }),
  };
}

type Ttl = Inputs["ttl"] | null;
/** Adds the strategy that an absent one means. */
const withDefaultStrategy = (ttl: Ttl) => ttl && { strategy: ttl.strategy ?? ("delete" as const), ttl: ttl.ttl };
const isSameTtl = (left: Ttl, right: Ttl) => isEqual(undefined, withDefaultStrategy(left), withDefaultStrategy(right));
