/**
 * Compares values semantically, as their schema says: maps by key, lists in order, CPU rounded to one decimal, timestamps
 * as instants, URLs and UUIDs in normal form. Pure.
 */
import { z } from "zod";
import { defaultAssistantId, isUuid } from "./id";
import { childOf, fieldMetadata, getOwn, isPropertyMap, type PropertyMap, unwrap } from "./schema";
import { parseServerTimestamp } from "./timestamp";

/** Whether two values are equivalent for the server. Null and undefined both mean "absent". */
export function isEqual(schema: z.ZodType | undefined, left: unknown, right: unknown): boolean {
  const { compare: comparison, absentMeans } = (schema && fieldMetadata.get(unwrap(schema))) ?? {};
  if (comparison === "never") return true;
  if (absentMeans !== undefined) return (left ?? absentMeans) === (right ?? absentMeans);
  // An input that the program does not set keeps the server's value.
  if ((comparison === "given" || comparison === "givenUuid") && right == null) return true;
  if (left == null || right == null) return left == null && right == null;
  if (comparison === "cpu") return isSameCpu(left, right);
  if (comparison === "instant") return isSameInstant(left, right);
  if (comparison === "set") return isSameSet(left, right);
  if (comparison === "url") return normalizeUrl(left) === normalizeUrl(right);
  if (comparison === "uuid" || comparison === "givenUuid") return normalizeUuid(left) === normalizeUuid(right);
  if (comparison === "assistant") return toAssistantId(left) === toAssistantId(right);
  if (Array.isArray(left) && Array.isArray(right)) {
    const element = childOf(schema, "0");
    return left.length === right.length && left.every((item, index) => isEqual(element, item, right[index]));
  }
  if (isPropertyMap(left) && isPropertyMap(right))
    return keysOf(left, right).every((key) => isEqual(childOf(schema, key), getOwn(left, key), getOwn(right, key)));
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

/** Returns a UUID in lower case. Any other text, such as the name that a field accepts instead, is kept. */
export function normalizeUuid(value: unknown): string {
  const text = String(value);
  return isUuid(text) ? text.toLowerCase() : text;
}

/** Returns the ID of an assistant, in lower case: the name of a graph stands for its default one. */
export function toAssistantId(value: unknown): string {
  const text = String(value);
  return isUuid(text) ? text.toLowerCase() : defaultAssistantId(text);
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
  const inner = unwrap(schema);
  if ((inner instanceof z.ZodObject || inner instanceof z.ZodRecord) && isPropertyMap(from) && isPropertyMap(to)) {
    return keysOf(from, to).flatMap((key) => {
      const child = childOf(schema, key);
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
export function mergeRemote<T>(schema: z.ZodType, declared: T, server: unknown, isApplied = isAppliedUnlessNull): T {
  const isNone = server === undefined || server === null;
  if (isPropertyMap(declared) && unwrap(schema) instanceof z.ZodObject && (isNone || isPropertyMap(server))) {
    const merged = Object.entries(declared).map(([key, value]) => {
      const child = childOf(schema, key);
      const remote = isNone ? server : getOwn(server, key);
      const isPartApplied: IsApplied = (path, part) => isApplied(path === "" ? key : `${key}.${path}`, part);
      return [key, child ? mergeRemote(child, value, remote, isPartApplied) : value] as const;
    });
    return Object.fromEntries(merged.filter(([, value]) => value != null)) as T;
  }
  if (isEqual(schema, declared, server)) return declared;
  // An empty list is equivalent to an absent one.
  const isEmptyList = Array.isArray(declared) && declared.length === 0;
  if (isNone) return (isEmptyList || isApplied("", server) ? declared : undefined) as T;
  return server as T;
}

const keysOf = (left: PropertyMap, right: PropertyMap) => [...new Set([...Object.keys(left), ...Object.keys(right)])];
