/**
 * Compares values semantically, as their schema says: maps by key, lists in order, CPU rounded to one decimal, timestamps
 * as instants, URLs and UUIDs in normal form. Pure.
 */
import { z } from "zod";
import { childOf, fieldMetadata, getOwn, isPropertyMap, type PropertyMap, unwrap } from "./schema";
import { parseServerTimestamp } from "./timestamp";

/** Whether two values are equivalent for the server. Null and undefined both mean "absent". */
export function isEqual(schema: z.ZodType | undefined, left: unknown, right: unknown): boolean {
  const comparison = comparisonOf(schema);
  if (comparison === "never") return true;
  // An absent flag is false.
  if (comparison === "flag") return (left ?? false) === (right ?? false);
  // An absent text is empty.
  if (comparison === "text") return (left ?? "") === (right ?? "");
  // An input that the program does not set keeps the server's value.
  if ((comparison === "given" || comparison === "givenUuid") && right == null) return true;
  if (left == null || right == null) return left == null && right == null;
  if (comparison === "cpu") return isSameCpu(left, right);
  if (comparison === "instant") return isSameInstant(left, right);
  if (comparison === "set") return isSameSet(left, right);
  if (comparison === "url") return normalizeUrl(left) === normalizeUrl(right);
  if (comparison === "uuid" || comparison === "givenUuid")
    return String(left).toLowerCase() === String(right).toLowerCase();
  if (Array.isArray(left) && Array.isArray(right)) {
    const element = schema && childOf(schema, "0");
    return left.length === right.length && left.every((item, index) => isEqual(element, item, right[index]));
  }
  if (isPropertyMap(left) && isPropertyMap(right))
    return keysOf(left, right).every((key) => isEqual(childSchema(schema, key), getOwn(left, key), getOwn(right, key)));
  return Object.is(left, right);
}

/** The server rounds CPU to one decimal place (API `2A.ResourceSpec`). */
function isSameCpu(left: unknown, right: unknown): boolean {
  if (typeof left !== "number" || typeof right !== "number") return Object.is(left, right);
  return Math.round(left * 10) === Math.round(right * 10);
}

/** Servers format timestamps differently: `Z` may come back as `+00:00` (API `2.timestamps`) or be dropped. */
function isSameInstant(left: unknown, right: unknown): boolean {
  const [from, to] = [parseServerTimestamp(left), parseServerTimestamp(right)];
  return from === undefined || to === undefined ? Object.is(left, right) : from === to;
}

/** Returns a URL without irrelevant differences: case of the host, default port, trailing slashes. */
export function normalizeUrl(url: unknown): string {
  const text = String(url);
  return (URL.canParse(text) ? new URL(text).href : text).replace(/\/+$/, "");
}

/** Compares lists of scalars in any order. */
function isSameSet(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return Object.is(left, right);
  const [from, to] = [new Set(left), new Set(right)];
  return from.size === to.size && [...from].every((item) => to.has(item));
}

/**
 * Returns the paths at which two values differ, down to fields and map keys; a list counts as one value.
 * For a map of secrets, this names the key that changed.
 */
export function diffPaths(schema: z.ZodType, left: unknown, right: unknown, path = ""): string[] {
  const [from, to] = [left ?? {}, right ?? {}];
  if (!isLeaf(schema) && isPropertyMap(from) && isPropertyMap(to)) {
    return keysOf(from, to).flatMap((key) => {
      const child = childSchema(schema, key);
      return child ? diffPaths(child, getOwn(from, key), getOwn(to, key), path === "" ? key : `${path}.${key}`) : [];
    });
  }
  return isEqual(schema, left, right) ? [] : [path];
}

/**
 * Whether a declared value counts as applied although the server does not return it: `undefined` when the response lacks
 * the field, `null` when the field is null.
 */
export type IsApplied = (path: string, server: null | undefined) => boolean;

/** A missing field in a response proves nothing. */
const isAppliedUnlessNull: IsApplied = (_path, server) => server === undefined;

/**
 * Returns the declared inputs with the remote value wherever that differs semantically. Undeclared fields are left out,
 * since the server fills in defaults; so are fields that the server does not return, unless `isApplied` says otherwise.
 */
export function mergeRemote<T>(
  schema: z.ZodType,
  declared: T,
  server: unknown,
  isApplied = isAppliedUnlessNull,
  path = "",
): T {
  const isNone = server === undefined || server === null;
  if (isPropertyMap(declared) && isObject(schema) && (isNone || isPropertyMap(server))) {
    const merged = Object.entries(declared).map(([key, value]) => {
      const child = childSchema(schema, key);
      const remote = isNone ? server : getOwn(server, key);
      return [
        key,
        child ? mergeRemote(child, value, remote, isApplied, path === "" ? key : `${path}.${key}`) : value,
      ] as const;
    });
    return Object.fromEntries(merged.filter(([, value]) => value != null)) as T;
  }
  if (isEqual(schema, declared, server)) return declared;
  if (isNone) return (isEmptyList(declared) || isApplied(path, server) ? declared : undefined) as T;
  return server as T;
}

/** An empty list is equivalent to an absent one. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

const keysOf = (left: PropertyMap, right: PropertyMap) => [...new Set([...Object.keys(left), ...Object.keys(right)])];
const comparisonOf = (schema: z.ZodType | undefined) => schema && fieldMetadata.get(unwrap(schema))?.compare;
const childSchema = (schema: z.ZodType | undefined, key: string) => schema && childOf(schema, key);
const isObject = (schema: z.ZodType) => unwrap(schema) instanceof z.ZodObject;
const isLeaf = (schema: z.ZodType) => !isObject(schema) && !(unwrap(schema) instanceof z.ZodRecord);
