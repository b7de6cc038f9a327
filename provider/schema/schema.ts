/** Schemas beyond validation: how their values behave, their branches, and what stands at a path. */
import { z } from "zod";

/** A checked, plain value bag. Definitions narrow it to their own types. */
export type Bag = Record<string, unknown>;

/** How a schema behaves beyond validation. Read by compare.ts, api/wire.ts and the generator of sdk/kinds.ts. */
export interface Marks {
  /** The name of the interface that users import for this object. */
  interface?: string;
  /** Two values are the same when they are equal in this sense, whatever their text. */
  compare?: "cpu" | "flag" | "given" | "instant" | "never" | "set" | "url" | "uuid";
  /** Computed by check from another input; users read it and do not write it. */
  computed?: boolean;
  /** The value of this setting is secret. */
  secret?: boolean;
  /** What the absence of this input means, as one of its values. */
  absent?: string;
  /** An optional output that always exists where these inputs have one of these values. */
  presentWith?: Readonly<Record<string, readonly string[]>>;
  /** The keys of this object are written on the wire as they are, not in snake case. */
  verbatim?: boolean;
  /** The type of a text that is usually one of some words (api/words.ts); any other is possible. */
  words?: string;
  /** A text in which the interface's neutral words stand for a vendor's. */
  word?: boolean;
}
export const marks = z.registry<Marks>();

/** The strict objects that a definition's inputs consist of. */
export function branchesOf(schema: z.ZodType, discriminator?: string): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (discriminator && schema instanceof z.ZodDiscriminatedUnion) return schema.options as unknown as z.ZodObject[];
  throw new Error("Inputs are a strict object, or a discriminated union of them.");
}

/** Inputs that are a strict object, or a union of them told apart by one key. */
export interface Branching {
  readonly inputs: z.ZodType;
  readonly discriminator?: string;
}

/** The branch that a value belongs to; undefined when its discriminator names none. */
export function branchFor(definition: Branching, value: Bag): z.ZodObject | undefined {
  const branches = branchesOf(definition.inputs, definition.discriminator);
  const key = definition.discriminator;
  if (!key) return branches[0];
  return branches.find((branch) => (branch.shape[key] as z.ZodLiteral).value === value[key]);
}

/** The schema inside `optional`, `nullable` and the like. */
export function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** A path as a text, `sourceConfig.listenerId`, or as its keys where a key may itself hold a dot. */
export type Path = string | readonly PropertyKey[];
const keysOf = (path: Path) => (typeof path === "string" ? (path === "" ? [] : path.split(".")) : path.map(String));

/** The schema at a path such as `sourceConfig.listenerId` or `secrets.*`. */
export function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  for (const key of keysOf(path)) at = at && childOf(at, key);
  return at;
}

/** The fields that the object at a path may have; none where there is no object. */
export function fieldsAt(schema: z.ZodType, path: Path): string[] {
  const at = schemaAt(schema, path);
  const object = at && unwrap(at);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

export function childOf(schema: z.ZodType, key: string): z.ZodType | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return (own(inner.shape, key) as z.ZodType | undefined) ?? restOf(inner);
  if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
  if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
  return undefined;
}

/** The schema of the keys that an object knows nothing of; undefined where there may be none. */
export function restOf(schema: z.ZodObject): z.ZodType | undefined {
  const rest = schema.def.catchall as z.ZodType | undefined;
  return rest instanceof z.ZodNever ? undefined : rest;
}

/** The value of a key that may be any word: `toString` is in every object, and seldom what a user wrote. */
export const own = <T>(bag: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(bag, key) ? bag[key] : undefined;

/** The value at a path; undefined when any part of the way is missing. */
export function valueAt(value: unknown, path: Path): unknown {
  return keysOf(path).reduce((at, key) => (hasProperties(at) ? own(at, key) : undefined), value);
}

/** Whether the value at a path, or anything on the way to it, is of some sort. */
export function someOnTheWay(value: unknown, path: Path, test: (value: unknown) => boolean): boolean {
  const keys = keysOf(path);
  return keys.some((_, index) => test(valueAt(value, keys.slice(0, index + 1))));
}

/** An object or a list: something with values inside. */
const hasProperties = (value: unknown): value is Bag => typeof value === "object" && value !== null;

/** An object that is no list. */
export const isBag = (value: unknown): value is Bag => hasProperties(value) && !Array.isArray(value);

/** Whether `path` is `pattern` or lies below it; `*` in the pattern stands for any one key. */
export function isWithin(path: string, pattern: string): boolean {
  const keys = path.split(".");
  return pattern.split(".").every((part, index) => part === "*" || part === keys[index]) || pattern === "";
}
