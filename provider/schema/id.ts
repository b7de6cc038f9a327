/** Validates IDs, so that none of them changes the route of a request, whatever its source. */

import { z } from "zod";
import { truncate } from "../text/format";
import { UserError } from "../text/user-error";

/** No slash, whitespace, dot segment or character with a meaning in URLs. */
const ID = /^(?!\.{1,2}$)[\w.~:@+=-]{1,256}$/;

export const isValidId = (id: string): boolean => ID.test(id);

/** The ID of a remote object in a response. */
export const remoteId = z.string().regex(ID, "not a valid ID");

/** Returns an ID as errors show it: quoted and truncated. */
export const quotedId = (id: string): string => JSON.stringify(truncate(id, 100));

export const isUuid = (value: unknown): value is string => z.guid().safeParse(value).success;

/**
 * Returns a UUID as one segment of a path. Agent servers in JavaScript take other text for the name of a graph, and would
 * change or delete its default assistant.
 * @throws UserError when it is not a UUID. Nothing was sent.
 */
export function uuidSegment(id: string): string {
  if (isUuid(id)) return id;
  throw new UserError(`${quotedId(id)} is not a UUID, so no request was sent.`);
}

/**
 * Returns an ID encoded as one segment of a path.
 * @throws UserError when it is not a valid ID. Nothing was sent.
 */
export function pathSegment(id: string): string {
  if (isValidId(id)) return encodeURIComponent(id);
  throw new UserError(`${quotedId(id)} is not a valid ID, so no request was sent.`);
}
