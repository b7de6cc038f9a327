/** Reads JSON Schema of several versions, as libraries write it. Pure. */
import { getOwn, isPropertyMap, type PropertyMap } from "../../provider/schema/schema";

/** Keywords that decide which values are valid, and that a type expresses. */
const STRUCTURE = ["type", "const", "enum", "properties", "required", "additionalProperties", "patternProperties"];
const LIST_STRUCTURE = ["items", "prefixItems", "additionalItems", "propertyNames"];

/** Whether a schema says itself which values are valid, rather than by the schemas that it consists of. */
export const hasStructure = (schema: PropertyMap): boolean =>
  [...STRUCTURE, ...LIST_STRUCTURE].some((key) => key in schema);

/** Whether a schema only describes: a description, or limits that no type expresses. */
export const isAnnotation = (schema: unknown): boolean =>
  isPropertyMap(schema) && !hasStructure(schema) && !["$ref", "allOf", "anyOf", "oneOf"].some((key) => key in schema);

export function listAt(schema: PropertyMap, key: string): readonly unknown[] {
  const list = getOwn(schema, key);
  return Array.isArray(list) ? list : [];
}

const objectAt = (schema: PropertyMap, key: string): PropertyMap => {
  const object = getOwn(schema, key);
  return isPropertyMap(object) ? object : {};
};

export const patternsOf = (schema: PropertyMap): PropertyMap => objectAt(schema, "patternProperties");

export const propertiesOf = (schema: PropertyMap): [key: string, schema: unknown][] =>
  Object.entries(objectAt(schema, "properties"));

/** Returns the possible keys of a map; empty where any key is. */
const keysOf = (schema: PropertyMap): readonly unknown[] => listAt(objectAt(schema, "propertyNames"), "enum");

/** Returns the schema of the other keys of an object, of which there are some; undefined where there is none. */
export const othersOf = ({ additionalProperties: others }: PropertyMap): unknown =>
  others === false ? undefined : others;

/** Returns a map with a list of possible keys as an object with these properties. */
export function withKeys(schema: PropertyMap): PropertyMap {
  const keys = keysOf(schema).filter((key) => typeof key === "string");
  if (keys.length === 0 || propertiesOf(schema).length > 0) return schema;
  const properties = Object.fromEntries(keys.map((key) => [key, schema.additionalProperties ?? true]));
  return { ...schema, properties, additionalProperties: false };
}

/** Returns the type of a schema that does not say one, from its other keywords. */
export function inferType(schema: PropertyMap): "object" | "array" | undefined {
  const has = (...keys: string[]) => keys.some((key) => key in schema);
  if (has("properties", "additionalProperties", "patternProperties", "propertyNames", "required")) return "object";
  return has("items", "prefixItems") ? "array" : undefined;
}

/** Returns the schema that a reference such as `#/$defs/Model` names; undefined where the document has none. */
export function lookUp(root: PropertyMap, reference: unknown): unknown {
  if (reference === "#") return root;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
  return keysIn(reference).reduce<unknown>((at, key) => {
    const isContainer = isPropertyMap(at) || Array.isArray(at);
    return isContainer ? getOwn(at as PropertyMap, key) : undefined;
  }, root);
}

/** Returns the keys that a reference names, from the root. */
export const keysIn = (reference: string): string[] =>
  reference
    .slice("#/".length)
    .split("/")
    .map((part) => decode(part).replaceAll("~1", "/").replaceAll("~0", "~"));

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the schemas that must all be valid for a value: the given one, what it refers to, and those in `allOf`. */
export function flatten(root: PropertyMap, schema: unknown, seen = new Set<unknown>()): PropertyMap[] {
  if (!isPropertyMap(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, allOf: _, ...rest } = schema;
  const parts = [...($ref === undefined ? [] : [lookUp(root, $ref)]), ...listAt(schema, "allOf")];
  return [...parts.flatMap((part) => flatten(root, part, seen)), rest];
}

/**
 * Returns one schema for several that must all be valid. What they say of the same is combined as far as a type shows.
 */
export const merge = (schemas: readonly PropertyMap[]): PropertyMap => schemas.reduce(mergeTwo, {});

function mergeTwo(a: PropertyMap, b: PropertyMap): PropertyMap {
  const merged = { ...a, ...b };
  const both = (key: string) => key in a && key in b;
  if (both("properties")) merged.properties = mergeProperties(objectAt(a, "properties"), objectAt(b, "properties"));
  if (both("required")) merged.required = [...listAt(a, "required"), ...listAt(b, "required")];
  if (both("additionalProperties")) {
    const isClosed = a.additionalProperties === false || b.additionalProperties === true;
    merged.additionalProperties = isClosed ? a.additionalProperties : b.additionalProperties;
  }
  if (both("type")) merged.type = commonTypes([a.type].flat(), [b.type].flat());
  if (both("enum")) merged.enum = listAt(a, "enum").filter((value) => listAt(b, "enum").includes(value));
  return merged;
}

function mergeProperties(a: PropertyMap, b: PropertyMap): PropertyMap {
  const shared = Object.keys(a).filter((key) => Object.hasOwn(b, key));
  return { ...a, ...b, ...Object.fromEntries(shared.map((key) => [key, { allOf: [a[key], b[key]] }])) };
}

function commonTypes(a: readonly unknown[], b: readonly unknown[]): unknown {
  const common = a.filter((type) => b.includes(type) || (type === "integer" && b.includes("number")));
  const narrowed = b.filter((type) => type === "integer" && a.includes("number") && !common.includes(type));
  return common.length + narrowed.length > 0 ? [...common, ...narrowed] : ["never"];
}
