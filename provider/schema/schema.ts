/** Schemas beyond validation: how their values behave, their branches, and what stands at a path. */
import { z } from "zod";

/** A checked, plain value bag. Definitions narrow it to their own types. */
export type PropertyMap = Record<string, unknown>;

/** How a schema behaves beyond validation. Read by compare.ts, api/wire.ts and the generator of sdk/kinds.ts. */
export interface FieldMetadata {
  /** The name of the interface that users import for this object. */
  interface?: string;
  /** Two values are the same when they are equal in this sense, whatever their text. */
  compare?: "cpu" | "flag" | "given" | "instant" | "never" | "set" | "url" | "uuid";
  /** Computed by check from another input; users read it and do not write it. */
  computed?: boolean;
  /** The value of this setting is secret. */
  secret?: boolean;
  /** What the absence of this input means, as one of its values. */
  meaningWhenAbsent?: string;
  /** An optional output that always exists where these inputs have one of these values. */
  presentWith?: Readonly<Record<string, readonly string[]>>;
  /** The keys of this object are written on the wire as they are, not in snake case. */
  keepCase?: boolean;
  /** The type of a text that is usually one of some words (api/words.ts); any other is possible. */
  knownValues?: string;
  /** A text in which the interface's neutral words stand for a vendor's. */
  vocabularyTerm?: boolean;
}
export const fieldMetadata = z.registry<FieldMetadata>();

/** The strict objects that a definition's inputs consist of. */
export function variantsOf(schema: z.ZodType, discriminator?: string): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (discriminator && schema instanceof z.ZodDiscriminatedUnion) return schema.options as unknown as z.ZodObject[];
  throw new Error("Inputs are a strict object, or a discriminated union of them.");
}

/** Inputs that are a strict object, or a union of them told apart by one key. */
export interface VariantSchema {
  readonly inputs: z.ZodType;
  readonly discriminator?: string;
}

/** The branch that a value belongs to; undefined when its discriminator names none. */
export function variantFor(definition: VariantSchema, value: PropertyMap): z.ZodObject | undefined {
  const variants = variantsOf(definition.inputs, definition.discriminator);
  const key = definition.discriminator;
  if (!key) return variants[0];
  return variants.find((variant) => (variant.shape[key] as z.ZodLiteral).value === value[key]);
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
  if (inner instanceof z.ZodObject) return (getOwn(inner.shape, key) as z.ZodType | undefined) ?? catchallOf(inner);
  if (inner instanceof z.ZodRecord) return inner.valueType as z.ZodType;
  if (inner instanceof z.ZodArray) return inner.element as z.ZodType;
  return undefined;
}

/** The schema of the keys that an object knows nothing of; undefined where there may be none. */
export function catchallOf(schema: z.ZodObject): z.ZodType | undefined {
  const rest = schema.def.catchall as z.ZodType | undefined;
  return rest instanceof z.ZodNever ? undefined : rest;
}

/** The value of a key that may be any word: `toString` is in every object, and seldom what a user wrote. */
export const getOwn = <T>(properties: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(properties, key) ? properties[key] : undefined;

/** The value at a path; undefined when any part of the way is missing. */
export function valueAt(value: unknown, path: Path): unknown {
  return keysOf(path).reduce((at, key) => (isObjectOrArray(at) ? getOwn(at, key) : undefined), value);
}

/** Whether the value at a path, or anything on the way to it, is of some sort. */
export function someAncestor(value: unknown, path: Path, test: (value: unknown) => boolean): boolean {
  const keys = keysOf(path);
  return keys.some((_, index) => test(valueAt(value, keys.slice(0, index + 1))));
}

/** An object or a list: something with values inside. */
const isObjectOrArray = (value: unknown): value is PropertyMap => typeof value === "object" && value !== null;

/** An object that is no list. */
export const isPropertyMap = (value: unknown): value is PropertyMap => isObjectOrArray(value) && !Array.isArray(value);

/** Whether `path` is `pattern` or lies below it; `*` in the pattern stands for any one key. */
export function matchesPath(path: string, pattern: string): boolean {
  const keys = path.split(".");
  return pattern.split(".").every((part, index) => part === "*" || part === keys[index]) || pattern === "";
}
