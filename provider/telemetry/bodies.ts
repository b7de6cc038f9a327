/** Bodies of requests and responses, ready for a log. */
import { truncate } from "../text/format";

const HIDDEN = "REDACTED";
/** Characters of a body that are redacted and then truncated to those of the longest message. */
const MAX_LENGTH = 32_000;
/**
 * Names of values that are secret, whoever they belong to: a list of deployments contains the secrets of all, and a signed
 * URL lets its holder upload.
 */
const SECRET = /secret|token|passw|passphrase|credential|authorization|(api|access|private)_?key|signature|headers/i;
/** A URL with a query, which may contain a signature. */
const SIGNED_URL = /^(https?:\/\/[^\s?#]+)[?#].*$/is;

/** Returns the JSON of a body, truncated. Secrets that the run knows are still in it. */
export function describeBody(body: unknown): string | undefined {
  return body === undefined ? undefined : truncate(JSON.stringify(mask(body)), MAX_LENGTH);
}

function mask(value: unknown, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mask(item, isSecret));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
      // The names of secrets are not secret.
      if (key === "name") return [key, mask(item)];
      return [key, mask(item, isSecret || SECRET.test(key))];
    });
    return Object.fromEntries(entries);
  }
  if (isSecret) return value === null ? value : HIDDEN;
  return typeof value === "string" ? value.replace(SIGNED_URL, `$1?${HIDDEN}`) : value;
}
