/** Compares values with the JSON Schema of a graph's context. What is not understood of a schema is not checked. Pure. */
import { getOwn, isPropertyMap, type PropertyMap } from "../../schema/schema";
import { closestMatch } from "../../text/did-you-mean";

/** What is wrong with a value, by its key. It does not contain the value, which may be secret. */
export interface SchemaProblem {
  key: string;
  reason: string;
}

/** Returns the keys that a schema does not know, although it names some, and those with a wrong value. */
export function findProblems(root: PropertyMap, values: PropertyMap): SchemaProblem[] {
  const schema = resolve(root, root);
  const properties = isPropertyMap(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  // Without properties, or with a schema for all others, any key is possible.
  if (names.length === 0 || isPropertyMap(schema.additionalProperties)) return [];
  return Object.entries(values).flatMap(([key, value]) => {
    const property = getOwn(properties, key);
    if (property === undefined) {
      const suggestion = closestMatch(key, names);
      const expected = suggestion ? `did you mean "${suggestion}"?` : `it knows ${names.join(", ")}.`;
      return [{ key, reason: `its graph does not know this key; ${expected}` }];
    }
    const expected = expectationOf(property, value, root);
    return expected === undefined ? [] : [{ key, reason: `its graph expects ${expected}.` }];
  });
}

/** Returns what a schema expects instead of a value; undefined when the value matches, or the schema is not understood. */
function expectationOf(unresolved: unknown, value: unknown, root: PropertyMap): string | undefined {
  if (!isPropertyMap(unresolved)) return undefined;
  const schema = resolve(unresolved, root);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    const expected = choices.map((choice) => expectationOf(choice, value, root));
    return expected.includes(undefined) ? undefined : [...new Set(expected)].join(" or ");
  }
  const allowed = Array.isArray(schema.enum) ? schema.enum : "const" in schema ? [schema.const] : undefined;
  if (allowed && !allowed.some((item) => JSON.stringify(item) === JSON.stringify(value)))
    return allowed.map((item) => JSON.stringify(item)).join(" or ");
  const types = [schema.type ?? []].flat().filter((type) => typeof type === "string" && Object.hasOwn(IS_TYPE, type));
  if (types.length === 0 || types.some((type) => IS_TYPE[type as keyof typeof IS_TYPE](value))) return undefined;
  return types.join(" or ");
}

const IS_TYPE = {
  string: (value: unknown) => typeof value === "string",
  number: (value: unknown) => typeof value === "number",
  integer: (value: unknown) => Number.isInteger(value),
  boolean: (value: unknown) => typeof value === "boolean",
  array: (value: unknown) => Array.isArray(value),
  object: isPropertyMap,
  null: (value: unknown) => value === null,
};

/** Returns the schema that a reference such as `#/$defs/Model` names. References of references are not followed. */
function resolve(schema: PropertyMap, root: PropertyMap): PropertyMap {
  if (typeof schema.$ref !== "string" || !schema.$ref.startsWith("#/")) return schema;
  const target = schema.$ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, key) => (isPropertyMap(at) ? getOwn(at, key) : undefined), root);
  return isPropertyMap(target) ? target : {};
}
