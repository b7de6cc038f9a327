/**
 * Finds the threads that this resource created. A copy inherits the metadata of its source, so the ownership marker
 * alone proves nothing: the thread must also have the requested ID, or its metadata must contain its own ID.
 */
import { randomUUID } from "node:crypto";
import type { AgentServerClient, Thread } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { describeSibling, OwnershipError } from "../../definition/ownership";
import { nativeToken } from "../../definition/type-token";
import { parseUrn } from "../../definition/urn";
import { parseServerTimestamp } from "../../schema/timestamp";
import type { AgentEndpoint } from "./endpoint";
import {
  type Inputs,
  OWNERSHIP_KEY,
  REQUEST_KEY,
  RESOURCE_KEY,
  STACK_KEY,
  THREAD_ID_KEY,
  UPDATE_ROUTE,
} from "./fields";
import { deriveResourceId, deriveStackId, deriveThreadId, UPDATABLE } from "./identity";

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
    [OWNERSHIP_KEY]: ownershipTag,
    [RESOURCE_KEY]: deriveResourceId(ctx),
    [STACK_KEY]: deriveStackId(ctx),
    ...(id !== ownershipTag && { [THREAD_ID_KEY]: id }),
  };
}

/** Whether a thread is not a copy: its metadata contain its own ID. */
export const isOriginal = ({ threadId, metadata }: Thread): boolean =>
  [metadata?.[OWNERSHIP_KEY], metadata?.[THREAD_ID_KEY]].includes(threadId.toLowerCase());

/** Where the part of the marker is that names the stack. */
export const MARKER_PLACE = `its metadata key ${STACK_KEY}`;

/** Whether the metadata show that another resource of this stack created the thread. */
export const isOfSibling = (thread: Thread, ctx: Context): boolean =>
  isOriginal(thread) &&
  thread.metadata?.[STACK_KEY] === deriveStackId(ctx) &&
  thread.metadata[RESOURCE_KEY] !== deriveResourceId(ctx);

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
  proven: Thread | undefined;
  /** The others, oldest first: copies, or threads that an interrupted run left on a server that assigns IDs. */
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

/** Returns the thread that this attempt or an earlier run created, as an array of one; empty when none exists. */
export async function findCreated(attempt: Attempt): Promise<Thread[]> {
  const withId = await attempt.server.peekThread(attempt.id);
  if (withId) return [withId];
  const { proven, unproven } = await findTagged(attempt);
  if (proven) return [proven];
  // The oldest one is the original, because a thread must exist before it can be copied.
  return unproven.filter(({ metadata }) => metadata?.[REQUEST_KEY] === attempt.requestId).slice(0, 1);
}

/** Returns a function for the server's time at this moment, valid after its next response. Milliseconds. */
export function serverTimeOfStart(server: AgentServerClient, { clock }: Context): () => number {
  const startedAt = clock.monotonic();
  return () => server.now() - (clock.monotonic() - startedAt);
}

/** Whether a thread existed before a time. The margin accounts for the Date header, which has whole seconds. */
export function existedBefore({ createdAt }: Thread, milliseconds: number): boolean {
  const created = parseServerTimestamp(createdAt);
  return created !== undefined && Number(created) / 1000 < milliseconds - 2000;
}

/** Returns the ID for the resource option `import`, which in the native provider also names the server. */
export function importIdOf({ threadId }: Pick<Thread, "threadId">, { ctx, desired }: Attempt): string {
  const { deploymentId, deploymentUrl } = desired;
  return parseUrn(ctx.urn).type === nativeToken("Thread") ? `${deploymentUrl ?? deploymentId}/${threadId}` : threadId;
}

/** Returns the error about a thread with the declared threadId that this resource did not create. */
export function toConflictError(thread: Thread, attempt: Attempt): OwnershipError {
  const { server, ctx } = attempt;
  if (isOfSibling(thread, ctx))
    return new OwnershipError(
      `threadId: thread ${thread.threadId} at ${server.url} ${describeSibling(undefined, ctx.marker, MARKER_PLACE)}`,
    );
  return new OwnershipError(
    `threadId: thread ${thread.threadId} already exists at ${server.url}, and this resource did not create it with its current inputs. No changes were made.\n` +
      `To adopt it, add to the resource options:  import: "${importIdOf(thread, attempt)}"\nTo create a new one, choose another threadId or omit it.`,
  );
}
