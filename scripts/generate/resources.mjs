/** Generates sdk/nodejs/resources.ts: the arguments, outputs and class types of each kind of resource. */
import { createRequire } from "node:module";
import {
  comment,
  commentOf,
  createWriter,
  deprecatedTag,
  descriptionOf,
  isComputed,
  isOptional,
  metadataOf,
  plain,
} from "./writer.mjs";

const require = createRequire(import.meta.url);
const { definitions } = require("../../dist/provider/definitions.js");
const { fieldMetadata, variantsOf } = require("../../dist/provider/schema/schema.js");
const { KNOWN_VALUES, KNOWN_VALUES_DESCRIPTION } = require("../../dist/provider/api/known-values.js");
const { settingsSchema } = require("../../dist/provider/settings/settings-schema.js");

const { interfaces, typeOf, interfaceText } = createWriter();
const input = (type, open) => `pulumi.Input<${type}${open ? " | undefined" : ""}>`;
const titleOf = (key) => `${key[0].toUpperCase()}${key.slice(1)}`;
const literals = (values) => values.map((value) => JSON.stringify(value)).join(" | ");

/** Returns the inputs that outputs depend on. Each is a type parameter, so that outputs that always exist need no check. */
function parametersOf({ outputs, discriminator }, branches) {
  const needed = Object.values(outputs.shape).flatMap((schema) => Object.keys(metadataOf(schema)?.presentWith ?? {}));
  const keys = [...new Set([...(discriminator ? [discriminator] : []), ...needed])];
  return keys.map((key) => {
    const schema = branches[0].shape[key];
    const values =
      key === discriminator
        ? branches.map((branch) => branch.shape[key]._zod.def.values[0])
        : Object.values(schema._zod.def.innerType._zod.def.entries);
    const absent = metadataOf(schema)?.meaningWhenAbsent;
    return { key, name: titleOf(key), values: literals(values), initial: literals(absent ? [absent] : values) };
  });
}

function interfaceOf(inputs, kind) {
  const name = fieldMetadata.get(inputs)?.interface;
  if (name) return name;
  throw new Error(
    `${kind}: its inputs have no interface name; add .register(fieldMetadata, { interface: "${kind}Args" }).`,
  );
}

function kindText(definition) {
  const { kind, schema: shape } = definition;
  const { inputs, outputs, discriminator, nameFrom: named } = shape;
  const branches = variantsOf(inputs, discriminator);
  const names = branches.map((branch) => interfaceOf(branch, kind));
  for (const [index, branch] of branches.entries()) {
    const name = names[index];
    interfaces.set(
      name,
      interfaceText(name, branch.shape, (key) => (key === discriminator ? plain : input), kind, [named]),
    );
  }
  const variants = branches.map((branch, index) => {
    const value = discriminator && branch.shape[discriminator]._zod.def.values[0];
    return { value, shape: branch.shape, interface: names[index] };
  });
  const memberOf = ({ value, shape, interface: name }) =>
    `${commentOf(shape[discriminator], kind)}  ${JSON.stringify(value)}: ${name};\n`;
  const bySource = () => [
    `/** The arguments of a ${kind} for each \`${discriminator}\`. */\nexport interface ${kind}ArgsBySource {\n${variants.map(memberOf).join("")}}\n`,
    `/** The arguments of a ${kind}: \`${discriminator}\` determines which fields exist. */\nexport type ${kind}Args = ${kind}ArgsBySource[keyof ${kind}ArgsBySource];\n`,
  ];
  const parameters = parametersOf(shape, branches);
  const alias = ({ key, name }) => (key === discriminator ? `keyof ${kind}ArgsBySource` : `${kind}${name}`);
  const list = (text) => (parameters.length > 0 ? `<${parameters.map(text).join(", ")}>` : "");
  const any = list((one) => `${one.name} extends ${alias(one)} = ${alias(one)}`);
  const instance = `${kind}${list(({ name }) => name)}`;
  const otherParameters = parameters.filter(({ key }) => key !== discriminator);
  const args = discriminator
    ? [
        `{ source: Source${otherParameters.map(({ key, name }) => `; ${key}?: pulumi.Input<${name} | undefined>`).join("")} }`,
        `ArgsOf<${kind}ArgsBySource, Source>`,
      ]
    : [names[0]];
  // The values are inlined, so that the compiler error for an invalid one lists them.
  const construct = `new ${list(({ name, values, initial }) => `${name} extends ${values} = ${initial}`)}(name: string, args: ${args.join(" & ")}, options?: pulumi.CustomResourceOptions): ${instance};`;
  const type = (key) => {
    const schema = field(key);
    if (isComputed(schema)) return `${typeOf(schema, key, plain)} | undefined`;
    if (key === named) return "string";
    if (key === discriminator) return titleOf(key);
    return `pulumi.Unwrap<${discriminator ? `Field<${kind}ArgsBySource, Source, "${key}">` : `${names[0]}["${key}"]`}>`;
  };
  const keys = [...new Set(branches.flatMap((branch) => Object.keys(branch.shape)))];
  const field = (key) => branches.map((branch) => branch.shape[key]).find(Boolean);
  const tagOf = (key) => deprecatedTag(branches.flatMap((branch) => branch.shape[key] ?? []));
  const inputFields = keys.map(
    (key) =>
      `${comment([...describe(key, variants, discriminator), ...tagOf(key)])}  readonly ${key}: pulumi.Output<${type(key)}>;\n`,
  );
  const added = Object.entries(outputs.shape).map(([key, schema]) => {
    const present = metadataOf(schema)?.presentWith;
    const plainType = typeOf(schema, key, plain);
    const conditions = Object.entries(present ?? {});
    const outputType = present
      ? `Present<${plainType}, [${conditions.map(([input]) => titleOf(input)).join(", ")}], [${conditions.map(([, values]) => literals(values)).join(", ")}]>`
      : `${plainType}${isOptional(schema) ? " | undefined" : ""}`;
    return `${commentOf(schema, `${kind}.${key}`)}  readonly ${key}: pulumi.Output<${outputType}>;\n`;
  });
  return [
    ...(discriminator ? bySource() : []),
    ...otherParameters.map((one) => `/** Values of \`${one.key}\`. */\nexport type ${alias(one)} = ${one.values};\n`),
    `export interface ${kind}${any} extends pulumi.CustomResource {\n${[...inputFields, ...added].join("")}}\n`,
    `export interface ${kind}Class {\n  ${construct}\n${getText(definition, any, instance)}}\n`,
  ];
}

/** The description of an input of a class: where variants of its arguments differ in it, what it means for each. */
function describe(key, variants, discriminator) {
  const having = variants.filter(({ shape }) => shape[key]);
  const byDescription = Map.groupBy(having, ({ shape }) => descriptionOf(shape[key], key));
  const inAll = having.length === variants.length;
  const valuesOf = (some) => some.map(({ value }) => `\`${value}\``).join(", ");
  const [[only] = []] = byDescription;
  if (byDescription.size === 1) return [inAll ? only : `${only} Only if \`${discriminator}\` is ${valuesOf(having)}.`];
  const rows = [...byDescription].map(([description, some]) => `- ${valuesOf(some)}: ${description}`);
  if (key === discriminator) return ["Determines which other fields exist.", ...rows];
  return [`Depends on \`${discriminator}\`${inAll ? "" : ", and is undefined for values not listed here"}.`, ...rows];
}

/** Returns the static members of a class. */
function getText({ kind, schema: { container } }, parameters, instance) {
  const id = container ? "`<deployment ID>/<ID>` or `<URL of the agent server>/<ID>`" : "the ID that the API returns";
  return `  /**
   * Reads an existing ${kind} that this program does not manage. Nothing is changed or deleted on the server, and each
   * preview and update reads it again. Inputs that the server does not return are undefined.
   * @param name Name of the resource in this program, unique among its resources of type ${kind}.
   * @param id ID of the existing resource: ${id}.
   * @throws if no ${kind} with this ID exists.
   */
  get${parameters}(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): ${instance};
  /** Returns whether a value is a ${kind}, including one of another copy of this package. */
  isInstance(value: unknown): value is ${kind};
`;
}

const metadata = ({ schema, secrets }) => {
  const { inputs, discriminator, outputs, nameFrom, derived = [], container } = schema;
  const added = [...Object.keys(outputs.shape), ...derived.map(({ to }) => to)];
  const written = variantsOf(inputs, discriminator).flatMap((branch) => Object.keys(branch.shape));
  return JSON.stringify({
    inputs: [...new Set(written)].filter((key) => !added.includes(key)),
    outputs: added,
    secrets: secrets.paths.filter((path) => !path.includes(".")),
    nameFrom,
    container,
  });
};
const settings = Object.fromEntries(
  Object.entries(settingsSchema.shape).map(([key, schema]) => [
    key,
    fieldMetadata.get(schema)?.secret ? "secret" : "plain",
  ]),
);
const classes = definitions.flatMap(kindText);
const valueTypes = Object.entries(KNOWN_VALUES).map(
  ([name, all]) =>
    `/** ${KNOWN_VALUES_DESCRIPTION} */\nexport type ${name} = LiteralUnion<${all.map((word) => JSON.stringify(word)).join(" | ")}>;\n`,
);
const provider = interfaceText("ProviderArgs", settingsSchema.shape, () => input, "Provider");
export const text = `// Generated from the definitions by \`npm run generate\`. Do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type { ArgsOf, Field, Present, ResourceMetadata } from "./resource-types";

/** One of these values, which editors complete, or any other string. */
export type LiteralUnion<Word extends string> = Word | (string & Record<never, never>);

${valueTypes.join("\n")}
${[...interfaces.values(), ...classes, provider].join("\n")}
export const resources = {
${definitions.map((definition) => `  ${definition.kind}: ${metadata(definition)},\n`).join("")}} as const satisfies Record<string, ResourceMetadata>;

/** All settings, and whether their values are secret. */
export const settings = ${JSON.stringify(settings)} as const;
`;
