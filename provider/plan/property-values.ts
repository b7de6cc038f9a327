/**
 * Converts property values from and to the engine's format: unknowns, secrets and undefined. Determines which inputs
 * are secret, and collects their values. Pure. See docs/internal/decisions.md. The constants are written out, because
 * loading `@pulumi/pulumi` takes half a second; a test compares them.
 */
import { isDeepStrictEqual } from "node:util";
import type { Definition } from "../definition/definition";
import { pathsContaining, secretPaths } from "../schema/fields";
import { UNKNOWN_SECRET } from "../schema/mapping";
import { isObjectOrArray, isSameBranch, type PropertyMap, splitPath, valueAt } from "../schema/schema";
import type { ResourceData } from "./facts";

/** In place of a secret in facts, as in `pulumi preview --json`. */
export const HIDDEN = "[secret]";
/** The engine's representation of an unknown value. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function containsUnknown(value: unknown): boolean {
  return isObjectOrArray(value)
    ? Object.values(value).some(containsUnknown)
    : typeof value === "string" && UNKNOWNS.has(value);
}

/** The engine's constants for unknowns: the first of any type, the others of a known type. */
const UNKNOWNS: ReadonlySet<string> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

export const omitUnknowns = (properties: PropertyMap): PropertyMap =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => !containsUnknown(value)));

/** Returns properties without unknown values, at any depth. Lists keep their length. */
export function knownParts<T>(value: T): T;
export function knownParts(value: unknown): unknown {
  if (!isObjectOrArray(value)) return containsUnknown(value) ? undefined : value;
  if (Array.isArray(value)) return value.map((item) => knownParts(item));
  const known = Object.entries(value).filter(([, part]) => isObjectOrArray(part) || !containsUnknown(part));
  return Object.fromEntries(known.map(([key, part]) => [key, knownParts(part)]));
}

/**
 * Returns properties as the engine accepts them. An undefined anywhere would lose a created resource, because the
 * response fails after the create, and a Date would become an empty object. A top-level null is an unset output and is
 * removed; nested nulls are user data and stay.
 */
export function serialize(properties: PropertyMap): PropertyMap {
  return Object.fromEntries(Object.entries(clean(properties) as PropertyMap).filter(([, value]) => value !== null));
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((part) => clean(part) ?? null);
  if (!isObjectOrArray(value)) return value;
  // Assigning to a key `__proto__` would lose it.
  const cleaned = Object.entries(value).map(([key, part]) => [key.toWellFormed(), clean(part)] as const);
  return Object.fromEntries(cleaned.filter(([, part]) => part !== undefined));
}

/** Returns at least as many bytes as a value has in the engine's format. */
export function encodedBytes(value: unknown): number {
  if (!isObjectOrArray(value)) return 16 + Buffer.byteLength(String(value));
  return Object.entries(value).reduce((sum, [key, part]) => sum + Buffer.byteLength(key) + encodedBytes(part), 16);
}

/** Marks the values at these paths as secret, each separately, so that previews name the changed key of a map. */
export function markSecrets(properties: PropertyMap, paths: readonly string[]): PropertyMap {
  return markSecretsAt(
    properties,
    paths.map((path) => path.split(".")),
  ) as PropertyMap;
}

/** Marks the values at these paths as secret; `*` matches every key, and a list as a whole. */
export function markSecretsAt(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (paths.length === 0 || (isObjectOrArray(value) && SIGNATURE in value)) return value;
  const isWhole = ([key]: readonly string[]) => key === undefined || (Array.isArray(value) && !isItem(value, key));
  if (paths.some(isWhole)) return { [SIGNATURE]: SECRET_SIGNATURE, value };
  if (!isObjectOrArray(value)) return value;
  const byKey = Map.groupBy(paths, ([key]) => key);
  const ofAllKeys = byKey.get("*") ?? [];
  const marked = Object.entries(value).map(([name, part]) => {
    if (part === undefined) return [name, part];
    const inside = [...(byKey.get(name) ?? []), ...ofAllKeys].map(([, ...rest]) => rest);
    return [name, markSecretsAt(part, inside)];
  });
  return Array.isArray(value) ? marked.map(([, part]) => part) : Object.fromEntries(marked);
}

const isItem = (list: readonly unknown[], key: string) => Object.prototype.propertyIsEnumerable.call(list, key);

/** The key and the value that mark a secret for the engine. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";

/**
 * An error that keeps the resource: the engine stores the ID and outputs, shows the reasons, and the next `pulumi up`
 * updates it even without a difference. Every failure after the remote ID exists is thrown as an InitError.
 */
export class InitError extends Error {
  override name = "InitError";
  readonly reasons = [this.message];

  constructor(
    readonly id: string,
    readonly outputs: ResourceData,
    reason: string,
    override readonly cause?: unknown,
  ) {
    super(reason);
  }
}

/** Returns the keys up to the first list, whose items may have changed their places. */
export function outsideLists(properties: PropertyMap, keys: readonly string[]): readonly string[] {
  const inList = keys.findIndex((_, index) => Array.isArray(valueAt(properties, keys.slice(0, index))));
  return inList < 0 ? keys : keys.slice(0, inList);
}

/** Whether a path is a secret, or an ancestor or descendant of one. @param marked What the program marks secret. */
export const isSecret = ({ schema }: Definition, path: string, inputs: PropertyMap, marked: readonly string[] = []) =>
  [...secretPaths(schema, inputs, marked), ...marked].some((pattern) => isSameBranch(path, pattern));

/** Returns all secret texts in these or other inputs: by definition, and as the program of the call marks them. */
export function secretValues({ schema }: Definition, { properties, facts }: ResourceData, inputs = properties) {
  const { secretInputs = [] } = facts;
  const secrets = secretPaths(schema, properties, secretInputs);
  const markedByDefinition = secrets.flatMap((path) => valuesAt(inputs, path.split(".")));
  return [...secretInputs.map((path) => inputAt(inputs, path)), ...markedByDefinition]
    .flatMap(textsIn)
    .filter((text) => !containsUnknown(text) && text !== UNKNOWN_SECRET);
}

/**
 * Returns state in which the values from before an update stay secret that the program before marked, and that are not
 * what it declares now: the engine and the next diff know only what this program marks. With them do unchanged outputs.
 */
export function keepSecrets({ schema }: Definition, state: ResourceData, now: PropertyMap, before?: ResourceData) {
  const { properties, facts } = state;
  const marked = before?.facts.secretInputs ?? [];
  const outputs = schema.outputFields.map(({ path }) => path);
  const isSame = (path: string, others: PropertyMap = {}) =>
    isDeepStrictEqual(inputAt(properties, path), inputAt(others, path));
  const isKept = (path: string) => (outputs.includes(path) ? isSame(path, before?.properties) : !isSame(path, now));
  const paths = [...new Set([...marked, ...pathsContaining(schema, marked)])]
    .filter((path) => inputAt(properties, path) !== undefined)
    .filter(isKept);
  if (paths.length === 0) return state;
  const keyPaths = paths.map((path) => outsideLists(properties, splitPath(path, properties)));
  const secretInputs = [...new Set([...(facts.secretInputs ?? []), ...paths])];
  return { properties: markSecretsAt(properties, keyPaths) as PropertyMap, facts: { ...facts, secretInputs } };
}

function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (key === undefined) return [value];
  if (!isObjectOrArray(value)) return [];
  const names = key === "*" ? Object.keys(value) : [key];
  return names.flatMap((name) => valuesAt(value[name], rest));
}

/** Returns the value at a path, of which a key may contain dots; the whole list where the path names no item of one. */
function inputAt(inputs: PropertyMap, path: string): unknown {
  const keys = splitPath(path, inputs);
  const values = keys.map((_, index) => valueAt(inputs, keys.slice(0, index + 1)));
  const unnamed = keys.findIndex((key, index) => Array.isArray(values[index - 1]) && !/^\d+$/.test(key));
  return unnamed < 0 ? values.at(-1) : values[unnamed - 1];
}

function textsIn(value: unknown): string[] {
  if (isObjectOrArray(value)) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
