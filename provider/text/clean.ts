/**
 * Prepares text for output: status lines, warnings, errors and what commands print. Removes known secrets, and everything
 * that would be interpreted by a terminal or by the log of a pipeline.
 */
import { redact } from "./redact";
import { sanitize } from "./sanitize";

/** Characters of the longest message. */
const MAX_LENGTH = 16_000;

/** Redacts and sanitizes a text without truncating it. */
export function cleanText(text: string, secrets: Iterable<string> = []): string {
  const values = [...secrets];
  // An escape sequence may interrupt a secret, and sanitizing may alter one: redact before and after.
  const redacted = redact(text, values);
  const sanitized = sanitize(redacted);
  return sanitized === redacted ? redacted : redact(sanitized, values);
}

/**
 * Returns what cleans each of these texts. Redaction takes as long for a short text as for many together, and few contain
 * anything to remove.
 */
export function cleanerOf(texts: readonly string[], clean: (text: string) => string): (text: string) => string {
  const joined = texts.join("\n");
  return clean(joined) === joined ? (text) => text : clean;
}

/** Redacts, sanitizes and truncates the text of a status line or an error. */
export function cleanMessage(text: string, secrets: Iterable<string> = []): string {
  const cleaned = cleanText(text, secrets);
  // Truncated last: redaction would not recognize half a secret.
  return cleaned.length > MAX_LENGTH
    ? `${cleaned.slice(0, MAX_LENGTH)}… (${cleaned.length - MAX_LENGTH} more characters)`
    : cleaned;
}

/** Returns a copy of the error with another message: several calls may share one error. */
export function withMessage<T extends Error>(error: T, message: string, cleaned: (text: string) => string): T {
  const property = (value: string) => ({ value, writable: true, configurable: true, enumerable: false });
  return Object.create(Object.getPrototypeOf(error), {
    ...Object.getOwnPropertyDescriptors(error),
    message: property(cleaned(message)),
    stack: property(cleaned(error.stack ?? "")),
  });
}
