/** Old and new values in the words of a preview: `1.0.0 -> 1.1.0`. */

/** A change of a plain value that a preview may show. Never a secret. */
export interface ChangedValue {
  path: string;
  before: string;
  after: string;
}

/** Characters of one value; an image is told by its end, a digest by its beginning. */
const LONGEST = 40;

/** Both values, without what both begin with: of two images in one repository, the tags. */
export function showChange({ before, after }: ChangedValue): string {
  const shared = sharedPart(before, after);
  return `${word(before.slice(shared))} -> ${word(after.slice(shared))}`;
}

/** The length of what both begin with, up to the last separator of an image or a path in it. */
function sharedPart(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let same = 0;
  while (same < most && left[same] === right[same]) same++;
  while (same > 0 && !SEPARATORS.has(left[same - 1] ?? "")) same--;
  return same < most ? same : 0;
}
const SEPARATORS: ReadonlySet<string> = new Set([":", "@", "/"]);

function word(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, DIGEST)}…` : text;
  return /^[\w.:@/+…-]+$/.test(short) ? short : JSON.stringify(short);
}
/** Characters that tell a digest from others. */
const DIGEST = 16;
