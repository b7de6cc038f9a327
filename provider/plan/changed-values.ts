/** Old and new values in previews: `1.0.0 -> 1.1.0`. Pure. */
import { fieldAt } from "../schema/fields";
import { isSameBranch, valueAt } from "../schema/schema";
import type { Change } from "./diff";
import { containsUnknown, isSecret } from "./property-values";

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

/** Returns the old and new values that the definition allows previews to show, shortened. */
export function changedValues(
  { definition, before, after, options: { secretInputs = [] } }: Change,
  paths: readonly string[],
): ChangedValue[] {
  return paths.flatMap((path) => {
    if (!fieldAt(definition.schema, path, ({ shown }) => shown)) return [];
    const isMarkedSecret = secretInputs.some((input) => isSameBranch(path, input));
    const isSecretValue = isMarkedSecret || isSecret(definition, path, after);
    const [from, to] = [plainText(valueAt(before, path)), plainText(valueAt(after, path))];
    return !isSecretValue && from !== undefined && to !== undefined
      ? [shortenChange({ path, before: from, after: to })]
      : [];
  });
}

/** Returns a scalar as text; undefined for objects, unknowns and values redacted by `pulumi preview --json`. */
function plainText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value !== "string" || value === "" || containsUnknown(value) || value === HIDDEN_VALUE
    ? undefined
    : value;
}
const HIDDEN_VALUE = "[secret]";

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
