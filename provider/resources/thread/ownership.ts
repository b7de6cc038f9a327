/**
 * Finds the threads on the server that this resource created. A copy inherits the metadata of its source, so the ownership marker
 * alone proves nothing: a thread is ours when it has the ID that we asked for, or when its metadata name its own ID.
 */
import { randomUUID } from "node:crypto";
import type { AgentServerClient, Thread } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { parseServerTimestamp } from "../../schema/timestamp";
import type { Place } from "./endpoint";
import { type Inputs, MARK, OWN_ID, REQUEST, RESOURCE } from "./fields";
import { CHANGEABLE, CHANGES, identityOf, resourceIdOf } from "./identity";

/** One thread that must exist, once. */
export interface Attempt extends Place {
  wanted: Inputs;
  /** The ID that is asked for. */
  id: string;
  /** The ownership marker in its metadata; absent when the setting ownerMarker is false. */
  mark: string | undefined;
  /** Names this attempt. */
  request: string;
  ctx: Context;
}

export function attemptOf(wanted: Inputs, place: Place, ctx: Context): Attempt {
  // Where metadata cannot be changed, other metadata are another thread: the old one may still exist.
  const identity = identityOf(wanted, ctx, ctx.missingRoutes.includes(CHANGES) ? CHANGEABLE : []);
  const mark = ctx.settings.ownerMarker ? identity : undefined;
  return { ...place, wanted, ctx, mark, id: wanted.threadId?.toLowerCase() ?? identity, request: randomUUID() };
}

/** The metadata by which a thread of this ID proves that this resource made it. */
export function tagsOf({ mark, ctx }: Pick<Attempt, "mark" | "ctx">, id: string): Record<string, string> {
  if (mark === undefined) return {};
  return { [MARK]: mark, [RESOURCE]: resourceIdOf(ctx), ...(id !== mark && { [OWN_ID]: id }) };
}

/** Whether a thread is no copy: its metadata name its own ID. */
export const isOriginal = ({ threadId, metadata }: Thread): boolean =>
  [metadata?.[MARK], metadata?.[OWN_ID]].includes(threadId.toLowerCase());

const isMarked = ({ metadata }: Thread, { mark }: Pick<Attempt, "mark">): boolean =>
  mark !== undefined && metadata?.[MARK] === mark;

/** Whether a thread proves that this resource made it. */
export function isProven(thread: Thread, attempt: Pick<Attempt, "mark" | "id">): boolean {
  const own = thread.threadId.toLowerCase();
  return isMarked(thread, attempt) && [attempt.id, thread.metadata?.[OWN_ID]].includes(own);
}

/** Threads that carry the marker. */
export interface Marked {
  /** The one that proves to be ours. */
  own: Thread | undefined;
  /** Those that prove nothing, oldest first: copies of ours, or what an interrupted run left on a server that chooses IDs. */
  unproven: Thread[];
}

export async function findMarked(attempt: Attempt): Promise<Marked> {
  const { server, mark } = attempt;
  if (mark === undefined) return { own: undefined, unproven: [] };
  // A server may ignore the filter.
  const found = (await server.findThreads({ [MARK]: mark })).filter((thread) => isMarked(thread, attempt));
  return {
    own: found.find((thread) => isProven(thread, attempt)),
    unproven: found.filter((thread) => !isProven(thread, attempt)),
  };
}

/** Returns what this attempt, or an earlier run, created on the server, whatever the response was. */
export async function findMade(attempt: Attempt): Promise<Thread[]> {
  const byId = await attempt.server.findThread(attempt.id);
  if (byId) return [byId];
  const { own, unproven } = await findMarked(attempt);
  if (own) return [own];
  // The oldest: nobody can copy a thread before it exists.
  return unproven.filter(({ metadata }) => metadata?.[REQUEST] === attempt.request).slice(0, 1);
}

/** The time of the server when something began, once it has answered since. Milliseconds. */
export function startOf(server: AgentServerClient, { clock }: Context): () => number {
  const began = clock.monotonic();
  return () => server.now() - (clock.monotonic() - began);
}

/** Whether a thread was there before that time. The Date header counts whole seconds, hence the margin. */
export function wasThereBefore({ createdAt }: Thread, milliseconds: number): boolean {
  const created = parseServerTimestamp(createdAt);
  return created !== undefined && Number(created) / 1000 < milliseconds - 2000;
}

/** @throws OwnershipError when somebody else made the thread of an ID that the user chose. */
export function assertOurs(thread: Thread, attempt: Attempt): void {
  const { wanted, server } = attempt;
  if (wanted.threadId === undefined || isProven(thread, attempt)) return;
  throw new OwnershipError(
    `threadId: thread ${thread.threadId} is at ${server.url} already, and this resource did not make it as it is declared now. Nothing was changed.\n` +
      `To take it over, add to the resource's options:  import: "${thread.threadId}"\nTo have a new one, choose another threadId, or leave it out.`,
  );
}
