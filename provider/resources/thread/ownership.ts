/**
 * Finds the threads that this resource created. A copy inherits the metadata of its source, so the ownership marker
 * alone proves nothing: the thread must also have the requested ID, or its metadata must contain its own ID.
 */
import { randomUUID } from "node:crypto";
import type { Thread } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import type { AgentEndpoint } from "../../objects/endpoint";
import { idDerivation } from "../../objects/identity";
import { isOfSibling, markerFacts, markerMetadata, markerPlace } from "../../objects/metadata";
import { fieldsOf, pathsOf } from "../../schema/fields";
import { parseServerTimestamp } from "../../schema/timestamp";
import {
  type Inputs,
  inputs,
  OWNERSHIP_KEY,
  REQUEST_KEY,
  type State,
  THREAD,
  THREAD_ID_KEY,
  UPDATE_ROUTE,
} from "./fields";

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

export const createAttempt = (desired: Inputs, endpoint: AgentEndpoint, ctx: Context): Attempt => ({
  ...endpoint,
  ...tagOf(desired, ctx),
  desired,
  ctx,
  requestId: randomUUID(),
});

/** Returns the requested ID and the ownership marker. */
function tagOf(desired: Inputs, ctx: Context): Pick<Attempt, "id" | "ownershipTag"> {
  // If metadata cannot be changed, other metadata need another thread, and the old one may still exist.
  const derivedId = deriveThreadId(desired, ctx, ctx.recorded.missingRoutes.includes(UPDATE_ROUTE) ? UPDATABLE : []);
  const ownershipTag = ctx.settings.ownerMarker ? derivedId : undefined;
  return { id: desired.threadId?.toLowerCase() ?? derivedId, ownershipTag };
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

/** Whether an existing thread is that of this resource: its metadata prove it, or its ID, which is derived from the resource. */
export const isOwn = (thread: Thread, attempt: Pick<Attempt, "desired" | "id" | "ownershipTag">): boolean =>
  isProven(thread, attempt) || hasDerivedId(thread, attempt);

const hasDerivedId = (thread: Thread, { desired, id }: Pick<Attempt, "desired" | "id">): boolean =>
  desired.threadId === undefined && thread.threadId.toLowerCase() === id;

/** Whether a thread is the one in state: a new one of the same ID belongs to its creator. Times may be rounded. */
function isInState(remote: Thread, previous: Partial<State>): boolean {
  const [now, before] = [parseServerTimestamp(remote.createdAt), parseServerTimestamp(previous.createdAt)];
  if (now === undefined || before === undefined) return true;
  const difference = now - before;
  return difference > -MICROSECONDS && difference < MICROSECONDS;
}

const MICROSECONDS = 1_000_000n;

/** Returns why a thread is not the one that state names; undefined when it is, or when nothing shows another. */
export function otherThread(remote: Thread, previous: Inputs & Partial<State>, ctx: Context): string | undefined {
  const attempt = { ...tagOf(previous, ctx), desired: previous };
  if (isInState(remote, previous) || isOwn(remote, attempt)) return undefined;
  return `it is another one than this resource had: it was created at ${remote.createdAt}, and the one in state at ${previous.createdAt}`;
}

/** Returns why a thread belongs to someone else; undefined when nothing shows that. */
export function foreignOwner(remote: Thread, previous: Inputs & Partial<State>, ctx: Context): string | undefined {
  const other = otherThread(remote, previous, ctx);
  if (other !== undefined) return other;
  const { marker } = importFacts(remote, ctx);
  return marker === undefined || marker === ctx.recorded.marker
    ? undefined
    : `another stack manages it, as ${markerPlace(THREAD.keys)} shows`;
}

/**
 * Whether the request of this attempt created the thread, which was absent before.
 * @param hasResponse Whether the thread is the response to the request.
 */
export const isOfRequest = (thread: Thread, attempt: Attempt, hasResponse: boolean): boolean =>
  attempt.ownershipTag === undefined
    ? hasResponse || hasDerivedId(thread, attempt)
    : thread.metadata?.[REQUEST_KEY] === attempt.requestId;

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
