/**
 * Makes text fit to leave: rows, warnings, errors and what commands print. No secret that is known leaves with it, and
 * nothing that acts in a terminal or in the log of a pipeline.
 */
import { redact } from "./redact";
import { sanitize } from "./sanitize";

/** Characters of the longest text that leaves. */
const MAX_LENGTH = 16_000;

/** Returns the text as it may leave, as a whole. */
export function cleanWhole(text: string, secrets: Iterable<string> = []): string {
  const known = [...secrets];
  // Escape sequences may stand within a secret, and what is made harmless may be a part of one: so both come first.
  return redact(sanitize(redact(text, known)), known);
}

/** Returns the text of a row or an error as it may leave. */
export function clean(text: string, secrets: Iterable<string> = []): string {
  const safe = cleanWhole(text, secrets);
  // Cut at last: of half a secret nobody could tell what it is.
  return safe.length > MAX_LENGTH
    ? `${safe.slice(0, MAX_LENGTH)}… (${safe.length - MAX_LENGTH} more characters)`
    : safe;
}

/** Returns the same error with another message. It is copied, since several calls may have been given the same one. */
export function withMessage<T extends Error>(error: T, message: string, cleaned: (text: string) => string): T {
  const hidden = (value: string) => ({ value, writable: true, configurable: true, enumerable: false });
  return Object.create(Object.getPrototypeOf(error), {
    ...Object.getOwnPropertyDescriptors(error),
    message: hidden(cleaned(message)),
    stack: hidden(cleaned(error.stack ?? "")),
  });
}
