/** Which threads on the server this very resource made. */
import type { AgentServer, Thread } from "../../api/agent-server";
import type { Context } from "../../definition";
import { RequestError } from "../../http/errors";
import { serverInstant } from "../../instant";
import { OwnershipError } from "../../ownership";
import { type Inputs, MARK } from "./fields";
import { identityOf } from "./identity";
import type { Place } from "./place";

/** One thread that is to be there, once. */
export interface Attempt extends Place {
  wanted: Inputs;
  /** The id that is asked for. */
  id: string;
  /** Stands in its metadata, for servers that choose ids by themselves, and for ids that the user chose. */
  mark: string | undefined;
  ctx: Context;
}

/** @param more Inputs that count as fixed, where the server cannot change them. */
export function attemptOf(wanted: Inputs, place: Place, ctx: Context, more: readonly (keyof Inputs)[] = []): Attempt {
  const identity = identityOf(wanted, ctx, more);
  const mark = ctx.settings.ownerMarker ? identity : undefined;
  return { ...place, wanted, ctx, mark, id: wanted.threadId?.toLowerCase() ?? identity };
}

/** The threads that carry the mark, however the server chose their ids. A server may ignore the filter. */
export async function marked({ server, mark }: Attempt): Promise<Thread[]> {
  if (mark === undefined) return [];
  return (await server.searchThreads({ [MARK]: mark }, 10)).filter(({ metadata }) => metadata?.[MARK] === mark);
}

/** Whether a thread carries the mark; without one there is none to miss. */
export const carries = ({ metadata }: Thread, { mark }: Pick<Attempt, "mark">): boolean =>
  mark === undefined || metadata?.[MARK] === mark;

/** What stands on the server of an attempt, whatever was answered. */
export async function standing(attempt: Attempt): Promise<Thread[]> {
  const byId = await attempt.server.look(attempt.id);
  return byId ? [byId] : marked(attempt);
}

/** The time of the server when something began, once it has answered since. Milliseconds. */
export function startOf(server: AgentServer, { clock }: Context): () => number {
  const began = clock.now();
  return () => server.now() - (clock.now() - began);
}

/** Whether a thread was there before that time. The Date header counts whole seconds, hence the margin. */
export function wasThereBefore({ createdAt }: Thread, milliseconds: number): boolean {
  const created = serverInstant(createdAt);
  return created !== undefined && Number(created) / 1000 < milliseconds - 2000;
}

/** Whether nothing has changed a thread since it was made; false where its server does not tell. */
export function isUntouched({ createdAt, updatedAt }: Thread): boolean {
  const [created, updated] = [serverInstant(createdAt), serverInstant(updatedAt)];
  return created !== undefined && updated !== undefined && updated - created < MARGIN_MICROSECONDS;
}

/** A server may note the two times one after the other. */
const MARGIN_MICROSECONDS = 2_000_000n;

/** @throws OwnershipError when somebody else made the thread of an id that the user chose. */
export function assertOurs(thread: Thread, { wanted, mark, server }: Attempt): void {
  if (wanted.threadId === undefined || (mark !== undefined && carries(thread, { mark }))) return;
  throw new OwnershipError(
    `threadId: thread ${thread.threadId} is at ${server.url} already, and this resource did not make it as it is declared now. Nothing was changed.\n` +
      `To take it over, add to the resource's options:  import: "${thread.threadId}"\nTo have a new one, choose another threadId, or leave it out.`,
  );
}

/**
 * Takes a thread away.
 * @returns Whether it is gone; false where the server has no way to delete.
 */
export async function removed(id: string, server: AgentServer): Promise<boolean> {
  try {
    await server.deleteThread(id);
    return true;
  } catch (error) {
    if (!(error instanceof RequestError) || !error.maybeMissingRoute) throw error;
    return (await server.look(id)) === undefined;
  }
}
