/** Old and new values in previews: `1.0.0 -> 1.1.0`. */

/** A changed scalar that a preview may show. Never a secret. */
export interface ChangedValue {
  path: string;
  before: string;
  after: string;
}

/** Longest value that is shown in full. */
const MAX_LENGTH = 40;
/** Characters shown of a longer value, enough to identify a digest. */
const DIGEST_LENGTH = 16;

/** Removes the common prefix, such as the repository of two images, and truncates both values. */
export function shortenChange({ path, before, after }: ChangedValue): ChangedValue {
  const shared = sharedPrefix(before, after);
  return { path, before: shorten(before.slice(shared)), after: shorten(after.slice(shared)) };
}

/** Returns the length of the common prefix, up to its last separator. */
function sharedPrefix(left: string, right: string): number {
  const maxLength = Math.min(left.length, right.length);
  let length = 0;
  while (length < maxLength && left[length] === right[length]) length++;
  while (length > 0 && !SEPARATORS.has(left[length - 1] ?? "")) length--;
  return length < maxLength ? length : 0;
}
const SEPARATORS: ReadonlySet<string> = new Set([":", "@", "/"]);

const shorten = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, DIGEST_LENGTH)}…` : text);

/** Quotes a value or a path when it contains separators of a preview line. */
export const quoteValue = (text: string): string => (/^[\w.:@/+…*$-]+$/.test(text) ? text : JSON.stringify(text));
