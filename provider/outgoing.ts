/**
 * The one place where text leaves: rows, warnings, errors and what commands print. No secret that is known leaves with it,
 * and nothing that acts in a terminal or in the log of a pipeline.
 */
import type { Report } from "./progress";
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

/** Lines on rows, each without the secrets of its resource and those of the settings. */
export class OutgoingText implements Report {
  private readonly secrets = new Map<string, Set<string>>();

  constructor(private readonly report: Report) {}

  /** From now on no text of this resource holds these values; no text at all where the URN is empty. */
  protect(urn: string, values: Iterable<string>): void {
    const known = this.secrets.get(urn) ?? new Set();
    for (const value of values) known.add(value);
    this.secrets.set(urn, known);
  }

  /** Returns the text without the values of secrets, as long as it was. */
  redact(urn: string, text: string): string {
    return redact(text, this.known(urn));
  }

  clean(urn: string, text: string): string {
    return clean(text, this.known(urn));
  }

  /** A status is one line. */
  progress(urn: string, text: string): void {
    this.report.progress(urn, this.clean(urn, text).replace(/\s*\n\s*/g, " "));
  }

  info(urn: string, text: string): void {
    this.report.info(urn, this.clean(urn, text));
  }

  warn(urn: string, text: string): void {
    this.report.warn(urn, this.clean(urn, text));
  }

  settled(): Promise<void> {
    return this.report.settled();
  }

  private known(urn: string): string[] {
    return [...(this.secrets.get("") ?? []), ...(urn === "" ? [] : (this.secrets.get(urn) ?? []))];
  }
}
