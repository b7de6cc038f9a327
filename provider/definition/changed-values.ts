/** Old and new values as a preview shows them: `1.0.0 -> 1.1.0`. */

/** A change of a plain value that a preview may show. Never a secret. */
export interface ChangedValue {
  path: string;
  before: string;
  after: string;
}

/** Characters of one value; an image is told by its end, a digest by its beginning. */
const MAX_LENGTH = 40;
/** Characters that tell a digest from others. */
const DIGEST_LENGTH = 16;

/** Both values without what both begin with, of two images in one repository the tags, and not longer than a row takes. */
export function shortenChange({ path, before, after }: ChangedValue): ChangedValue {
  const shared = sharedPrefix(before, after);
  return { path, before: shorten(before.slice(shared)), after: shorten(after.slice(shared)) };
}

/** The length of what both begin with, up to the last separator of an image or a path in it. */
function sharedPrefix(left: string, right: string): number {
  const maxLength = Math.min(left.length, right.length);
  let length = 0;
  while (length < maxLength && left[length] === right[length]) length++;
  while (length > 0 && !SEPARATORS.has(left[length - 1] ?? "")) length--;
  return length < maxLength ? length : 0;
}
const SEPARATORS: ReadonlySet<string> = new Set([":", "@", "/"]);

const shorten = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, DIGEST_LENGTH)}…` : text);

/** A value, or a path, as it stands in a line: quoted where it holds what separates. */
export const quoteValue = (text: string): string => (/^[\w.:@/+…*$-]+$/.test(text) ? text : JSON.stringify(text));
