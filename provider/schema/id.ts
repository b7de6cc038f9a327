/** IDs: what they are made of, and how they stand in paths. None leads to another route, wherever it came from. */
import { z } from "zod";
import { UserError } from "../text/user-error";

/** No slash, no white space, nothing that a URL gives a meaning to, and no dot segment. */
const ID = /^(?!\.{1,2}$)[\w.~:@+=-]{1,256}$/;

export const isValidId = (id: string): boolean => ID.test(id);

/** The ID of an object in a response. */
export const remoteId = z.string().regex(ID, "not a valid ID");

/** As much of an ID as an error shows. */
export const quotedId = (id: string): string => JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id);

/**
 * An ID as one segment of a path.
 * @throws UserError when it is not a valid ID. Nothing was sent.
 */
export function pathSegment(id: string): string {
  if (isValidId(id)) return encodeURIComponent(id);
  throw new UserError(`${quotedId(id)} is not a valid ID, so no request was sent.`);
}
