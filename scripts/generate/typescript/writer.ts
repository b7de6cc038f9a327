/** Converts schemas to the TypeScript interfaces of a generated file. */
import { z } from "zod";
import { descriptionOf, type Model, modelOf } from "../../../dist/provider/schema/model.js";
import { fieldMetadata, metadataOf } from "../../../dist/provider/schema/schema.js";

type ObjectModel = Extract<Model, { kind: "object" }>;
export type Shape = Readonly<Record<string, z.ZodType>>;

/** Returns the type of a field from the type of its value, and whether the field may be absent. */
export type Wrap = (type: string, isOpen?: boolean) => string;
export const plain: Wrap = (type) => type;

/** Returns the fields of an object. @throws if the schema is none */
export function shapeOf(schema: z.ZodType): Shape {
  const model = modelOf(schema, "A schema");
  if (model.kind === "object") return model.fields;
  throw new Error(`A schema of type ${schema.type} has no fields.`);
}

export const isOptional = (schema: z.ZodType): boolean => schema instanceof z.ZodOptional;
export const isComputed = (schema: z.ZodType): boolean => metadataOf(schema).computed !== undefined;

/** Returns the values of an enum or a literal. @throws if the schema is neither. */
export function valuesOf(schema: z.ZodType): readonly unknown[] {
  const model = modelOf(schema, "A schema");
  if ("values" in model) return model.values;
  throw new Error(`A schema of type ${schema.type} has no list of values.`);
}

/** Returns the type of these values. */
export const literals = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(" | ");

const commentOf = (schema: z.ZodType, path: string) =>
  comment([descriptionOf(schema, path), ...deprecatedTag([schema])]);

/** Returns a member of an interface with its comment. @param name With `readonly` and `?`. */
export const member = (schema: z.ZodType, path: string, name: string, type: string): string =>
  `${commentOf(schema, path)}  ${name}: ${type};\n`;

/** Returns the tag of a member that is deprecated in all variants that have it. */
export function deprecatedTag(schemas: readonly z.ZodType[]): string[] {
  const messages = schemas.map((schema) => metadataOf(schema).deprecated);
  return messages.includes(undefined) ? [] : [`@deprecated ${messages[0]}`];
}

/** Returns the type parameters of an object: those of its fields, and of the objects in them. */
export function parametersIn(schema: z.ZodType): string[] {
  const { typeParameter } = metadataOf(schema);
  if (typeParameter) return [typeParameter];
  const model = modelOf(schema, "A schema");
  return model.kind === "object" ? [...new Set(Object.values(model.fields).flatMap(parametersIn))] : [];
}

/** The keys of users that a program does not type. */
const FREE_FORM = "Record<string, unknown>";
export const declareParameter = (name: string): string => `${name} extends object = ${FREE_FORM}`;
export const angled = (names: readonly string[]): string => (names.length > 0 ? `<${names.join(", ")}>` : "");

/** Returns the doc comment of a member, on one line if there is only one. */
export function comment(lines: readonly string[]): string {
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  return safe.length === 1 ? `  /** ${safe[0]} */\n` : `  /**\n${safe.map((line) => `   * ${line}\n`).join("")}   */\n`;
}

/** @param rename Names an interface in this file. @param isGeneric Whether interfaces have type parameters. */
export function createWriter(rename = (name: string) => name, isGeneric = false) {
  const interfaces = new Map<string, string>();
  const parametersOf = (schema: z.ZodType) => (isGeneric ? parametersIn(schema) : []);

  /** Returns the type of a schema, and writes the interfaces of the objects in it. */
  function typeOf(schema: z.ZodType, path: string, wrap: Wrap): string {
    const model = modelOf(schema, path);
    switch (model.kind) {
      case "object":
        return nameOf(model, path, wrap);
      case "map":
        return `Record<string, ${wrap(typeOf(model.value, `${path}.*`, wrap))}>`;
      case "list":
        return listOf(wrap(typeOf(model.item, `${path}[]`, wrap)));
      case "union":
        return model.options.map((option) => typeOf(option, path, wrap)).join(" | ");
      case "enum":
      case "literal":
        return literals(model.values);
      case "string":
        return model.known ?? "string";
      case "integer":
        return "number";
      default:
        return model.kind;
    }
  }

  function nameOf({ object, fields, isOpen }: ObjectModel, path: string, wrap: Wrap): string {
    const { interface: registered, description } = fieldMetadata.get(object) ?? {};
    if (!registered) throw new Error(`${path} is an object without an interface name; register one.`);
    const name = rename(registered);
    if (!interfaces.has(name)) {
      interfaces.set(name, "");
      const open = isOpen ? `  [key: string]: ${wrap("unknown")};\n` : "";
      const text = interfaceText(name, fields, () => wrap, { path }).replace(/}\n$/, `${open}}\n`);
      interfaces.set(name, description ? `/** ${description} */\n${text}` : text);
    }
    return `${name}${angled(parametersOf(object))}`;
  }

  /**
   * @param wrapOf Returns how to wrap the type of a field: inputs accept Outputs, the discriminator and outputs do not.
   * @param at.path Its path in the schema. @param at.loose A field that has a default outside the schema.
   */
  function interfaceText(
    name: string,
    shape: Shape,
    wrapOf: (key: string) => Wrap,
    { path, loose }: { path: string; loose?: string | undefined },
  ) {
    const written = Object.entries(shape).filter(([, schema]) => !isComputed(schema));
    const fields = written.map(([key, schema]) => {
      const [wrap, at] = [wrapOf(key), `${path}.${key}`];
      const isOpen = isOptional(schema) || key === loose;
      const { typeParameter } = isGeneric ? metadataOf(schema) : {};
      const type = typeParameter
        ? `DeepInput<${typeParameter}${isOpen ? " | undefined" : ""}>`
        : wrap(typeOf(schema, at, wrap), isOpen);
      return member(schema, at, `${key}${isOpen ? "?" : ""}`, type);
    });
    const parameters = [...new Set(written.flatMap(([, schema]) => parametersOf(schema)))];
    return `export interface ${name}${angled(parameters.map(declareParameter))} {\n${fields.join("")}}\n`;
  }

  return { interfaces, typeOf, interfaceText };
}

const listOf = (type: string) => (type.includes(" | ") ? `(${type})[]` : `${type}[]`);
