/** Makes an object what the program declares. If nothing differs, no request is sent: it may make a version. */
import type { Observation } from "../definition/context";
import { HttpError } from "../http/errors";
import { missingExtra, receivedOf } from "../schema/extra";
import { changesBetween, clearedInputs, isEmpty, withRemoved } from "../schema/mapping";
import { isPropertyMap, type PropertyMap } from "../schema/schema";
import type { Attempt, ObjectKind, ObjectNames, OwnedInputs, OwnedState, RemoteObject, Settlement } from "./kind";
import { throwDeleted } from "./messages";
import { pollForCreated } from "./server/lost-response";

/** Settles an object by what the server shows of it, whatever state has. Returns it as it is then, too. */
export async function settleObject<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  remote: R,
  attempt: Attempt<I>,
  { origin, previous: applied, state }: Settlement<I, S>,
): Promise<{ observed: Observation<I, S>; updated: R }> {
  const { desired, ctx } = attempt;
  const id = kind.idOf(remote);
  // A new object has none of these. One of an earlier run may have what the program no longer declares.
  const previous = applied ?? clearedInputs(kind.inputs);
  const expected = kind.toExpected?.(previous, desired) ?? withRemoved(kind.inputs, previous, desired);
  const sent = origin === "new" ? desired : previous;
  if (origin !== "state") {
    const isExtraMissing = missingExtra(sent.extra, expected.extra, receivedOf(remote)) !== undefined;
    const inputs = { ...kind.toInputs(remote, expected), ...(isExtraMissing && { extra: {} }) };
    ctx.record({ id, inputs, state: kind.toState(remote, attempt, state) });
  }
  const updated = await complete(kind, remote, { expected, sent }, attempt);
  return { observed: { id, inputs: desired, state: kind.toState(updated, attempt, state) }, updated };
}

/** What an object must have, and what was sent of it before: a server may not show the fields that we do not type. */
interface Wanted<I> {
  expected: I;
  sent?: Partial<I>;
}

/** Returns the object after the change, or as it is if nothing differs. */
async function complete<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  remote: R,
  { expected, sent }: Wanted<I>,
  attempt: Attempt<I>,
): Promise<R> {
  const { tags, ctx } = attempt;
  const { noun } = kind;
  const id = kind.idOf(remote);
  const change = changeOf(kind, remote, { expected, sent }, tags);
  if (!change) return remote;
  const findUpdated = async () => {
    const found = await kind.read(id, attempt, ctx);
    // Nothing shows whether the fields that the server hides were stored, so that they are sent again.
    return found && !changeOf(kind, found, { expected, sent }, tags) ? [found] : [];
  };
  // Sent again, a change that was applied would make another version.
  const settleFailure = async (error: unknown): Promise<R> => {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    const nextUp = `Run \`pulumi up\` again: it reads the ${noun}, and sends a change only if one is missing.`;
    const [updated] = await pollForCreated(findUpdated, error, ctx.clock, nextUp);
    if (updated) return updated;
    throw error.withHint(`The ${noun} does not have the change, so it was probably not applied. ${nextUp}`);
  };
  const updated = await changeObject(kind, remote, change, attempt).catch(settleFailure);
  const ignored = Object.keys(changeOf(kind, updated, { expected }, {}) ?? {});
  if (ignored.length > 0)
    ctx.log.warn(`The server did not store ${ignored.join(", ")} of ${noun} ${id} as declared. Compare its response.`);
  return updated;
}

/** @param marker The metadata of the marker, which are sent with any change, but alone are no reason for one. */
function changeOf<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  kind: ObjectKind<I, S, R>,
  remote: R,
  { expected, sent = expected }: Wanted<I>,
  marker: Record<string, string>,
): PropertyMap | undefined {
  const { extra: _, ...typed } = (kind.toChange?.(remote, expected) ??
    changesBetween(kind.inputs, kind.toInputs(remote, expected), expected)) as PropertyMap;
  const extra = missingExtra(sent.extra, expected.extra, receivedOf(remote));
  const change: PropertyMap = { ...typed, ...(extra && { extra }) };
  if (isEmpty(change)) return undefined;
  const metadata = { ...(change.metadata as PropertyMap | undefined), ...missingIn(remote, marker) };
  return { ...change, ...(!isEmpty(metadata) && { metadata }) };
}

/** Returns what an object lacks of the metadata of the marker. */
export const missingIn = ({ metadata }: RemoteObject, marker: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(marker).filter(([key, value]) => metadata?.[key] !== value));

/** May send the request several times. @throws UnsupportedError @throws OwnershipError when the object is gone. */
export async function changeObject<I extends OwnedInputs, S extends OwnedState, R extends RemoteObject>(
  { kind, noun, keys, idOf, read, update }: Pick<ObjectKind<I, S, R>, keyof ObjectNames | "idOf" | "read" | "update">,
  remote: R,
  change: PropertyMap,
  attempt: Attempt<I>,
): Promise<R> {
  const id = idOf(remote);
  const exists = async () => (await read(id, attempt, attempt.ctx)) !== undefined;
  const patch = async (body: PropertyMap) => {
    const request = { send: () => update(id, body, attempt), exists };
    return (await attempt.server.profile.send(`${noun}s-patch`, request)) ?? throwDeleted(kind, id);
  };
  const updated = await patch(change);
  const [before, sent] = [remote.metadata ?? {}, change.metadata];
  if (!isPropertyMap(sent) || isEmpty(updated.metadata)) return updated;
  const unsent = Object.keys(before).filter((key) => !Object.hasOwn(sent, key) && before[key] != null);
  const isLost = (key: string) => updated.metadata?.[key] == null;
  // A server that replaces the metadata removes the marker as well. Others merge them, and someone removed the rest.
  if (!unsent.some(isLost) || (unsent.includes(keys.object) && !isLost(keys.object))) return updated;
  const kept = Object.entries({ ...before, ...sent }).filter(([, value]) => value !== null);
  return patch({ ...change, metadata: Object.fromEntries(kept) });
}
