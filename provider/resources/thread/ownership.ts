/**
 * Finds the threads on the server that this resource created. A copy inherits the metadata of its source, so the ownership marker
 * alone proves nothing: a thread is ours when it has the ID that we asked for, or when its metadata name its own ID.
 */
import { randomUUID } from "node:crypto";
import type { AgentServerClient, Thread } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { parseServerTimestamp } from "../../schema/timestamp";
import type { AgentEndpoint } from "./endpoint";
import { type Inputs, OWNERSHIP_KEY, REQUEST_KEY, RESOURCE_KEY, THREAD_ID_KEY } from "./fields";
import { deriveResourceId, deriveThreadId, UPDATABLE, UPDATE_ROUTE } from "./identity";

/** One thread that must exist, once. */
export interface Attempt extends AgentEndpoint {
  desired: Inputs;
  /** The ID that is asked for. */
  id: string;
  /** The ownership marker in its metadata; absent when the setting ownerMarker is false. */
  ownershipTag: string | undefined;
  /** Names this attempt. */
  requestId: string;
  ctx: Context;
}

export function createAttempt(desired: Inputs, endpoint: AgentEndpoint, ctx: Context): Attempt {
  // Where metadata cannot be changed, other metadata are another thread: the old one may still exist.
  const derivedId = deriveThreadId(desired, ctx, ctx.missingRoutes.includes(UPDATE_ROUTE) ? UPDATABLE : []);
  const ownershipTag = ctx.settings.ownerMarker ? derivedId : undefined;
  return {
    ...endpoint,
    desired: desired,
    ctx,
    ownershipTag: ownershipTag,
    id: desired.threadId?.toLowerCase() ?? derivedId,
    requestId: randomUUID(),
  };
}

/** The metadata by which a thread of this ID proves that this resource made it. */
export function createTags(
  { ownershipTag, ctx }: Pick<Attempt, "ownershipTag" | "ctx">,
  id: string,
): Record<string, string> {
  if (ownershipTag === undefined) return {};
  return {
    [OWNERSHIP_KEY]: ownershipTag,
    [RESOURCE_KEY]: deriveResourceId(ctx),
    ...(id !== ownershipTag && { [THREAD_ID_KEY]: id }),
  };
}

/** Whether a thread is no copy: its metadata name its own ID. */
export const isOriginal = ({ threadId, metadata }: Thread): boolean =>
  [metadata?.[OWNERSHIP_KEY], metadata?.[THREAD_ID_KEY]].includes(threadId.toLowerCase());

const hasOwnershipTag = ({ metadata }: Thread, { ownershipTag }: Pick<Attempt, "ownershipTag">): boolean =>
  ownershipTag !== undefined && metadata?.[OWNERSHIP_KEY] === ownershipTag;

/** Whether a thread proves that this resource made it. */
export function isProven(thread: Thread, attempt: Pick<Attempt, "ownershipTag" | "id">): boolean {
  const threadId = thread.threadId.toLowerCase();
  return hasOwnershipTag(thread, attempt) && [attempt.id, thread.metadata?.[THREAD_ID_KEY]].includes(threadId);
}

/** Threads that carry the marker. */
export interface TaggedThreads {
  /** The one that proves to be ours. */
  proven: Thread | undefined;
  /** Those that prove nothing, oldest first: copies of ours, or what an interrupted run left on a server that chooses IDs. */
  unproven: Thread[];
}

export async function findTagged(attempt: Attempt): Promise<TaggedThreads> {
  const { server, ownershipTag } = attempt;
  if (ownershipTag === undefined) return { proven: undefined, unproven: [] };
  // A server may ignore the filter.
  const threads = (await server.findThreads({ [OWNERSHIP_KEY]: ownershipTag })).filter((thread) =>
    hasOwnershipTag(thread, attempt),
  );
  return {
    proven: threads.find((thread) => isProven(thread, attempt)),
    unproven: threads.filter((thread) => !isProven(thread, attempt)),
  };
}

/** Returns what this attempt, or an earlier run, created on the server, whatever the response was. */
export async function findCreated(attempt: Attempt): Promise<Thread[]> {
  const withId = await attempt.server.findThread(attempt.id);
  if (withId) return [withId];
  const { proven: threadId, unproven } = await findTagged(attempt);
  if (threadId) return [threadId];
  // The oldest: nobody can copy a thread before it exists.
  return unproven.filter(({ metadata }) => metadata?.[REQUEST_KEY] === attempt.requestId).slice(0, 1);
}

/** The time of the server when something began, once it has answered since. Milliseconds. */
export function serverTimeOfStart(server: AgentServerClient, { clock }: Context): () => number {
  const startedAt = clock.monotonic();
  return () => server.now() - (clock.monotonic() - startedAt);
}

/** Whether a thread was there before that time. The Date header counts whole seconds, hence the margin. */
export function existedBefore({ createdAt }: Thread, milliseconds: number): boolean {
  const created = parseServerTimestamp(createdAt);
  return created !== undefined && Number(created) / 1000 < milliseconds - 2000;
}

/** @throws OwnershipError when somebody else made the thread of an ID that the user chose. */
export function assertCreatedByResource(thread: Thread, attempt: Attempt): void {
  const { desired, server } = attempt;
  if (desired.threadId === undefined || isProven(thread, attempt)) return;
  throw new OwnershipError(
    `threadId: thread ${thread.threadId} is at ${server.url} already, and this resource did not make it as it is declared now. Nothing was changed.\n` +
      `To take it over, add to the resource's options:  import: "${thread.threadId}"\nTo have a new one, choose another threadId, or leave it out.`,
  );
}
