import { isObject } from "./validator";

/** What stands in place of a secret value. */
export const masked = "**********";

/** A copy of a request's body whose secret values are masked, whatever shape they were sent in. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    isSecretKey(key) ? maskAll(item) : maskSecrets(item),
  ]);
  return Object.fromEntries(entries);
}

function isSecretKey(key: string): boolean {
  return key === "secrets" || key === "credentials";
}

/** In a list of secrets everything but the names is secret. */
function maskAll(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(maskAll);
  if (!isObject(value)) return masked;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === "name" ? item : masked]));
}
