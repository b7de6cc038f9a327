/** A Thread as its server holds it: what it says in our terms, and what is sent to it. */
import type { Thread, ThreadBody } from "../../api/agent-server/client";
import { isEqual } from "../../schema/compare";
import { getOwn } from "../../schema/schema";
import type { AgentEndpoint } from "./endpoint";
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
 * What the server holds, in the terms of what is declared. Runs add metadata of their own, so only declared keys are
 * looked at; what began the thread is never shown again, and stays as declared.
 */
export function toInputs({ metadata, ttl }: Pick<Thread, "metadata" | "ttl">, declared: Inputs): Inputs {
  const remoteEntries = Object.keys(declared.metadata ?? {})
    .map((key) => [key, getOwn(metadata ?? {}, key)] as const)
    .filter(([, value]) => value != null);
  return {
    ...declared,
    // Null is what a declared null becomes, and no difference.
    ...(declared.metadata && { metadata: Object.fromEntries(remoteEntries) }),
    ...(declared.ttl && ttl !== undefined && !isSameTtl(ttl, declared.ttl) && { ttl: ttl ?? undefined }),
  };
}

/** All that the server shows of a thread, but for the keys of our marker. */
export function toAllInputs(id: string, { metadata, ttl }: Pick<Thread, "metadata" | "ttl">): Inputs {
  const others = Object.entries(metadata ?? {}).filter(([key]) => !isReserved(key));
  return { threadId: id, metadata: Object.fromEntries(others), ttl: ttl ?? undefined };
}

/** What is sent so that the server holds what is wanted and not what was; undefined when nothing is. */
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
    // A server cannot remove a key (interface-notes section 4): null stands for none.
    ...(changed.length > 0 && { metadata: Object.fromEntries(changed.map((key) => [key, getOwn(to, key) ?? null])) }),
    ...(ttlChanged && { ttl: withDefaultStrategy(desired.ttl) ?? null }),
  };
}

/**
 * What a create sends.
 * @param tags The metadata that say whose the thread is.
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
/** With the strategy that absence stands for. */
const withDefaultStrategy = (ttl: Ttl) => ttl && { strategy: ttl.strategy ?? ("delete" as const), ttl: ttl.ttl };
const isSameTtl = (left: Ttl, right: Ttl) => isEqual(undefined, withDefaultStrategy(left), withDefaultStrategy(right));
