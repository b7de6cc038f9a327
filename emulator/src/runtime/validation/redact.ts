import { isObject } from "./validator";

/** The replacement of a secret value. */
export const masked = "**********";

/** Returns a copy of a request body with all secret values redacted, whatever their type. */
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

/** Redacts everything except the names in a list of secrets. */
function maskAll(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(maskAll);
  if (!isObject(value)) return masked;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === "name" ? item : masked]));
}
