/**
 * Whether an object is that of a resource. An existing object with a chosen ID may be someone else's, and whoever
 * copies an object copies its marker: the marker proves it ours only together with its ID.
 */
import { randomUUID } from "node:crypto";
import type { Context } from "../definition/context";
import type { PropertyMap } from "../schema/schema";
import { isSameTime } from "../schema/timestamp";
import type {
  Attempt,
  Found,
  ObjectIdentity,
  ObjectKind,
  ObjectNames,
  OwnedInputs,
  OwnedState,
  RemoteObject,
} from "./kind";
import { deriveResourceId, deriveStackId, markerFacts, markerMetadata, markerPlace } from "./metadata/metadata";
import type { AgentEndpoint } from "./server/endpoint";

export function createAttempt<I extends OwnedInputs>(
  kind: Pick<ObjectKind<I>, "keys" | "idInput" | "deriveId">,
  desired: I,
  endpoint: AgentEndpoint,
  ctx: Context,
): Attempt<I> {
  // An object that moved with its deployment has the ID that it was created with.
  const deploymentId = desired.deploymentId && ctx.moves.originOf(desired.deploymentId);
  const derivedId = kind.deriveId({ ...desired, ...(deploymentId && { deploymentId }) }, ctx);
  const declaredId = kind.idInput === undefined ? undefined : (desired as PropertyMap)[kind.idInput];
  const id = typeof declaredId === "string" ? declaredId.toLowerCase() : derivedId;
  const tags = markerMetadata(kind.keys, ctx.settings.ownerMarker ? derivedId : undefined, ctx);
  return { ...endpoint, desired, ctx, derivedId, id, tags, requestId: randomUUID() };
}

/** Whether objects have an ownership marker: the setting `ownerMarker`. */
export const hasMarkers = ({ tags }: Pick<Attempt, "tags">): boolean => Object.keys(tags).length > 0;

/** The metadata key with the object's own ID. On a copy it names another object, which exposes the copy. */
export const ownIdKey = ({ keys }: Pick<ObjectNames, "keys">): string => `${keys.object}_id`;

/** Returns the marker's metadata with the ID of the object, unless the marker is that ID; empty without markers. */
export const tagsOf = (kind: Pick<ObjectNames, "keys">, id: string, { tags, derivedId }: Attempt): Attempt["tags"] =>
  !hasMarkers({ tags }) ? {} : { ...tags, ...(id !== derivedId && { [ownIdKey(kind)]: id }) };

type Marked<R> = Pick<ObjectIdentity<R>, "keys" | "idOf" | "isCopied">;

/** Whether the metadata contain the ID of the object, so that they are not copied from another one. */
export function namesItself<R extends RemoteObject>(kind: Marked<R>, remote: R): boolean {
  const { metadata } = remote;
  return [metadata?.[kind.keys.object], metadata?.[ownIdKey(kind)]].includes(kind.idOf(remote).toLowerCase());
}

/** Whether the metadata are those of another object, which someone copied. */
export function isCopy<R extends RemoteObject>(kind: Marked<R>, remote: R): boolean {
  const namesAnyone = kind.isCopied === true || remote.metadata?.[ownIdKey(kind)] != null;
  return namesAnyone && !namesItself(kind, remote);
}

export const hasTag = ({ keys }: Pick<ObjectNames, "keys">, { metadata }: RemoteObject, { tags }: Attempt): boolean =>
  hasMarkers({ tags }) && metadata?.[keys.object] === tags[keys.object];

/** Whether the metadata prove that this resource created the object. */
export const isProven = <R extends RemoteObject>(kind: ObjectIdentity<R>, remote: R, attempt: Attempt): boolean =>
  hasTag(kind, remote, attempt) && (kind.idOf(remote).toLowerCase() === attempt.id || !isCopy(kind, remote));

/** Whether nothing can show whose an object is: it has neither a marker nor an ID that only this resource derives. */
export const isUnprovable = ({ tags, id, derivedId }: Attempt): boolean => !hasMarkers({ tags }) && id !== derivedId;

/** Whether an existing object is this resource's: its metadata prove it, or an ID that only this one derives. */
export function isOwn<R extends RemoteObject>(kind: ObjectIdentity<R>, remote: R, attempt: Attempt): boolean {
  if (kind.forbidden?.(remote) !== undefined) return false;
  return isProven(kind, remote, attempt) || hasDerivedId(kind, remote, attempt);
}

export function foundById<R extends RemoteObject>(
  kind: ObjectIdentity<R>,
  remote: R | undefined,
  attempt: Attempt,
): Found<R> {
  const all = remote === undefined ? [] : [remote];
  const own = all.filter((one) => isOwn(kind, one, attempt));
  return { own, foreign: own.length > 0 ? [] : all, unproven: [] };
}

const hasDerivedId = <R extends RemoteObject>(
  kind: ObjectIdentity<R>,
  remote: R,
  { id, derivedId }: Attempt,
): boolean => id === derivedId && kind.idOf(remote).toLowerCase() === id;

/** Whether the request of this attempt created an object that was absent before. */
export function isOfRequest<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  remote: R,
  attempt: Attempt<I>,
  hasResponse: boolean,
): boolean {
  if (kind.isOfRequest && hasMarkers(attempt)) return kind.isOfRequest(remote, attempt, hasResponse);
  return hasMarkers(attempt) ? hasTag(kind, remote, attempt) : hasResponse || hasDerivedId(kind, remote, attempt);
}

/** Returns what an import must know of the marker; a copy has that of its source. */
export const importFacts = <R extends RemoteObject>(
  kind: ObjectIdentity<R>,
  remote: R,
  ctx: Context,
): Partial<ReturnType<typeof markerFacts>> =>
  isCopy(kind, remote) ? {} : markerFacts(kind.keys, remote.metadata, ctx);

/** Returns why an object is not the one in state, as a clause; undefined when it is, or when nothing shows another. */
export function otherObject<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  remote: R,
  previous: I & Partial<S>,
  ctx: Context,
): string | undefined {
  // Whatever its immutable inputs were: the address of its server may be written in another way since.
  const isOfResource = remote.metadata?.[kind.keys.resource] === deriveResourceId(ctx) && !isCopy(kind, remote);
  if (isSameTime(remote.createdAt, previous.createdAt) || isOfResource) return undefined;
  if (isOwn(kind, remote, createAttempt(kind, previous, {} as AgentEndpoint, ctx))) return undefined;
  return (
    `it is another one than this resource had: it was created at ${remote.createdAt}, and the one in state at ` +
    `${previous.createdAt}`
  );
}

/** Returns why an object must not be changed or deleted, as a clause; undefined when nothing shows that. */
export function foreignOwner<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  remote: R,
  previous: I & Partial<S>,
  ctx: Context,
): string | undefined {
  const reason = kind.forbidden?.(remote);
  if (reason !== undefined) return `it ${reason}`;
  const other = otherObject(kind, remote, previous, ctx);
  if (other !== undefined) return other;
  const { marker } = importFacts(kind, remote, ctx);
  return marker === undefined || isMarkerInState(marker, ctx)
    ? undefined
    : `another stack manages it, as ${markerPlace(kind.keys)} shows`;
}

/** Whether state contains the marker of a stack: found by an import, or written before the stack was renamed. */
const isMarkerInState = (stackId: string, { recorded: { marker, earlierMarker } }: Context): boolean =>
  [marker, earlierMarker].some(
    (one) => one !== undefined && (one === stackId || deriveStackId({ marker: one }) === stackId),
  );
