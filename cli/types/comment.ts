/** Describes a schema in words: its description, and what no type expresses. Pure. */
import { isPropertyMap, type PropertyMap } from "../../provider/schema/schema";
import { cleanText } from "../../provider/text/clean";
import { listAt } from "./json-schema";
import { pascalCase } from "./names";

/** Limits of values, and what they are called. */
const LIMITS: Readonly<Record<string, string>> = {
  default: "Default",
  format: "Format",
  pattern: "Pattern",
  minimum: "Minimum",
  maximum: "Maximum",
  exclusiveMinimum: "Greater than",
  exclusiveMaximum: "Less than",
  multipleOf: "Multiple of",
  minLength: "Minimum length",
  maxLength: "Maximum length",
  minItems: "Minimum number of items",
  maxItems: "Maximum number of items",
  minProperties: "Minimum number of keys",
  maxProperties: "Maximum number of keys",
  contentEncoding: "Encoding",
  contentMediaType: "Media type",
  examples: "Examples",
};
const NOT_EXPRESSED = [
  ...["not", "if", "then", "else", "contains", "patternProperties", "propertyNames", "dependentRequired"],
  ...["dependentSchemas", "dependencies", "unevaluatedProperties", "unevaluatedItems"],
];
/** Every key is a text, and a list of keys is that of the fields. */
const isExpressed = (keyword: string, { propertyNames }: PropertyMap): boolean =>
  keyword === "propertyNames" &&
  isPropertyMap(propertyNames) &&
  !["pattern", "format"].some((key) => key in propertyNames);
const MAX_VALUE_LENGTH = 200;

/** Returns a line that says why a type is wider than its schema. */
export const noteOf = (what: string): string => `Not in this type: ${what}.`;

/**
 * Returns the lines of a comment; none where the schema says nothing.
 * @param key The key whose value it describes; a title that only repeats it is left out.
 * @param notes What its type does not express, beginning with a verb.
 */
export function describeSchema(schema: unknown, key: string, notes: readonly string[] = []): string[] {
  if (!isPropertyMap(schema)) return [];
  const { description, title, deprecated } = schema;
  const isTitle =
    typeof title === "string" && key !== "" && pascalCase(title).toLowerCase() !== pascalCase(key).toLowerCase();
  const text = typeof description === "string" ? description : isTitle ? title : "";
  const limits = limitsOf(schema);
  const items = isPropertyMap(schema.items) ? limitsOf(schema.items) : [];
  const missing = NOT_EXPRESSED.filter((keyword) => keyword in schema && !isExpressed(keyword, schema));
  return [
    ...linesOf(text),
    ...(deprecated === true ? ["Deprecated."] : []),
    ...(limits.length > 0 ? [`${limits.join(". ")}.`] : []),
    ...(items.length > 0 ? [`Of each item: ${items.join(". ")}.`] : []),
    ...(missing.length > 0 ? [noteOf(`the schema's ${missing.join(", ")}`)] : []),
    ...new Set(notes.map((note) => noteOf(`the schema ${note}`))),
  ].map((line) => cleanText(line).replace(/[\n\t]/g, " "));
}

/** Returns the lines of a text without empty ones at its ends. */
const linesOf = (text: string): string[] => {
  const trimmed = cleanText(text).trim();
  return trimmed === "" ? [] : trimmed.split("\n").map((line) => line.trimEnd());
};

/** Returns the limits of a value that is not null, in words. */
function limitsOf(schema: PropertyMap): string[] {
  const choices = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")].filter(isPropertyMap);
  const others = choices.filter(({ type }) => type !== "null");
  const parts = [schema, ...(others.length === 1 ? others : []), ...listAt(schema, "allOf").filter(isPropertyMap)];
  const limits = parts.flatMap((part) => [
    ...(part.type === "integer" ? ["Integer"] : []),
    ...Object.entries(LIMITS).flatMap(([keyword, name]) => {
      const text = limitText(keyword, part);
      return text === undefined ? [] : [`${name}: ${text}`];
    }),
    ...(part.uniqueItems === true ? ["Each item is unique"] : []),
  ]);
  return [...new Set(limits)];
}

/** Returns the value of a limit; undefined where it says nothing more than the type. */
function limitText(keyword: string, { [keyword]: value, prefixItems }: PropertyMap): string | undefined {
  const isOfTuple = prefixItems !== undefined && (keyword === "minItems" || keyword === "maxItems");
  // Libraries write the bounds of integers that JavaScript can represent.
  const isBound = Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  if (value === undefined || value === null || isOfTuple || isBound) return undefined;
  return shorten(typeof value === "string" && keyword !== "default" ? value : JSON.stringify(value));
}

const shorten = (text: string): string =>
  text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
