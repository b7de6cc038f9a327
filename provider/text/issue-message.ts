/** Messages for validation issues: what is wrong with a value, and what is expected. */
import type { z } from "zod";

const MAX_LENGTH = 200;

/** A user name and a password, which URLs without a scheme have, or a query. A digest of an image also has an `@`. */
const CREDENTIALS = /(?<!^(?:ssh:\/\/)?git)@(?!sha\d+:)|[?&][^=&\s]+=/;

/** Returns a value for a message: what may contain secrets, such as a long text, an object and JSON, as what it is. */
export function printed(value: unknown): string {
  if (typeof value === "string" && CREDENTIALS.test(value)) return "a text that may contain credentials";
  if (typeof value === "string" && /^\s*[[{]/.test(value)) return "a text of JSON";
  if (typeof value === "string" && value.length > MAX_LENGTH) return `a text of ${value.length} characters`;
  return typeof value === "object" && value !== null
    ? article(Array.isArray(value) ? "array" : "object")
    : JSON.stringify(value);
}

/** @param hidden Whether the value is a secret and must not be shown. */
export function formatIssue(issue: z.core.$ZodIssue, value: unknown, hidden: boolean): string {
  if (value === undefined && issue.code === "invalid_type") return "is required.";
  const actual = hidden || typeof value === "object" ? "" : `, not ${printed(value)}`;
  switch (issue.code) {
    case "invalid_type":
      return (
        `must be ${article(issue.expected)}, not ` +
        `${value === null ? "null" : article(Array.isArray(value) ? "array" : typeof value)}.`
      );
    case "too_small":
      if (lengthUnit(issue.origin) !== "" && issue.minimum === 1) return "must not be empty.";
      return (
        `must be ${issue.inclusive === false ? "more than" : "at least"} ` +
        `${issue.minimum}${lengthUnit(issue.origin)}${actual}.`
      );
    case "too_big":
      return (
        `must be ${issue.inclusive === false ? "less than" : "at most"} ` +
        `${issue.maximum}${lengthUnit(issue.origin)}${actual}.`
      );
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}${actual}.`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${quoted(issue.values)}${actual}.`;
    case "invalid_format":
      return FORMATS[issue.format] ? `must be ${FORMATS[issue.format]}${actual}.` : `${issue.message}.`;
    case "invalid_key":
      return `${issue.issues.map((inner) => inner.message).join("; ")}.`;
    default:
      return `${issue.message}.`;
  }
}

const FORMATS: Record<string, string> = { uuid: "a UUID", guid: "a UUID", url: "a URL such as https://host/path" };
const lengthUnit = (origin: string) => (origin === "string" ? " characters" : origin === "array" ? " items" : "");
const article = (type: string) =>
  type === "int" ? "a whole number" : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type === "record" ? "map" : type}`;

const quoted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(", ");
