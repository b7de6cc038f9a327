/**
 * Makes text fit to leave: rows, warnings, errors and what commands print. No secret that is known leaves with it, and
 * nothing that acts in a terminal or in the log of a pipeline.
 */
import { redact } from "./redact";
import { sanitize } from "./sanitize";

/** Characters of the longest text that leaves. */
const MAX_LENGTH = 16_000;

/** Returns the text as it may leave, as a whole. */
export function cleanText(text: string, secrets: Iterable<string> = []): string {
  const values = [...secrets];
  // Escape sequences may stand within a secret, and what is made harmless may be a part of one: so both come first.
  return redact(sanitize(redact(text, values)), values);
}

/** Returns the text of a row or an error as it may leave. */
export function cleanMessage(text: string, secrets: Iterable<string> = []): string {
  const cleaned = cleanText(text, secrets);
  // Cut at last: of half a secret nobody could tell what it is.
  return cleaned.length > MAX_LENGTH
    ? `${cleaned.slice(0, MAX_LENGTH)}… (${cleaned.length - MAX_LENGTH} more characters)`
    : cleaned;
}

/** Returns the same error with another message. It is copied, since several calls may have been given the same one. */
export function withMessage<T extends Error>(error: T, message: string, cleaned: (text: string) => string): T {
  const property = (value: string) => ({ value, writable: true, configurable: true, enumerable: false });
  return Object.create(Object.getPrototypeOf(error), {
    ...Object.getOwnPropertyDescriptors(error),
    message: property(cleaned(message)),
    stack: property(cleaned(error.stack ?? "")),
  });
}
