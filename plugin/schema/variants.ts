/**
 * Merges the variants of a resource's inputs into one object: a package schema has no discriminated unions of objects.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { descriptionOf, titleOf } from "../../provider/schema/model";
import { discriminatorOf, unwrap, variantsOf } from "../../provider/schema/schema";
import type { ObjectSpec, PropertySpec, TypeSpec } from "./spec";
import { marksIn, type TypeRegistry, toEnumValue } from "./types";

/** The schema of an object or field in the variants with these values of the discriminator. */
interface Variant<T extends z.ZodType = z.ZodType> {
  readonly value: string;
  readonly schema: T;
}

/**
 * Returns the inputs of a resource. What some variants do not have is optional, and its description names those that
 * do.
 */
export function inputsOf(inputs: z.ZodType, kind: string, types: TypeRegistry): ObjectSpec {
  const branches = variantsOf(inputs);
  const discriminator = discriminatorOf(inputs);
  if (!discriminator) return types.objectOf(branches[0] as z.ZodObject, kind);
  const variants = branches.map((schema) => ({
    value: String((schema.shape[discriminator] as z.ZodLiteral).value),
    schema,
  }));
  return mergeObjects(variants, kind, discriminator, types);
}

function mergeObjects(
  variants: readonly Variant<z.ZodObject>[],
  name: string,
  discriminator: string,
  types: TypeRegistry,
): ObjectSpec {
  const keys = [...new Set(variants.flatMap(({ schema }) => Object.keys(schema.shape)))];
  const required: string[] = [];
  const properties = keys.map((key) => {
    const having = variants.flatMap(({ value, schema }) => {
      const field = schema.shape[key] as z.ZodType | undefined;
      return field ? [{ value, schema: field }] : [];
    });
    if (having.length === variants.length && !having.some(isOptional)) required.push(key);
    const type = typeOf(having, `${name}${titleOf(key)}`, discriminator, types);
    const description = describe(key, having, variants, discriminator);
    const marks = marksIn(having.map(({ schema }) => schema));
    return [key, { ...type, description, ...marks } satisfies PropertySpec] as const;
  });
  return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}

/** Returns the type of a field. @throws if its variants have different types that are not objects. */
function typeOf(having: readonly Variant[], name: string, discriminator: string, types: TypeRegistry): TypeSpec {
  if (having.every(({ schema }) => schema instanceof z.ZodLiteral)) {
    const common = commonEnd(having.map(({ schema }) => descriptionOf(schema, name)));
    const values = having.map(({ value, schema }) => toEnumValue(value, ownPart(descriptionOf(schema, name), common)));
    return types.openEnum(name, values);
  }
  const objects = having.map(({ value, schema }) => ({ value, schema: unwrap(schema) }));
  if (new Set(objects.map(({ schema }) => schema)).size > 1 && objects.every(isObject)) {
    const description = `Which properties apply depends on \`${discriminator}\`.`;
    return types.register(name, { description, type: "object", ...mergeObjects(objects, name, discriminator, types) });
  }
  const [first = {}, ...others] = having.map(({ schema }) => types.typeOf(schema, name));
  if (others.every((other) => isDeepStrictEqual(other, first))) return first;
  throw new Error(`${name} has different types for different values of ${discriminator}.`);
}

const isObject = (variant: Variant): variant is Variant<z.ZodObject> => variant.schema instanceof z.ZodObject;
const isOptional = ({ schema }: Variant): boolean => schema instanceof z.ZodOptional;

/** Describes a field for each variant that has it. Sentences that are the same for all come once, at the end. */
function describe(key: string, having: readonly Variant[], all: readonly Variant[], discriminator: string): string {
  const descriptions = having.map((variant) => ({ ...variant, text: descriptionOf(variant.schema, key) }));
  const byText = Map.groupBy(descriptions, ({ text }) => text);
  const isEverywhere = having.length === all.length;
  const isRequired = !having.some(isOptional);
  if (byText.size === 1) {
    const [text = ""] = byText.keys();
    if (isEverywhere) return text;
    const values = having.map(({ value }) => `\`${discriminator}: ${value}\``).join(" or ");
    return `${text} Only with ${values}${isRequired ? ", where it is required" : ""}.`;
  }
  const common = commonEnd([...byText.keys()]);
  const rows = [...byText].map(([text, some]) => {
    const values = some.map(({ value }) => `\`${value}\``).join(", ");
    const isRequiredHere = !some.some(isOptional) && !(isEverywhere && isRequired);
    return `- ${values}: ${ownPart(text, common)}${isRequiredHere ? " Required." : ""}`;
  });
  return `${[leadOf(key, discriminator, isEverywhere), common].join(" ").trim()}\n\n${rows.join("\n")}`;
}

function leadOf(key: string, discriminator: string, isEverywhere: boolean): string {
  if (key === discriminator) return "Determines which other properties apply.";
  return `Depends on \`${discriminator}\`${isEverywhere ? "" : ", and applies only to the values listed here"}.`;
}

const ownPart = (text: string, common: string) => text.slice(0, text.length - common.length).trim();

/** Returns the longest sequence of whole sentences with which all texts end. */
function commonEnd(texts: readonly string[]): string {
  const sentences = texts.map((text) => text.split(/(?<=\.) (?=[A-Z])/));
  const [first = []] = sentences;
  const isShared = (count: number) =>
    sentences.every((own) => own.length > count && isDeepStrictEqual(own.slice(-count), first.slice(-count)));
  const counts = first.map((_, index) => index + 1).filter(isShared);
  const longest = Math.max(0, ...counts);
  return longest === 0 ? "" : first.slice(-longest).join(" ");
}
