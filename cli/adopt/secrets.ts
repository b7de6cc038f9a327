/** Finds secret values: those that a definition declares, and those that users put in other fields. */
import type { Definition } from "../../provider/definition/definition";
import { fieldAt, secretPaths } from "../../provider/schema/fields";
import { UNKNOWN_SECRET } from "../../provider/schema/mapping";
import type { PropertyMap } from "../../provider/schema/schema";
import { snakeCase } from "../../provider/text/format";
import { isPlainObject, Secret } from "./types";

/**
 * Replaces each secret in the inputs with a Secret. A value that the server does not return reads as an empty string.
 */
export function replaceSecrets(definition: Definition, inputs: PropertyMap): PropertyMap {
  const patterns = secretPaths(definition.schema, inputs).map((path) => path.split("."));
  const isSecret = (path: readonly string[]) =>
    patterns.some(
      (pattern) => pattern.length === path.length && pattern.every((part, at) => part === "*" || part === path[at]),
    );
  // Metadata are for searching, and servers copy them to where everybody sees them.
  const mayBeSecret = (path: readonly string[]) =>
    path[0] !== "metadata" &&
    fieldAt(definition.schema, path[0] ?? "", ({ secret }) => typeof secret === "string") !== undefined;
  const replace = (value: unknown, path: readonly string[]): unknown => {
    if (isSecret(path)) return new Secret(path, value === "" ? "" : UNKNOWN_SECRET);
    if (looksSecret(path.at(-1) ?? "", value) && mayBeSecret(path)) return new Secret(path, UNKNOWN_SECRET, false);
    if (Array.isArray(value)) return value.map((part, index) => replace(part, [...path, String(index)]));
    if (!isPlainObject(value)) return value;
    const { name } = value;
    const hasSecretValue = path.at(-2) === "env" && typeof name === "string" && isProbablySecret(name, value.value);
    const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
      // Environment variables are identified by name, not by index.
      const isSecretValue = hasSecretValue && key === "value";
      return [
        key,
        isSecretValue
          ? new Secret([...path.slice(0, -1), String(name)], UNKNOWN_SECRET, false)
          : replace(part, [...path, key]),
      ];
    });
    return Object.fromEntries(entries);
  };
  return replace(inputs, []) as PropertyMap;
}

const SECRET_WORDS: ReadonlySet<string> = new Set(
  "key apikey token secret password passwd pass credential credentials".split(" "),
);
/** A URL with a password or a token. */
const WITH_PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@|\bhttps?:\/\/[^/\s@]+@/i;

/** Names of secrets in what users send to agents, where `key` alone is not one. */
const SECRET_NAME = /(^|_)(api_?key|access_?key|private_?key|token|secret|password|passwd|credentials?)(_|$)/;
/** Whether a value is probably a secret that users put where most values are none, by its key. */
const looksSecret = (name: string, value: unknown): boolean =>
  typeof value === "string" && value !== "" && SECRET_NAME.test(snakeCase(name).replace(/\W+/g, "_"));

/** Whether the value of an environment variable is probably a secret, although the API does not treat it as one. */
const isProbablySecret = (name: string, value: unknown): boolean =>
  typeof value === "string" &&
  value !== "" &&
  (name
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => SECRET_WORDS.has(word)) ||
    WITH_PASSWORD.test(value));

/** A URL with a secret in its query, as those of webhooks have. */
const WITH_SECRET_QUERY =
  /^https?:\/\/[^\s#]*[?&][^=&#]*(key|token|secret|password|pass|pwd|sig|signature|code|auth|credential)=[^&#]/i;
/** A URL with a random part in its path, which is the secret of many webhooks of chats. */
const WITH_SECRET_PATH =
  /^https?:\/\/[^\s?#]+\/(?=[a-z0-9_]*[A-Z])(?=[A-Z0-9_]*[a-z])(?=[A-Za-z_]*\d)\w{20,}(?=[/?#]|$)/;

/**
 * Returns the path of a URL with a password or another secret in an input that is not secret; undefined if there is
 * none.
 */
export function findPassword(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === "string")
    return [WITH_PASSWORD, WITH_SECRET_QUERY, WITH_SECRET_PATH].some((pattern) => pattern.test(value))
      ? path.join(".")
      : undefined;
  if (typeof value !== "object" || value === null || value instanceof Secret) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const passwordPath = findPassword(part, [...path, key]);
    if (passwordPath !== undefined) return passwordPath;
  }
  return undefined;
}
