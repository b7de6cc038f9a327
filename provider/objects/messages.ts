/** What users read about the objects of an agent server, whatever their kind. */
import type { AgentServerClient } from "../api/agent-server/client";
import type { Context } from "../definition/context";
import { OwnershipError } from "../definition/ownership";
import { HttpError } from "../http/errors";
import { type EndpointInputs, importIdOf } from "./endpoint";
import type { MarkerKeys } from "./metadata";

/** A kind of objects on an agent server. */
export interface ObjectKind {
  /** Of the resource, such as `Thread`. */
  readonly kind: string;
  /** What messages call one of them, such as `thread`. */
  readonly noun: string;
  /** Where the server has them, such as `threads`. */
  readonly path: string;
  /** The metadata of their ownership marker. */
  readonly keys: MarkerKeys;
}

/** Where the objects are, and the resource that a message is for. */
interface Subject {
  server: AgentServerClient;
  desired: EndpointInputs;
  ctx: Context;
}

/** IDs in one warning. */
const MAX_LISTED_IDS = 5;

/** Formats IDs for a message. */
export function formatIds(ids: readonly string[]): string {
  const listed = ids.slice(0, MAX_LISTED_IDS);
  const more = ids.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Formats what to do about objects of an unknown owner, as aligned lines that name the first one. */
export function formatRemedies({ kind, path }: ObjectKind, [id]: readonly string[], subject: Subject): string {
  const { server, desired, ctx } = subject;
  return id === undefined
    ? ""
    : `To adopt one:   import: "${importIdOf(kind, id, desired, ctx)}"\nTo delete one:  DELETE ${server.url}/${path}/${id}`;
}

/** Takes an object that an interrupted run of this resource left, and warns of it. @param note What to add. */
export function takeResumed({ noun }: ObjectKind, id: string, { server, ctx }: Omit<Subject, "desired">, note = "") {
  ctx.take(id, "resumed");
  ctx.log.warn(
    `Resuming ${noun} ${id} at ${server.url}: an earlier run of this resource created it.${note}${ctx.ownerHint}`,
  );
}

/** @throws OwnershipError, because an update found that the object is gone. */
export function throwDeleted({ kind }: ObjectKind, id: string): never {
  throw new OwnershipError(
    `${kind} ${id} no longer exists on its server, so it cannot be changed. Run \`pulumi up --refresh\` to create it again.`,
  );
}

/** Warns of objects that earlier runs of this resource created, if there are any. @param current The ID of the one that it manages. */
export function warnOfEarlierObjects(
  objects: ObjectKind,
  ids: readonly string[],
  current: string,
  subject: Subject,
): void {
  if (ids.length === 0) return;
  const { server, ctx } = subject;
  ctx.log.warn(
    `Earlier runs of this resource left ${objects.noun}s at ${server.url} that no resource manages: ${formatIds(ids)}. They were created with other inputs and were not changed. This resource manages ${current}.\n` +
      `${formatRemedies(objects, ids, subject)}${ctx.ownerHint}`,
  );
}

/**
 * Searches for what earlier runs left. A failed search fails nothing, and one that the server does not support is left out.
 * @returns Whether the server responded.
 */
export async function searchLeftovers(
  { noun }: ObjectKind,
  search: () => Promise<void>,
  { server, ctx }: Omit<Subject, "desired">,
): Promise<boolean> {
  try {
    await search();
    return true;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (!error.isRetryable) return true;
    ctx.log.warn(
      `Could not check whether interrupted runs of this resource left ${noun}s at ${server.url} (${error.summary}).`,
    );
    return false;
  }
}
