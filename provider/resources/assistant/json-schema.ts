/** Compares values with the JSON Schema of a graph's context, as far as the schema is understood. Pure. */
import { getOwn, isPropertyMap, type PropertyMap } from "../../schema/schema";
import { closestMatch } from "../../text/did-you-mean";

/** What is wrong with a value, by its path. It does not contain the value, which may be secret. */
export interface SchemaProblem {
  key: string;
  reason: string;
}

/** How deep values are compared: a schema may contain itself. */
const MAX_DEPTH = 12;

/** Returns unknown keys where a schema names some, keys with a wrong value, and missing ones inside. */
export function findProblems(root: PropertyMap, values: PropertyMap): SchemaProblem[] {
  return problemsInObject({ schema: resolve(root, root), root, path: [] }, values);
}

interface Place {
  schema: PropertyMap;
  root: PropertyMap;
  path: readonly string[];
}

const problemAt = (path: readonly string[], reason: string): SchemaProblem => ({ key: path.join("."), reason });

function problemsInObject({ schema, root, path }: Place, values: PropertyMap): SchemaProblem[] {
  const properties = isPropertyMap(schema.properties) ? schema.properties : {};
  const names = Object.keys(properties);
  const others = schema.additionalProperties;
  const isRoot = path.length === 0;
  // Without properties, or where others are possible, any key is. Libraries say that of contexts and ignore them.
  const isOpen =
    names.length === 0 || isPropertyMap(others) || (others === true && !isRoot) || "patternProperties" in schema;
  // A run may add the keys of the context itself.
  const required = !isRoot && Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter((name) => typeof name === "string" && getOwn(values, name) === undefined);
  return [
    ...missing.map((name) => problemAt(path, `its graph requires the key ${name}.`)),
    ...Object.entries(values).flatMap(([key, value]) => {
      const inner = [...path, key];
      const property = getOwn(properties, key) ?? (isPropertyMap(others) ? others : undefined);
      if (property !== undefined) return problemsOf({ schema: property as PropertyMap, root, path: inner }, value);
      if (isOpen) return [];
      const suggestion = closestMatch(key, names);
      const expected = suggestion ? `did you mean "${suggestion}"?` : `it knows ${names.join(", ")}.`;
      return [problemAt(inner, `its graph does not know this key; ${expected}`)];
    }),
  ];
}

function problemsOf({ schema: unresolved, root, path }: Place, value: unknown): SchemaProblem[] {
  if (!isPropertyMap(unresolved) || path.length > MAX_DEPTH) return [];
  const schema = resolve(unresolved, root);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return problemsOfChoices(choices, { schema, root, path }, value);
  const expected = expectationOf(schema, value);
  if (expected !== undefined) return [problemAt(path, `its graph expects ${expected}.`)];
  const { items } = schema;
  if (Array.isArray(value) && isPropertyMap(items))
    return value.flatMap((item, index) => problemsOf({ schema: items, root, path: [...path, String(index)] }, item));
  return isPropertyMap(value) ? problemsInObject({ schema, root, path }, value) : [];
}

/** Returns the problems with the only choice of the right type; without one, what they expect; of several, none. */
function problemsOfChoices(choices: readonly unknown[], { root, path }: Place, value: unknown): SchemaProblem[] {
  const schemas = choices.map((choice) => (isPropertyMap(choice) ? resolve(choice, root) : {}));
  const found = schemas.map((schema) => problemsOf({ schema, root, path }, value));
  if (found.some((problems) => problems.length === 0)) return [];
  const expected = schemas.map((schema) => expectationOf(schema, value));
  const similar = found.filter((_, index) => expected[index] === undefined);
  if (similar.length > 0) return similar.length === 1 ? similar.flat() : [];
  return [problemAt(path, `its graph expects ${[...new Set(expected)].join(" or ")}.`)];
}

function expectationOf(schema: PropertyMap, value: unknown): string | undefined {
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

/** Returns the schema that `#/$defs/Model` names, also through others: `allOf` with one is equivalent. */
function resolve(schema: PropertyMap, root: PropertyMap, depth = 0): PropertyMap {
  const [only, ...others] = Array.isArray(schema.allOf) ? schema.allOf : [];
  if (isPropertyMap(only) && others.length === 0 && depth < MAX_DEPTH) return resolve(only, root, depth + 1);
  if (typeof schema.$ref !== "string" || !schema.$ref.startsWith("#/")) return schema;
  const target = schema.$ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, key) => (isPropertyMap(at) ? getOwn(at, key) : undefined), root);
  return isPropertyMap(target) && depth < MAX_DEPTH ? resolve(target, root, depth + 1) : {};
}
