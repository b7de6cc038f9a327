/** The ownership marker, which is one of the secrets of a deployment, as far as a server shows secrets. */
import type { Deployment } from "../../../api/control-plane/client";
import { MARKER } from "../../../api/control-plane/schemas";

type Secrets = Pick<Deployment, "secrets">;

export const userSecrets = ({ secrets = [] }: Secrets) => secrets.filter(({ name }) => name !== MARKER);

/** Returns the ownership marker; undefined if there is none or the server masks it. */
export const markerIn = (remote: Secrets) =>
  isMasked(remote) ? undefined : (remote.secrets?.find(({ name }) => name === MARKER)?.value ?? undefined);

/** Whether it has an ownership marker that the server masks. */
export const hidesMarker = (remote: Secrets): boolean =>
  isMasked(remote) && (remote.secrets ?? []).some(({ name }) => name === MARKER);

const MASK = /^[*•]+$/;
/** Other forms: nothing, a part of the value, or a word in its place. No marker of Pulumi lacks a URN. */
const LIKE_MASK = /^(?!.*urn:pulumi:)(|.*([*•]{2}|…|\.\.\.).*|[<[(]?(redacted|hidden|masked|secret)[>\])]?)$/i;

export const looksMasked = (value: string): boolean => LIKE_MASK.test(value);

/**
 * Whether the server masks secret values. The marker decides, because a user's value may look like a mask. What only
 * looks like one is a mask if nothing beside it is readable: otherwise it is the marker of someone else.
 */
export function isMasked({ secrets = [] }: Secrets): boolean {
  const markers = secrets.filter(({ name }) => name === MARKER);
  const areAll = (list: typeof secrets, form: RegExp) => list.every(({ value }) => value == null || form.test(value));
  if (markers.length === 0) return secrets.length > 0 && areAll(secrets, MASK);
  return areAll(markers, MASK) || areAll(secrets, LIKE_MASK);
}
