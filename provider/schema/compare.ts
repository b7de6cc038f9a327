/**
 * Semantic comparison, driven by the schema: maps by key, lists in order, CPU by its first decimal, times as instants,
 * addresses and UUIDs by what they name.
 * Pure.
 */
import { z } from "zod";
import { type Bag, childOf, isBag, marks, own, unwrap } from "./schema";
import { serverInstant } from "./timestamp";

/** Whether two values mean the same to the service. Null and undefined both mean "not given". */
export function same(schema: z.ZodType | undefined, left: unknown, right: unknown): boolean {
  const mark = markOf(schema);
  if (mark === "never") return true;
  // What is false when absent.
  if (mark === "flag") return (left ?? false) === (right ?? false);
  // What the program does not set is as the server has it.
  if (mark === "given" && right == null) return true;
  if (left == null || right == null) return left == null && right == null;
  if (mark === "cpu") return sameCpu(left, right);
  if (mark === "instant") return sameInstant(left, right);
  if (mark === "set") return sameSet(left, right);
  if (mark === "url") return addressOf(left) === addressOf(right);
  if (mark === "uuid") return String(left).toLowerCase() === String(right).toLowerCase();
  if (Array.isArray(left) && Array.isArray(right)) {
    const element = schema && childOf(schema, "0");
    return left.length === right.length && left.every((item, index) => same(element, item, right[index]));
  }
  if (isBag(left) && isBag(right))
    return keysOf(left, right).every((key) => same(inner(schema, key), own(left, key), own(right, key)));
  return Object.is(left, right);
}

/** CPU is rounded to one decimal place by the service (interface section 2, ResourceSpec). */
function sameCpu(left: unknown, right: unknown): boolean {
  if (typeof left !== "number" || typeof right !== "number") return Object.is(left, right);
  return Math.round(left * 10) === Math.round(right * 10);
}

/** A service writes a time in its own way: `Z` comes back as `+00:00` (interface-notes section 3), or not at all. */
function sameInstant(left: unknown, right: unknown): boolean {
  const [from, to] = [serverInstant(left), serverInstant(right)];
  return from === undefined || to === undefined ? Object.is(left, right) : from === to;
}

/** An address without what makes no difference: the case of the host, the usual port, slashes at the end. */
export function addressOf(url: unknown): string {
  const text = String(url);
  return (URL.canParse(text) ? new URL(text).href : text).replace(/\/+$/, "");
}

/** Lists of plain values, in any order. */
function sameSet(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return Object.is(left, right);
  const [from, to] = [new Set(left), new Set(right)];
  return from.size === to.size && [...from].every((item) => to.has(item));
}

/**
 * The paths at which two values differ: down to single fields and map keys; a list counts as one value.
 * A secret map thus names the key that changed.
 */
export function differences(schema: z.ZodType, left: unknown, right: unknown, path = ""): string[] {
  const [from, to] = [left ?? {}, right ?? {}];
  if (!isLeaf(schema) && isBag(from) && isBag(to)) {
    return keysOf(from, to).flatMap((key) => {
      const child = inner(schema, key);
      return child ? differences(child, own(from, key), own(to, key), path === "" ? key : `${path}.${key}`) : [];
    });
  }
  return same(schema, left, right) ? [] : [path];
}

/**
 * Whether a declared value counts as held although the server does not return it: undefined where the response lacks the
 * field, null where it says that there is none.
 */
export type Keeps = (path: string, server: null | undefined) => boolean;

/** A response that lacks a field says nothing of it. */
const unlessNull: Keeps = (_path, server) => server === undefined;

/**
 * What is declared, with the server's value wherever that differs in meaning. Fields nobody declared are left out,
 * since the server fills in defaults; a field that it does not return is left out too, unless `keeps` says otherwise.
 */
export function observe<T>(schema: z.ZodType, declared: T, server: unknown, keeps = unlessNull, path = ""): T {
  const isNone = server === undefined || server === null;
  if (isBag(declared) && isObject(schema) && (isNone || isBag(server))) {
    const seen = Object.entries(declared).map(([key, value]) => {
      const child = inner(schema, key);
      const held = isNone ? server : own(server, key);
      return [key, child ? observe(child, value, held, keeps, path === "" ? key : `${path}.${key}`) : value] as const;
    });
    return Object.fromEntries(seen.filter(([, value]) => value != null)) as T;
  }
  if (same(schema, declared, server)) return declared;
  if (isNone) return (isEmptyList(declared) || keeps(path, server) ? declared : undefined) as T;
  return server as T;
}

/** No items are the same as no list. */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

const keysOf = (left: Bag, right: Bag) => [...new Set([...Object.keys(left), ...Object.keys(right)])];
const markOf = (schema: z.ZodType | undefined) => schema && marks.get(unwrap(schema))?.compare;
const inner = (schema: z.ZodType | undefined, key: string) => schema && childOf(schema, key);
const isObject = (schema: z.ZodType) => unwrap(schema) instanceof z.ZodObject;
const isLeaf = (schema: z.ZodType) => !isObject(schema) && !(unwrap(schema) instanceof z.ZodRecord);
