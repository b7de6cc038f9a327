/** Compares values as their schema says: by key, in order, rounded, as instants, or in normal form. Pure. */
import { z } from "zod";
import { snakeCase } from "../text/format";
import { normalizeUuid, toAssistantId } from "./id";
import { caseless, normalizePrefix, normalizeRepository, normalizeUrl } from "./normal-form";
import { normalizeSchedule } from "./schedule";
import { catchallOf, childOf, fieldMetadata, getOwn, isPropertyMap, type PropertyMap, unwrap } from "./schema";
import { parseServerTimestamp } from "./timestamp";

/** Whether two values are equivalent for the server. Null and undefined both mean "absent". */
export function isEqual(schema: z.ZodType | undefined, left: unknown, right: unknown): boolean {
  const { comparison, absentMeans } = comparisonOf(schema);
  if (comparison === "never") return true;
  if (absentMeans !== undefined) return (left ?? absentMeans) === (right ?? absentMeans);
  // An input that the program does not set keeps the server's value.
  if (comparison?.startsWith("given") && right == null) return true;
  // No prefix is the empty one.
  if (comparison === "prefix") return normalizePrefix(left ?? "") === normalizePrefix(right ?? "");
  if (left == null || right == null) return left == null && right == null;
  if (comparison === "cpu") return isSameCpu(left, right);
  if (comparison === "instant") return isSameInstant(left, right);
  if (comparison === "set") return isSameSet(left, right);
  const normalize = comparison && NORMAL_FORMS[comparison];
  if (normalize) return normalize(left) === normalize(right);
  if (Array.isArray(left) && Array.isArray(right)) {
    const element = childOf(schema, "0");
    return left.length === right.length && left.every((item, index) => isEqual(element, item, right[index]));
  }
  if (isPropertyMap(left) && isPropertyMap(right)) {
    const [from, to] = [withFieldNames(schema, left), withFieldNames(schema, right)];
    return Object.keys({ ...from, ...to }).every((key) =>
      isEqual(childOf(schema, key), getOwn(from, key), getOwn(to, key)),
    );
  }
  return left === right;
}

const NORMAL_FORMS: Partial<Record<string, (value: unknown) => string>> = {
  ...{ assistant: toAssistantId, caseless, repository: normalizeRepository, url: normalizeUrl },
  ...{ schedule: normalizeSchedule, uuid: normalizeUuid, givenUuid: normalizeUuid, givenCaseless: caseless },
};

function comparisonOf(schema: z.ZodType | undefined) {
  const outer = schema && fieldMetadata.get(schema);
  const inner = schema && fieldMetadata.get(unwrap(schema));
  const isEnum = inner?.knownValues !== undefined;
  return {
    comparison: outer?.compare ?? inner?.compare ?? (isEnum ? "caseless" : undefined),
    absentMeans: outer?.absentMeans ?? inner?.absentMeans,
  };
}

/** Returns the field that a key means: of an open one, earlier versions accepted the API's spelling. */
export function fieldNameOf(schema: z.ZodType | undefined, key: string, object: PropertyMap): string {
  const inner = schema && unwrap(schema);
  if (!(inner instanceof z.ZodObject) || !catchallOf(inner)) return key;
  const name = Object.keys(inner.shape).find((field) => snakeCase(field) === key);
  return name === undefined || Object.hasOwn(object, name) ? key : name;
}

const withFieldNames = (schema: z.ZodType | undefined, value: PropertyMap): PropertyMap =>
  Object.fromEntries(Object.entries(value).map(([key, part]) => [fieldNameOf(schema, key, value), part]));

/** Servers round CPU to one decimal place (API `2A.ResourceSpec`), and some of them half of it to an even digit. */
function isSameCpu(left: unknown, right: unknown): boolean {
  if (typeof left !== "number" || typeof right !== "number") return Object.is(left, right);
  return Math.abs(left - right) <= 0.05 + Number.EPSILON * 100;
}

/** Servers format timestamps differently: `Z` may come back as `+00:00` (API `2.timestamps`) or be dropped. */
function isSameInstant(left: unknown, right: unknown): boolean {
  const [from, to] = [parseServerTimestamp(left), parseServerTimestamp(right)];
  return from === undefined || to === undefined ? Object.is(left, right) : from === to;
}

/** Compares lists of scalars in any order, and texts in any case: their items have known values. */
function isSameSet(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return Object.is(left, right);
  const toSet = (list: readonly unknown[]) =>
    new Set(list.map((item) => (typeof item === "string" ? caseless(item) : item)));
  const [from, to] = [toSet(left), toSet(right)];
  return from.size === to.size && [...from].every((item) => to.has(item));
}

/** Returns the paths at which two values differ, down to fields and map keys; a list counts as one value. */
export function diffPaths(schema: z.ZodType, left: unknown, right: unknown, path = ""): string[] {
  const inner = unwrap(schema);
  const isMap = inner instanceof z.ZodObject || inner instanceof z.ZodRecord || fieldMetadata.get(inner)?.open === true;
  const [before, after] = [left ?? {}, right ?? {}];
  if (isMap && isPropertyMap(before) && isPropertyMap(after)) {
    const [from, to] = [withFieldNames(schema, before), withFieldNames(schema, after)];
    return Object.keys({ ...from, ...to }).flatMap((key) => {
      const child = childOf(schema, key);
      return child ? diffPaths(child, getOwn(from, key), getOwn(to, key), path === "" ? key : `${path}.${key}`) : [];
    });
  }
  return isEqual(schema, left, right) ? [] : [path];
}

/**
 * Returns a value as these servers store it: they replace the escape sequence of JSON, also where the text itself
 * contains it.
 */
export function withoutNul<T>(value: T): T;
export function withoutNul(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "\ufffd").replaceAll("\\u0000", "\\ufffd");
  if (Array.isArray(value)) return value.map(withoutNul);
  if (!isPropertyMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [withoutNul(key), withoutNul(part)]));
}

/** Whether what a server returns is the declared value, as it is or as servers in Python store it. */
export const isStoredAs = (schema: z.ZodType | undefined, declared: unknown, remote: unknown): boolean =>
  isEqual(schema, declared, remote) || isEqual(schema, withoutNul(declared), remote);
