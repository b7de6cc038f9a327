/**
 * Converts between the properties of a resource and the objects of an API, as the metadata of the fields say. The
 * clients rename the fields, and send those alone that the body of a request has. Pure.
 */
import { z } from "zod";
import { fieldNameOf, isEqual, isStoredAs, withoutNul } from "./compare";
import { isMask, missingExtra } from "./extra";
import { isMap } from "./fields";
import {
  childOf,
  getOwn,
  isObjectOrArray,
  isPropertyMap,
  metadataOf,
  type PropertyMap,
  shapeOf,
  unwrap,
  valueAt,
} from "./schema";

/** Returns the outputs of a resource with the server's values; those that a response omits keep their values. */
export function toOutputs<S>(outputs: z.ZodType<S>, remote: object, previous: Partial<S> = {}): S {
  const values = Object.entries(shapeOf(outputs)).map(([name, schema]) => {
    const { wireName = name, absentMeans } = metadataOf(schema);
    return [name, valueAt(remote, wireName) ?? (previous as PropertyMap)[name] ?? absentMeans];
  });
  return Object.fromEntries(values) as S;
}

/** Whether a value counts as applied though not returned: `undefined` without the field, `null` where it is null. */
export type IsApplied = (path: string, server: null | undefined) => boolean;

/** A missing field in a response proves nothing. */
const isAppliedUnlessNull: IsApplied = (_path, server) => server === undefined;

/**
 * Returns the declared inputs with the remote value wherever that differs semantically. Undeclared fields are left out,
 * since the server fills in defaults; so are fields that the server does not return, unless `isApplied` says otherwise.
 */
export function mergeRemote<T>(schema: z.ZodType, declared: T, server: unknown, isApplied = isAppliedUnlessNull): T {
  const isNone = server === undefined || server === null;
  const { merge, open } = metadataOf(schema);
  if (open) return mergeOpen(declared, server, isApplied) as T;
  if (merge === "keys" && isPropertyMap(declared) && isPropertyMap(server)) return mergeKeys(declared, server) as T;
  const isByField = merge === undefined && unwrap(schema) instanceof z.ZodObject && (isNone || isPropertyMap(server));
  if (isByField && isPropertyMap(declared)) {
    const all = Object.entries(shapeOf(schema)).filter(([, field]) => metadataOf(field).comparedIfAbsent);
    const merged = [...new Set([...Object.keys(declared), ...all.map(([key]) => key)])].map((key) => {
      const field = fieldNameOf(schema, key, declared);
      const child = childOf(schema, field);
      const remote = isNone ? server : getOwn(server as PropertyMap, field);
      const isPartApplied: IsApplied = (path, part) => isApplied(path === "" ? key : `${key}.${path}`, part);
      return [key, child ? mergeRemote(child, declared[key], remote, isPartApplied) : declared[key]] as const;
    });
    return Object.fromEntries(merged.filter(([, value]) => value != null)) as T;
  }
  if (isStoredAs(schema, declared, server)) return declared;
  // An empty list or map is equivalent to an absent one.
  if (isNone) return (isEmpty(declared) || isApplied("", server) ? declared : undefined) as T;
  return server as T;
}

/** The same for fields that we do not type: only what is declared is compared, at every depth. A list is one value. */
function mergeOpen(declared: unknown, server: unknown, isApplied: IsApplied): unknown {
  if (isPropertyMap(declared) && (server == null || isPropertyMap(server))) {
    const merged = Object.entries(declared).map(([key, part]) => {
      const isPartApplied: IsApplied = (path, none) => isApplied(path === "" ? key : `${key}.${path}`, none);
      return [key, mergeOpen(part, server == null ? undefined : getOwn(server, key), isPartApplied)] as const;
    });
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  }
  if (isStoredAs(undefined, declared, server) || isMask(server)) return declared;
  return server == null ? (isApplied("", server) ? declared : undefined) : server;
}

/** Returns the declared entries with the server's values. One declared as null is null there, or absent. */
const mergeKeys = (declared: PropertyMap, server: PropertyMap): PropertyMap =>
  withoutNulls(
    Object.fromEntries(
      Object.entries(declared).map(([key, value]) => {
        const other = getOwn(server, key) ?? getOwn(server, withoutNul(key));
        return [key, isStoredAs(undefined, value, other) ? value : other];
      }),
    ),
  );

/** Returns the desired inputs, with the default, nothing or null in place of those that are no longer declared. */
export function withRemoved<I extends PropertyMap>(inputs: z.ZodType<I>, previous: Partial<I>, desired: I): I {
  const entries = Object.entries(shapeOf(inputs)).map(([key, field]) => {
    const [from, to] = [previous[key], desired[key]];
    if (metadataOf(field).merge === "keys" && isPropertyMap(from))
      return [key, { ...nulls(Object.keys(from)), ...(to as PropertyMap | undefined) }];
    return [key, from == null ? to : (to ?? removedValue(field))];
  });
  return Object.fromEntries(entries.filter(([, value]) => value != null)) as I;
}

/** Returns what an update that removes every input that it can remove leads to. */
export const clearedInputs = <I extends PropertyMap>(inputs: z.ZodType<I>): Partial<I> =>
  withoutNulls(
    Object.fromEntries(
      Object.entries(shapeOf(inputs)).flatMap(([key, field]) => {
        const { replaces, effect, merge } = metadataOf(field);
        return replaces || effect === "none" || merge === "keys" ? [] : [[key, removedValue(field)]];
      }),
    ),
  ) as Partial<I>;

/** Returns the inputs that differ and that an update can change, with what takes the place of removed ones. */
export function changesBetween<I extends PropertyMap>(
  inputs: z.ZodType<I>,
  from: Partial<I>,
  to: Partial<I>,
): PropertyMap {
  const changes = Object.entries(shapeOf(inputs)).flatMap(([key, field]) => {
    const { replaces, effect, merge, open } = metadataOf(field);
    if (replaces || effect === "none") return [];
    if (open) return [[key, missingExtra(from[key], to[key])]];
    if (merge === "keys") {
      const keys = diffKeys(from[key] as PropertyMap | undefined, to[key] as PropertyMap | undefined);
      return isEmpty(keys) ? [] : [[key, keys]];
    }
    return isEqual(field, from[key], to[key]) ? [] : [[key, to[key] ?? removedValue(field)]];
  });
  return Object.fromEntries(changes.filter(([, value]) => value !== undefined));
}

function diffKeys(from: PropertyMap = {}, to: PropertyMap = {}): PropertyMap {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const changed = keys.filter((key) => !isEqual(undefined, getOwn(from, key), getOwn(to, key)));
  return Object.fromEntries(changed.map((key) => [key, getOwn(to, key) ?? null]));
}

function removedValue(field: z.ZodType): unknown {
  const { replacesIfRemoved, absentMeans } = metadataOf(field);
  const type = unwrap(field);
  const empty = isMap(type) ? {} : type instanceof z.ZodArray ? [] : null;
  return replacesIfRemoved ? undefined : (absentMeans ?? empty);
}

export const withoutNulls = (properties: PropertyMap): PropertyMap =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value != null));

const nulls = (keys: string[]): PropertyMap => Object.fromEntries(keys.map((key) => [key, null]));

export const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

export const isFilled = (value: unknown): boolean => isPropertyMap(value) && !isEmpty(value);

/**
 * The placeholder for a secret that `agentgraph adopt` could not read. The first update or refresh resolves it. Frozen:
 * users' state contains it.
 */
export const UNKNOWN_SECRET = "not known before the first `pulumi up`";

/** Returns the value with every placeholder replaced by what `from` has at the same path. */
export function resolvePlaceholders<T>(value: T, from: unknown): T {
  if (value === UNKNOWN_SECRET) return (from ?? value) as T;
  if (!isObjectOrArray(value) || !isObjectOrArray(from)) return value;
  const resolved = Object.entries(value).map(([key, part]) => [key, resolvePlaceholders(part, getOwn(from, key))]);
  return (Array.isArray(value) ? resolved.map(([, part]) => part) : Object.fromEntries(resolved)) as T;
}
