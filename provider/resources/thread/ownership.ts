/**
 * Finds the threads that this resource created. A copy inherits the metadata of its source, so the ownership marker
 * alone proves nothing: the thread must also have the requested ID, or its metadata must contain its own ID.
 */
import { randomUUID } from "node:crypto";
import type { Thread } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { describeSibling, OwnershipError } from "../../definition/ownership";
import { fieldsOf, pathsOf } from "../../schema/fields";
import { type AgentEndpoint, importIdOf } from "../shared/agent-server/endpoint";
import { idDerivation } from "../shared/agent-server/identity";
import { isOfSibling, markerFacts, markerMetadata, markerPlace } from "../shared/agent-server/metadata";
import { type Inputs, inputs, OWNERSHIP_KEY, REQUEST_KEY, THREAD, THREAD_ID_KEY, UPDATE_ROUTE } from "./fields";

/** Returns the ID that a thread is created with. */
export const deriveThreadId = idDerivation<Inputs>(inputs);
/** The inputs that servers may be unable to update. */
const UPDATABLE = pathsOf({ fields: fieldsOf(inputs) }, ({ updateRoute }) => updateRoute);

/** One attempt to create a thread. */
export interface Attempt extends AgentEndpoint {
  desired: Inputs;
  /** The requested ID. */
  id: string;
  /** The ownership marker for its metadata; undefined when the setting ownerMarker is false. */
  ownershipTag: string | undefined;
  /** Unique ID of this attempt. */
  requestId: string;
  ctx: Context;
}

export function createAttempt(desired: Inputs, endpoint: AgentEndpoint, ctx: Context): Attempt {
  // If metadata cannot be changed, other metadata need another thread, and the old one may still exist.
  const derivedId = deriveThreadId(desired, ctx, ctx.recorded.missingRoutes.includes(UPDATE_ROUTE) ? UPDATABLE : []);
  const ownershipTag = ctx.settings.ownerMarker ? derivedId : undefined;
  return {
    ...endpoint,
    desired,
    ctx,
    ownershipTag,
    id: desired.threadId?.toLowerCase() ?? derivedId,
    requestId: randomUUID(),
  };
}

/** Returns the metadata that prove that this resource created the thread with this ID. */
export function createTags(
  { ownershipTag, ctx }: Pick<Attempt, "ownershipTag" | "ctx">,
  id: string,
): Record<string, string> {
  if (ownershipTag === undefined) return {};
  return {
    ...markerMetadata(THREAD.keys, ownershipTag, ctx),
    ...(id !== ownershipTag && { [THREAD_ID_KEY]: id }),
  };
}

/** Whether a thread is not a copy: its metadata contain its own ID. */
export const isOriginal = ({ threadId, metadata }: Thread): boolean =>
  [metadata?.[OWNERSHIP_KEY], metadata?.[THREAD_ID_KEY]].includes(threadId.toLowerCase());

/** Whether the metadata show that another resource of this stack created the thread. */
export const isSiblingThread = (thread: Thread, ctx: Context): boolean =>
  isOriginal(thread) && isOfSibling(THREAD.keys, thread.metadata, ctx);

/** Returns what an import must know of the marker; a copy has that of its source. */
export const importFacts = (thread: Thread, ctx: Context) =>
  isOriginal(thread) ? markerFacts(THREAD.keys, thread.metadata, ctx) : {};

const hasOwnershipTag = ({ metadata }: Thread, { ownershipTag }: Pick<Attempt, "ownershipTag">): boolean =>
  ownershipTag !== undefined && metadata?.[OWNERSHIP_KEY] === ownershipTag;

/** Whether the metadata prove that this resource created the thread. */
export function isProven(thread: Thread, attempt: Pick<Attempt, "ownershipTag" | "id">): boolean {
  const threadId = thread.threadId.toLowerCase();
  return hasOwnershipTag(thread, attempt) && [attempt.id, thread.metadata?.[THREAD_ID_KEY]].includes(threadId);
}

/** Threads with the ownership marker. */
export interface TaggedThreads {
  /** The one that this resource demonstrably created. */
  provenThread: Thread | undefined;
  /** The others, oldest first: copies, or threads that an interrupted run left on a server that assigns IDs. */
  unprovenThreads: Thread[];
}

export async function findTagged(attempt: Attempt): Promise<TaggedThreads> {
  const { server, ownershipTag } = attempt;
  if (ownershipTag === undefined) return { provenThread: undefined, unprovenThreads: [] };
  // A server may ignore the filter.
  const threads = (await server.findThreads({ [OWNERSHIP_KEY]: ownershipTag })).filter((thread) =>
    hasOwnershipTag(thread, attempt),
  );
  return {
    provenThread: threads.find((thread) => isProven(thread, attempt)),
    unprovenThreads: threads.filter((thread) => !isProven(thread, attempt)),
  };
}

/** Returns the thread that this attempt or an earlier run created, as an array of one; empty when none exists. */
export async function findCreated(attempt: Attempt): Promise<Thread[]> {
  const withId = await attempt.server.peekThread(attempt.id);
  if (withId) return [withId];
  const { provenThread, unprovenThreads } = await findTagged(attempt);
  if (provenThread) return [provenThread];
  // The oldest one is the original, because a thread must exist before it can be copied.
  return unprovenThreads.filter(({ metadata }) => metadata?.[REQUEST_KEY] === attempt.requestId).slice(0, 1);
}

/** Returns the error about a thread with the declared threadId that this resource did not create. */
export function toConflictError(thread: Thread, attempt: Attempt): OwnershipError {
  const { server, desired, ctx } = attempt;
  if (isSiblingThread(thread, ctx))
    return new OwnershipError(
      `threadId: thread ${thread.threadId} at ${server.url} ${describeSibling(undefined, ctx.marker, markerPlace(THREAD.keys))}`,
    );
  return new OwnershipError(
    `threadId: thread ${thread.threadId} already exists at ${server.url}, and this resource did not create it with its current inputs. No changes were made.\n` +
      `To adopt it, add to the resource options:  import: "${importIdOf(THREAD.kind, thread.threadId, desired, ctx)}"\nTo create a new one, choose another threadId or omit it.`,
  );
}
