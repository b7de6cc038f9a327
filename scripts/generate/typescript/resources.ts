/**
 * Generates sdk/nodejs/resources.ts: the arguments, outputs and class types of each kind of resource. From the
 * definitions, because the package schema merges the variants of the arguments into one object.
 */
import type { z } from "zod";
import { KNOWN_VALUES, KNOWN_VALUES_DESCRIPTION } from "../../../dist/provider/api/known-values.js";
import type { Definition } from "../../../dist/provider/definition/definition.js";
import { definitions } from "../../../dist/provider/definitions.js";
import { titleOf } from "../../../dist/provider/schema/model.js";
import { discriminatorOf, fieldMetadata, metadataOf, variantsOf } from "../../../dist/provider/schema/schema.js";
import { isSecretSetting, type SettingKey, settingsSchema } from "../../../dist/provider/settings/settings-schema.js";
import { describeInput, type Variant } from "./input-description.ts";
import { metadata } from "./resource-metadata.ts";
import {
  angled,
  comment,
  createWriter,
  declareParameter,
  deprecatedTag,
  isComputed,
  isOptional,
  literals,
  member,
  parametersIn,
  plain,
  shapeOf,
  valuesOf,
  type Wrap,
} from "./writer.ts";

const { interfaces, typeOf, interfaceText } = createWriter((name) => name, true);
const input: Wrap = (type, isOpen) => `pulumi.Input<${type}${isOpen ? " | undefined" : ""}>`;

/** An input that outputs depend on. It is a type parameter, so that outputs that always exist need no check. */
interface Parameter {
  key: string;
  name: string;
  /** The type of all its values, by name, and in full. */
  type: string;
  values: string;
  /** The type of its value if the program does not set it. */
  initial: string;
}

interface Kind {
  kind: string;
  schema: Definition["schema"];
  discriminator: string | undefined;
  /** The input that defaults to the name of the resource. */
  nameInput: string | undefined;
  /** The property that contains the ID of the object. */
  idProperty: string | undefined;
  variants: Variant[];
  /** The interface with the arguments for each value of the discriminator. */
  byValue: string;
  parameters: Parameter[];
  /** The type parameters for keys of users. */
  typeParameters: string[];
}

function kindOf({ kind, schema }: Definition): Kind {
  const { inputs, outputs } = schema;
  const discriminator = discriminatorOf(inputs);
  const nameInput = schema.nameInput;
  const variants = variantsOf(inputs).map((branch) => {
    const name = interfaceOf(branch, kind);
    const shape = shapeOf(branch);
    const wrapOf = (key: string) => (key === discriminator ? plain : input);
    interfaces.set(name, interfaceText(name, shape, wrapOf, { path: kind, loose: nameInput }));
    const [value] = discriminator && shape[discriminator] ? valuesOf(shape[discriminator]) : [];
    return { value, shape, interface: name };
  });
  const byValue = `${kind}ArgsBy${titleOf(discriminator ?? "")}`;
  const needed = Object.values(shapeOf(outputs)).flatMap((field) => Object.keys(metadataOf(field).presentWith ?? {}));
  const keys = new Set([...(discriminator ? [discriminator] : []), ...needed]);
  const parameters = [...keys].map((key) => {
    const schemas = schemasOf(key, variants);
    const values = [...new Set(schemas.flatMap(valuesOf))];
    const absent = schemas.map((field) => metadataOf(field).meaningWhenAbsent).find(Boolean);
    const name = titleOf(key);
    const type = key === discriminator ? `keyof ${byValue}` : `${kind}${name}`;
    return { key, name, type, values: literals(values), initial: literals(absent ? [absent] : values) };
  });
  const { idProperty } = schema;
  const typeParameters = parametersIn(inputs);
  return { kind, schema, discriminator, nameInput, idProperty, variants, byValue, parameters, typeParameters };
}

const schemasOf = (key: string, variants: readonly Variant[]) => variants.flatMap(({ shape }) => shape[key] ?? []);

function interfaceOf(inputs: z.ZodObject, kind: string): string {
  const name = fieldMetadata.get(inputs)?.interface;
  if (name) return name;
  throw new Error(
    `${kind}: its inputs have no interface name; add .register(fieldMetadata, { interface: "${kind}Args" }).`,
  );
}

function kindText(one: Kind): string[] {
  const { kind, discriminator, parameters, typeParameters } = one;
  const list = (text: (parameter: Parameter) => string, of: (name: string) => string) =>
    angled([...parameters.map(text), ...typeParameters.map(of)]);
  const any = list(({ name, type }) => `${name} extends ${type} = ${type}`, declareParameter);
  const instance = `${kind}${list(({ name }) => name, String)}`;
  // The values are inlined, so that the compiler error for an invalid one lists them.
  const generic = list(({ name, values, initial }) => `${name} extends ${values} = ${initial}`, declareParameter);
  const construct =
    `new ${generic}(name: string, args: ${argumentsOf(one)}, options?: pulumi.CustomResourceOptions): ` +
    `${instance};`;
  const others = parameters.filter(({ key }) => key !== discriminator);
  return [
    ...variantsText(one),
    ...others.map(({ key, type, values }) => `/** Values of \`${key}\`. */\nexport type ${type} = ${values};\n`),
    `export interface ${kind}${any} extends pulumi.CustomResource {\n${inputFields(one)}${outputFields(one)}}\n`,
    `export interface ${kind}Class {\n  ${construct}\n${staticMembers(one, any, instance)}}\n`,
  ];
}

/** The types of the arguments of a kind with a discriminator. */
function variantsText({ kind, discriminator, variants, byValue }: Kind): string[] {
  if (!discriminator) return [];
  const members = variants.map(({ value, shape, interface: name }) => {
    const field = shape[discriminator];
    return field ? member(field, kind, JSON.stringify(value), name) : "";
  });
  return [
    `/** The arguments of a ${kind} for each \`${discriminator}\`. */\nexport interface ${byValue} ` +
      `{\n${members.join("")}}\n`,
    `/** The arguments of a ${kind}: \`${discriminator}\` determines which fields exist. */\nexport type ` +
      `${kind}Args = ${byValue}[keyof ${byValue}];\n`,
  ];
}

function argumentsOf({ discriminator, variants: [only], byValue, parameters, typeParameters }: Kind): string {
  const args = `${only?.interface}${angled(typeParameters)}`;
  // Types of users are passed, never inferred from arguments, whose parts may be Outputs.
  if (!discriminator) return typeParameters.length > 0 ? `NoInfer<${args}>` : args;
  const fields = parameters.map(({ key, name }) =>
    key === discriminator ? `${key}: ${name}` : `${key}?: pulumi.Input<${name} | undefined>`,
  );
  return `{ ${fields.join("; ")} } & ArgsOf<${byValue}, ${titleOf(discriminator)}>`;
}

/** The inputs as members of a class. */
function inputFields({ discriminator, nameInput, idProperty, variants, byValue, typeParameters }: Kind): string {
  const type = (key: string, field: z.ZodType) => {
    if (isComputed(field)) return `${typeOf(field, key, plain)} | undefined`;
    if (key === nameInput || key === idProperty) return "string";
    const { typeParameter } = metadataOf(field);
    if (typeParameter) return `${typeParameter} | undefined`;
    const args = `${variants[0]?.interface}${parametersIn(field).length > 0 ? angled(typeParameters) : ""}`;
    if (!discriminator) return `pulumi.Unwrap<${args}["${key}"]>`;
    const parameter = titleOf(discriminator);
    return key === discriminator ? parameter : `pulumi.Unwrap<Field<${byValue}, ${parameter}, "${key}">>`;
  };
  const keys = new Set(variants.flatMap(({ shape }) => Object.keys(shape)));
  const texts = [...keys].map((key) => {
    const schemas = schemasOf(key, variants);
    const [field] = schemas;
    const lines = [...describeInput(key, variants, discriminator), ...deprecatedTag(schemas)];
    return field ? `${comment(lines)}  readonly ${key}: pulumi.Output<${type(key, field)}>;\n` : "";
  });
  return texts.join("");
}

/** The outputs that are not inputs, as members of a class. */
function outputFields({ kind, schema }: Kind): string {
  const fields = Object.entries(shapeOf(schema.outputs)).map(([key, field]) => {
    const type = typeOf(field, key, plain);
    const present = Object.entries(metadataOf(field).presentWith ?? {});
    const given = present.map(([name]) => titleOf(name)).join(", ");
    const needed = present.map(([, values]) => literals(values)).join(", ");
    const open = isOptional(field) ? `${type} | undefined` : type;
    const output = present.length > 0 ? `Present<${type}, [${given}], [${needed}]>` : open;
    return member(field, `${kind}.${key}`, `readonly ${key}`, `pulumi.Output<${output}>`);
  });
  return fields.join("");
}

function staticMembers({ kind, schema }: Kind, parameters: string, instance: string): string {
  const id = schema.container
    ? "`<deployment ID>/<ID>` or `<URL of the agent server>/<ID>`"
    : "the ID that the API returns";
  return `  /**
   * Reads an existing ${kind} that this program does not manage. Nothing is changed or deleted on the server, and each
   * preview and update reads it again. Inputs that the server does not return are undefined.
   * @param name Name of the resource in this program, unique among its resources of type ${kind}.
   * @param id ID of the existing resource: ${id}.
   * @throws if no ${kind} with this ID exists.
   */
  get${parameters}(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ${instance};
  /**
   * Returns whether a value is ${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}, including one of another copy of this
   * package.
   */
  isInstance(value: unknown): value is ${kind};
`;
}

const settings = Object.keys(settingsSchema.shape).map((key) => [
  key,
  isSecretSetting(key as SettingKey) ? "secret" : "plain",
]);
const kinds = definitions.map(kindOf);
const classes = kinds.flatMap(kindText);
const valueTypes = Object.entries(KNOWN_VALUES).map(
  ([name, all]) => `/** ${KNOWN_VALUES_DESCRIPTION} */\nexport type ${name} = LiteralUnion<${literals(all)}>;\n`,
);
/** Returns the type parameters of a class: as declared, with a prefix for types of this file, and their names. */
export function parametersOf(kind: string, prefix: string): { declared: string; names: string } {
  const { parameters = [], typeParameters = [] } = kinds.find((one) => one.kind === kind) ?? {};
  const typed = parameters.map(({ name, type }) => {
    const prefixed = type.replace(/(\w+)$/, `${prefix}$1`);
    return `${name} extends ${prefixed} = ${prefixed}`;
  });
  return {
    declared: angled([...typed, ...typeParameters.map(declareParameter)]),
    names: angled([...parameters.map(({ name }) => name), ...typeParameters]),
  };
}

const provider = interfaceText("ProviderArgs", settingsSchema.shape, () => input, { path: "Provider" });
const rows = definitions.map((definition) => `  ${definition.kind}: ${metadata(definition)},\n`);

export const text = `// Generated from the definitions by \`npm run generate\`. Do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ArgsOf, Field, Present, ResourceMetadata } from "./resource-types";

/** One of these values, which editors complete, or any other string. */
export type LiteralUnion<Word extends string> = Word | (string & Record<never, never>);

/** A value of which each part, at any depth, may be an Output. */
export type DeepInput<Value> = pulumi.Input<
  unknown extends Value ? Value : { [Key in keyof Value]: DeepInput<Value[Key]> }
>;

${valueTypes.join("\n")}
${[...interfaces.values(), ...classes, provider].join("\n")}
export const resources = {
${rows.join("")}} as const satisfies Record<string, ResourceMetadata>;

/** All settings, and whether their values are secret. */
export const settings = ${JSON.stringify(Object.fromEntries(settings))} as const;
`;
