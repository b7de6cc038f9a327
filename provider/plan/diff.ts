/** Computes which inputs differ according to the definition, and which of them replace the object. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { canUpdate, type Definition, definitionOn, type ServerProfile } from "../definition/definition";
import type { Move } from "../definition/moves";
import { diffPaths, isEqual } from "../schema/compare";
import { type Field, fieldAt } from "../schema/fields";
import { resolvePlaceholders, UNKNOWN_SECRET } from "../schema/mapping";
import {
  childOf,
  getOwn,
  isObjectOrArray,
  isPropertyMap,
  isSameBranch,
  matchesPath,
  metadataOf,
  type Path,
  type PropertyMap,
  schemaAt,
  someAncestor,
  splitPath,
  valueAt,
  variantFor,
} from "../schema/schema";
import { parsePropertyPath } from "../text/property-path";
import { containsUnknown } from "./property-values";

export interface Change {
  readonly definition: Definition;
  readonly before: PropertyMap;
  readonly after: PropertyMap;
  readonly options: {
    /** Milliseconds since the epoch. */
    now: number;
    /** Paths of the inputs that the program marks secret. */
    secretInputs?: readonly string[];
    /** What is known of the server. */
    profile?: ServerProfile;
    /** Returns where the content of an object moves in this run. */
    moveFrom?: (id: unknown) => Move | undefined;
  };
}

export interface InputDiff {
  /** Paths of inputs that differ. */
  paths: string[];
  /** Those that replace the object. */
  replaces: string[];
  /** Those that replace it if an unknown value turns out to differ. */
  possibleReplaces: string[];
}

/**
 * @param ignored Of the option `ignoreChanges`: the engine declares there what it has before, so only state differs,
 * except where check computes an input.
 * @param unconfirmed Paths that may differ from the server, whatever state has.
 */
export function diffInputs(
  definition: Definition,
  before: PropertyMap,
  after: PropertyMap,
  { ignored = [], unconfirmed = [] }: Partial<Record<"ignored" | "unconfirmed", readonly string[] | undefined>> = {},
): InputDiff {
  const { schema } = definition;
  const variant = variantFor(schema, after) ?? variantFor(schema, before);
  const differing = new Set([...(variant ? diffPaths(variant, before, after) : []), ...unconfirmed]);
  const patterns = patternsOf(ignored);
  // What contains a part that is not ignored is compared.
  const isIgnored = (path: string) =>
    patterns.some((pattern) => matchesPath(splitPath(path, before, after), pattern)) &&
    !fieldAt(schema, path, ({ computed }) => computed);
  const paths = [...differing].filter((path) => !isIgnored(path));
  const isUnknownPath = (path: string) => isUnknownAt(before, path) || isUnknownAt(after, path);
  // An unknown never forces a replacement, except for IDs of other resources: an unknown ID means a new resource.
  const isReference = (path: string) => fieldAt(schema, path, ({ reference }) => reference)?.reference?.output === "id";
  const immutable = pathsWhere(schema, paths, ({ replaces }) => replaces, isUnknownPath);
  const removable = pathsWhere(schema, paths, ({ replacesIfRemoved }) => replacesIfRemoved, isUnknownPath);
  const removed = removable.filter((path) => valueAt(after, path) == null);
  const all = [...new Set([...immutable, ...removed])].filter((path) => !isDropped(definition, path, after));
  const mayStay = (path: string) => {
    const keys = splitPath(path, before, after);
    return mayBeEqual(variant && schemaAt(variant, keys), valueAt(before, keys), valueAt(after, keys));
  };
  const isCertain = (path: string) => isReference(path) || !(isUnknownPath(path) || mayStay(path));
  return { paths, replaces: all.filter(isCertain), possibleReplaces: all.filter((path) => !isCertain(path)) };
}

/** Whether two values would be equivalent with the right values in place of those that are not known yet. */
function mayBeEqual(schema: z.ZodType | undefined, before: unknown, after: unknown): boolean {
  if (!containsUnknown(after)) return isEqual(schema, before, after);
  if (!isObjectOrArray(after)) return true;
  if (Array.isArray(after) !== Array.isArray(before) || !isObjectOrArray(before)) return false;
  if (Array.isArray(after) && schema && metadataOf(schema).compare === "set") {
    const known = after.filter((item) => !containsUnknown(item));
    return Object.keys(before).length <= after.length && isEqual(schema, before, [...known, ...Object.values(before)]);
  }
  if (Array.isArray(after) && Object.keys(before).length !== after.length) return false;
  return Object.keys({ ...before, ...after }).every((key) =>
    mayBeEqual(childOf(schema, key), getOwn(before, key), getOwn(after, key)),
  );
}

/** Whether a path is an untyped field (schema/extra.ts) that is no longer declared, which the server keeps. */
export const isDropped = ({ schema }: Definition, path: string, after: PropertyMap): boolean =>
  fieldAt(schema, path, ({ open }) => open) !== undefined && valueAt(after, splitPath(path, after)) === undefined;

export function fixedPaths(definition: Definition, paths: readonly string[], profile: ServerProfile): string[] {
  const immutable = pathsWhere(definitionOn(definition, profile).schema, paths, ({ replaces }) => replaces);
  const unsupported = canUpdate(definition, profile) ? [] : sentPaths(definition, paths);
  return paths.filter((path) => immutable.includes(path) || unsupported.includes(path));
}

export function sentPaths({ schema }: Definition, paths: readonly string[]): string[] {
  const local = pathsWhere(schema, paths, ({ effect }) => effect === "none");
  return paths.filter((path) => !local.includes(path));
}

/** Returns the paths that a field says something of. Any part of an unknown object may differ. */
function pathsWhere(
  { fields }: Definition["schema"],
  paths: readonly string[],
  says: (field: Field) => unknown,
  isUnknownPath: (path: string) => boolean = () => false,
): string[] {
  const saying = fields.filter(says).map(({ path }) => path);
  return paths.filter((path) =>
    saying.some((field) => matchesPath(path, field) || (matchesPath(field, path) && isUnknownPath(path))),
  );
}

export const isUnknownAt = (properties: PropertyMap, path: Path): boolean =>
  someAncestor(properties, path, (value) => typeof value === "string" && containsUnknown(value));

/** Returns the keys of the paths of a resource option. Any item of a list, as in `exportFields[*]`, is the list. */
const patternsOf = (option: readonly string[]): string[][] =>
  option.flatMap((path) => {
    const keys = parsePropertyPath(path);
    return keys.length === 0 ? [] : [keys.slice(0, keys.findLastIndex((key) => key !== "*") + 1 || 1)];
  });

/** Returns which paths the resource option `replaceOnChanges` names. */
export function namedPaths(
  paths: readonly string[],
  option: readonly string[],
  before: PropertyMap,
  after: PropertyMap,
): string[] {
  const patterns = patternsOf(option);
  const isNamed = (keys: Path) => patterns.some((pattern) => isSameBranch(keys, pattern));
  return paths.filter((path) => differingKeys(path, before, after).some(isNamed));
}

/** Returns the keys of what differs at a path: of a list, which is compared as a whole, those of its items. */
export function differingKeys(path: string, before: PropertyMap, after: PropertyMap): (string | number)[][] {
  const keys = splitPath(path, before, after);
  const parts = differingParts(valueAt(before, keys), valueAt(after, keys));
  return parts.length === 0 ? [keys] : parts.map((part) => [...keys, ...part]);
}

function differingParts(before: unknown, after: unknown): (string | number)[][] {
  const [from, to] = [before ?? [], after ?? []];
  const isList = Array.isArray(from) && Array.isArray(to);
  if (!isList && !(isPropertyMap(before) && isPropertyMap(after))) return isDeepStrictEqual(before, after) ? [] : [[]];
  return Object.keys({ ...from, ...to }).flatMap((key) =>
    differingParts(valueAt(from, [key]), valueAt(to, [key])).map((part) => [isList ? Number(key) : key, ...part]),
  );
}

/** Returns names that move, with the same value, between maps that are one list on the server. */
export function movedPaths(
  { schema }: Definition,
  paths: readonly string[],
  [before, after]: readonly [PropertyMap, PropertyMap],
  isSame = (from: unknown, to: unknown) => from === to,
): string[] {
  return paths.filter((path) => {
    const field = fieldAt(schema, path, ({ sharesNamesWith }) => sharesNamesWith);
    if (!field?.sharesNamesWith) return false;
    const maps = [field.path, field.sharesNamesWith];
    const name = path.slice(field.path.length + 1);
    const valueIn = (properties: PropertyMap) =>
      maps.map((map) => valueAt(properties, [map, name])).find((value) => value !== undefined);
    const [from, to] = [valueIn(before), valueIn(after)];
    const isElsewhere = valueAt(before, [field.path, name]) !== valueAt(after, [field.path, name]);
    return isElsewhere && from !== undefined && to !== undefined && isSame(from, to);
  });
}

/** Returns the paths that differ in state alone, so that no request is sent for them. */
export const unsentPaths = (
  definition: Definition,
  paths: readonly string[],
  [before, after]: readonly [PropertyMap, PropertyMap],
): string[] => [
  ...movedPaths(definition, paths, [before, after]),
  ...paths.filter((path) => isDropped(definition, path, after)),
];

/** Returns the paths that differ only by a placeholder for an unknown secret, on either side. */
export function unverifiedPaths(
  definition: Definition,
  paths: readonly string[],
  before: PropertyMap,
  after: PropertyMap,
): string[] {
  const verified = new Set(
    diffInputs(definition, resolvePlaceholders(before, after), resolvePlaceholders(after, before)).paths,
  );
  const moved = movedPaths(definition, paths, [before, after], (from, to) => [from, to].includes(UNKNOWN_SECRET));
  return paths.filter((path) => !verified.has(path) || moved.includes(path));
}

export const inputsOf = ({ schema }: Definition, state: PropertyMap): PropertyMap =>
  pick(state, variantFor(schema, state)?.shape);

export const outputsIn = ({ schema }: Definition, state: PropertyMap): PropertyMap =>
  pick(state, (schema.outputs as z.ZodObject).shape);

const pick = (properties: PropertyMap, shape: object = {}): PropertyMap =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => Object.hasOwn(shape, key)));
