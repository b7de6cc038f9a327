/** Which values of an object are secret: those that its definition says, and those that people put where nothing hides them. */
import { type Definition, secretsOf } from "../../provider/definition/definition";
import type { PropertyMap } from "../../provider/schema/schema";
import { UNKNOWN_SECRET } from "../../provider/schema/unknown-secrets";
import { isBag, Secret } from "./types";

/** The inputs with a mark in place of each secret. A value that the service does not show is read as an empty one. */
export function withoutSecrets(definition: Definition, inputs: PropertyMap): PropertyMap {
  const patterns = secretsOf(definition, inputs).map((path) => path.split("."));
  const isSecret = (path: readonly string[]) =>
    patterns.some(
      (pattern) => pattern.length === path.length && pattern.every((part, at) => part === "*" || part === path[at]),
    );
  const replace = (value: unknown, path: readonly string[]): unknown => {
    if (isSecret(path)) return new Secret(path, value === "" ? "" : UNKNOWN_SECRET);
    if (Array.isArray(value)) return value.map((part, index) => replace(part, [...path, String(index)]));
    if (!isBag(value)) return value;
    const { name } = value;
    const hidden = path.at(-2) === "env" && typeof name === "string" && holdsSecret(name, value.value);
    const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
      // A variable is called by its name, not by its place in the list.
      const isHidden = hidden && key === "value";
      return [
        key,
        isHidden
          ? new Secret([...path.slice(0, -1), String(name)], UNKNOWN_SECRET, false)
          : replace(part, [...path, key]),
      ];
    });
    return Object.fromEntries(entries);
  };
  return replace(inputs, []) as PropertyMap;
}

const TELLING: ReadonlySet<string> = new Set(
  "key apikey token secret password passwd pass credential credentials".split(" "),
);
/** An address with a password, or with a token in its place. */
const WITH_PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@|\bhttps?:\/\/[^/\s@]+@/i;

/** A container's variables are no secrets to the service; but what stands there often is one. */
const holdsSecret = (name: string, value: unknown): boolean =>
  typeof value === "string" &&
  value !== "" &&
  (name
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => TELLING.has(word)) ||
    WITH_PASSWORD.test(value));

/** Where an address with a password stands that the service takes for no secret; undefined when nowhere. */
export function passwordIn(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === "string") return WITH_PASSWORD.test(value) ? path.join(".") : undefined;
  if (typeof value !== "object" || value === null || value instanceof Secret) return undefined;
  for (const [key, part] of Object.entries(value)) {
    const found = passwordIn(part, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
