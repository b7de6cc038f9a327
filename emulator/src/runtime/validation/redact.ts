import { isObject } from "./validator";

/** The replacement of a secret value. */
export const REDACTED = "**********";

/** Returns a copy of a body with all secret values redacted, of any type. */
export function redactSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactSecrets);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    isSecretKey(key) ? redactAll(item) : redactSecrets(item),
  ]);
  return Object.fromEntries(entries);
}

/** Returns a copy of the parameters of a query with secret values redacted. */
export function redactQuery(query: Record<string, string[]>): Record<string, string[]> {
  const entries = Object.entries(query).map(([key, values]): [string, string[]] => [
    key,
    isSecretKey(key) ? values.map(() => REDACTED) : values,
  ]);
  return Object.fromEntries(entries);
}

/**
 * Fields whose values are secret: of requests, of responses that grant access to an upload or a registry, and those
 * that clients send by mistake. `secret_key` is the name of a key in a secret of the cluster, `image_pull_secrets` has
 * names, and a token of a page grants nothing.
 */
const SECRET_KEY = new RegExp(
  "^(.*(?<!pull)secrets?|.*(?<!continuation|page|next)token|.*(passwords?|passwd|pwd|passphrase|signature)" +
    "|.*credentials?|.*(access|account|api|customer|encryption|private|signing)keys?(pem)?|.*authorization|.*cookies?" +
    "|bearer|connectionstring|jwt|uploadurl)$",
);

/** Spellings do not matter, because the log also shows unknown fields. */
const isSecretKey = (key: string) => SECRET_KEY.test(key.toLowerCase().replace(/[^a-z]/g, ""));

/** Redacts everything except the names in a list of secrets. */
function redactAll(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => redactFields(item, ["name"]));
  return redactFields(value, []);
}

function redactFields(value: unknown, shown: readonly string[]): unknown {
  if (value === null) return null;
  if (!isObject(value)) return REDACTED;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown.includes(key) ? item : REDACTED]));
}
