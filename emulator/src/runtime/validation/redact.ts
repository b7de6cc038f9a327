import { isObject } from "./validator";

/** The replacement of a secret value. */
export const REDACTED = "**********";

/** Returns a copy of a body with all secret values redacted, of any type. */
export function redactSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactSecrets);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    secretKeys.includes(key) ? redactAll(item) : redactSecrets(item),
  ]);
  return Object.fromEntries(entries);
}

/** Fields whose values are secret: of requests, and of responses that grant access to an upload or a registry. */
const secretKeys = ["secrets", "credentials", "token", "upload_url"];

/** Redacts everything except the names in a list of secrets. */
function redactAll(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(redactAll);
  if (!isObject(value)) return REDACTED;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === "name" ? item : REDACTED]));
}
