/** Converts zod schemas to types of a package schema, and collects the objects and enums that have a name. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { KNOWN_VALUES, KNOWN_VALUES_DESCRIPTION } from "../../provider/api/known-values";
import { nativeToken } from "../../provider/definition/type-token";
import { descriptionOf, modelOf, titleOf } from "../../provider/schema/model";
import { fieldMetadata, metadataOf, shapeOf } from "../../provider/schema/schema";
import type { ComplexTypeSpec, EnumSpec, ObjectSpec, PropertySpec, TypeSpec } from "./spec";

const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };

export class TypeRegistry {
  readonly types: Record<string, ComplexTypeSpec> = {};

  /** @throws if a field or a named type has no description. */
  propertyOf(schema: z.ZodType, parent: string, key: string): PropertySpec {
    const description = descriptionOf(schema, `${parent}.${key}`);
    const type = this.typeOf(schema, `${parent}${titleOf(key)}`);
    return { ...type, description: description + keysText(schema), ...marksIn([schema]) };
  }

  /** @param name Name of the object, for its enums and errors. */
  objectOf(schema: z.ZodType, name: string): ObjectSpec {
    const fields = Object.entries(shapeOf(schema));
    const required = fields.filter(([, field]) => !(field instanceof z.ZodOptional)).map(([key]) => key);
    const properties = fields.map(([key, field]) => [key, this.propertyOf(field, name, key)] as const);
    return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  }

  /** @param name The name of the enum, if it is one that no list of known values names. */
  typeOf(schema: z.ZodType, name: string): TypeSpec {
    const model = modelOf(schema, name);
    switch (model.kind) {
      case "object":
        return model.isOpen ? mapOf(ANY) : this.namedObject(model.object, name);
      case "map":
        return mapOf(this.typeOf(model.value, name));
      case "list":
        return { type: "array", items: this.typeOf(model.item, name) };
      case "union":
        return { oneOf: model.options.map((option) => this.typeOf(option, name)) };
      case "enum":
        return this.enumOf(model.values as string[], name, descriptionOf(schema, name));
      case "string":
        return this.textOf(model.known);
      case "unknown":
        return ANY;
      case "literal":
        throw new Error(`${name}: a literal has no type in a package schema.`);
      default:
        return { type: model.kind };
    }
  }

  /** Registers a type and returns a reference to it. @throws if another type has the same name. */
  register(name: string, spec: ComplexTypeSpec): TypeSpec {
    const token = nativeToken(name);
    const existing = this.types[token];
    if (existing && !isDeepStrictEqual(existing, spec)) throw new Error(`Two different types are named ${name}.`);
    this.types[token] = spec;
    return referenceTo(name);
  }

  /** An open enum: one of its values, or any other string. The first registration may describe the values. */
  openEnum(name: string, values: EnumSpec["enum"]): TypeSpec {
    const isRegistered = isDeepStrictEqual(textsOf(this.types[nativeToken(name)]), values.map(textOf));
    const reference = isRegistered
      ? referenceTo(name)
      : this.register(name, { description: KNOWN_VALUES_DESCRIPTION, type: "string", enum: values });
    return { type: "string", oneOf: [{ type: "string" }, reference] };
  }

  private enumOf(values: readonly string[], name: string, description: string): TypeSpec {
    const known = Object.entries(KNOWN_VALUES).find(([, all]) => isDeepStrictEqual([...values], [...all]));
    if (known)
      return this.openEnum(
        known[0],
        values.map((value) => toEnumValue(value)),
      );
    return this.register(name, { description, type: "string", enum: values.map((value) => toEnumValue(value)) });
  }

  private textOf(known: string | undefined): TypeSpec {
    if (known === undefined) return { type: "string" };
    return this.openEnum(
      known,
      KNOWN_VALUES[known as keyof typeof KNOWN_VALUES].map((value) => toEnumValue(value)),
    );
  }

  private namedObject(schema: z.ZodObject, path: string): TypeSpec {
    const { interface: registered, description } = fieldMetadata.get(schema) ?? {};
    if (!registered || !description)
      throw new Error(`${path} is an object without an interface name and a description; register them.`);
    const name = registered.replace(/Args$/, "");
    return this.register(name, { description, type: "object", ...this.objectOf(schema, name) });
  }
}

/**
 * Returns what the variants of a property say: that a change replaces the resource, and that all of them are
 * deprecated.
 */
export function marksIn(
  schemas: readonly z.ZodType[],
): Pick<PropertySpec, "deprecationMessage" | "willReplaceOnChanges"> {
  const [message, ...others] = schemas.map((schema) => metadataOf(schema).deprecated);
  return {
    ...(message !== undefined && !others.includes(undefined) && { deprecationMessage: message }),
    ...(schemas.some((schema) => metadataOf(schema).replaces) && { willReplaceOnChanges: true }),
  };
}

/** An object with further keys is a map; its description lists the keys that have a meaning. */
function keysText(schema: z.ZodType): string {
  const model = modelOf(schema, "A schema");
  if (model.kind !== "object" || !model.isOpen) return "";
  const fields = Object.entries(model.fields);
  return `\n\n${fields.map(([key, field]) => `- \`${key}\`: ${descriptionOf(field, key)}`).join("\n")}`;
}

const mapOf = (additionalProperties: TypeSpec): TypeSpec => ({ type: "object", additionalProperties });
const referenceTo = (name: string): TypeSpec => ({ $ref: `#/types/${nativeToken(name)}` });
const textsOf = (type: ComplexTypeSpec | undefined) => (type && "enum" in type ? type.enum.map(textOf) : undefined);
const textOf = ({ value }: EnumSpec["enum"][number]) => value;

export type EnumValue = EnumSpec["enum"][number];

/** Values whose words the API joins. */
const NAMES: Readonly<Record<string, string>> = {
  githost: "GitHost",
  INTERVALSCHEDULED: "IntervalScheduled",
  TIMEDOUT: "TimedOut",
};

/**
 * Returns a member of an enum, with a name in the style that all languages share: Python turns `ExternalDocker` into
 * EXTERNAL_DOCKER.
 */
export function toEnumValue(value: string, description?: string): EnumValue {
  const name = NAMES[value] ?? value.split(/[_-]/).map(capitalize).join("");
  return { name, value, ...(description !== undefined && { description }) };
}

/** "docker" and "FAILED" become "Docker" and "Failed"; "IfNotPresent" stays. */
const capitalize = (word: string) =>
  word.charAt(0).toUpperCase() + (word === word.toUpperCase() ? word.slice(1).toLowerCase() : word.slice(1));
