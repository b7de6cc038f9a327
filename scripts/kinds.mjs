/** Writes sdk/kinds.ts from the built definitions: `npm run kinds`. With --print, writes to standard output instead. */
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { definitions } = require("../dist/provider/definitions.js");
const { marks, branchesOf, restOf } = require("../dist/provider/schema.js");
const { settingsSchema } = require("../dist/provider/settings.js");

const interfaces = new Map();
const sentence = (schema, path) => {
  if (schema.description) return schema.description;
  throw new Error(`${path} has no sentence: give it a .describe().`);
};
const optional = (schema) => schema._zod.def.type === "optional";
const inner = (schema) => (optional(schema) ? inner(schema._zod.def.innerType) : schema);
const isComputed = (schema) => marks.get(inner(schema))?.computed === true;
const comment = (text) => `  /** ${text.replaceAll("*/", "*\\/")} */\n`;

/** The plain type of a schema, and the interfaces of the objects in it. */
function typeOf(schema, path, wrap) {
  const { type, ...def } = inner(schema)._zod.def;
  const into = {
    string: () => "string",
    number: () => "number",
    boolean: () => "boolean",
    unknown: () => "unknown",
    literal: () => def.values.map((value) => JSON.stringify(value)).join(" | "),
    enum: () =>
      Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(" | "),
    array: () => `${wrap(typeOf(def.element, `${path}[]`, wrap))}[]`,
    record: () => `Record<string, ${wrap(typeOf(def.valueType, `${path}.*`, wrap))}>`,
    object: () => nameOf(inner(schema), path, wrap),
  }[type];
  if (!into) throw new Error(`${path}: no TypeScript type is known for a schema of type ${type}.`);
  return into();
}

function nameOf(schema, path, wrap) {
  const name = marks.get(schema)?.interface;
  if (!name) throw new Error(`${path} is an object without an interface name: register one.`);
  if (!interfaces.has(name)) {
    interfaces.set(name, "");
    const open = restOf(schema) ? `  [key: string]: ${wrap("unknown")};\n` : "";
    interfaces.set(name, interfaceText(name, schema.shape, () => wrap, path).replace(/}\n$/, `${open}}\n`));
  }
  return name;
}

/** @param wrapOf How the type of a field is wrapped: an input takes Outputs, the discriminator and outputs do not. */
function interfaceText(name, shape, wrapOf, path, loose = []) {
  const written = Object.entries(shape).filter(([, schema]) => !isComputed(schema));
  const fields = written.map(([key, schema]) => {
    const wrap = wrapOf(key);
    const open = optional(schema) || loose.includes(key);
    return `${comment(sentence(schema, `${path}.${key}`))}  ${key}${open ? "?" : ""}: ${wrap(typeOf(schema, `${path}.${key}`, wrap), open)};\n`;
  });
  return `export interface ${name} {\n${fields.join("")}}\n`;
}

const input = (type, open) => `pulumi.Input<${type}${open ? " | undefined" : ""}>`;
const plain = (type) => type;

function kindText({ kind, inputs, outputs, discriminator, named }) {
  const branches = branchesOf(inputs, discriminator);
  const names = branches.map((branch) => marks.get(branch).interface);
  for (const branch of branches) {
    const name = marks.get(branch).interface;
    interfaces.set(
      name,
      interfaceText(name, branch.shape, (key) => (key === discriminator ? plain : input), kind, [named]),
    );
  }
  const value = (branch) => JSON.stringify(branch.shape[discriminator]._zod.def.values[0]);
  const bySource = () => [
    `export interface ${kind}ArgsBySource {\n${branches.map((branch, i) => `  ${value(branch)}: ${names[i]};\n`).join("")}}\n`,
    `export type ${kind}Args = ${kind}ArgsBySource[keyof ${kind}ArgsBySource];\n`,
  ];
  // A construct signature indexed by source makes errors and completions precise.
  const construct = discriminator
    ? `new <S extends keyof ${kind}ArgsBySource>(\n    name: string,\n    args: { source: S } & ${kind}ArgsBySource[S],\n    options?: pulumi.CustomResourceOptions,\n  ): ${kind};`
    : `new (name: string, args: ${names[0]}, options?: pulumi.CustomResourceOptions): ${kind};`;
  const keys = [...new Set(branches.flatMap((branch) => Object.keys(branch.shape)))];
  const field = (key) => branches.map((branch) => branch.shape[key]).find(Boolean);
  const type = (key) => {
    if (isComputed(field(key))) return `pulumi.Output<${typeOf(field(key), key, plain)} | undefined>`;
    const having = names.filter((_, i) => branches[i].shape[key]).map((name) => `${name}["${key}"]`);
    const open = having.length < names.length ? " | undefined" : "";
    return `pulumi.Output<pulumi.Unwrap<${having.join(" | ")}${open}>>`;
  };
  const echoed = keys.map(
    (key) =>
      `${comment(sentence(field(key), key))}  readonly ${key}: ${key === named ? "pulumi.Output<string>" : type(key)};\n`,
  );
  const added = Object.entries(outputs.shape).map(
    ([key, schema]) =>
      `${comment(sentence(schema, `${kind}.${key}`))}  readonly ${key}: pulumi.Output<${typeOf(schema, key, plain)}${optional(schema) ? " | undefined" : ""}>;\n`,
  );
  return [
    ...(discriminator ? bySource() : []),
    `export interface ${kind} extends pulumi.CustomResource {\n${[...echoed, ...added].join("")}}\n`,
    `export interface ${kind}Class {\n  ${construct}\n}\n`,
  ];
}

const facts = ({ outputs, named, secrets, computed = [] }) =>
  JSON.stringify({
    outputs: [...Object.keys(outputs.shape), ...computed.map(({ to }) => to)],
    secrets: secrets.filter((path) => !path.includes(".")),
    named,
  });
const classes = definitions.flatMap(kindText);
const provider = interfaceText("ProviderArgs", settingsSchema.shape, () => input, "Provider");
const text = `// Generated from the definitions by \`npm run kinds\`. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

${[...interfaces.values(), ...classes, provider].join("\n")}
/** What a resource class must know of its kind. */
export interface KindFacts {
  /** Names of what the server adds. */
  readonly outputs: readonly string[];
  /** Inputs that are secret as a whole, in state too; parts of an input are marked by themselves. */
  readonly secrets: readonly string[];
  /** The input that defaults to the setting \`nameTemplate\`. */
  readonly named?: string;
}

export const kinds = {
${definitions.map((definition) => `  ${definition.kind}: ${facts(definition)},\n`).join("")}} as const satisfies Record<string, KindFacts>;
`;
if (process.argv.includes("--print")) process.stdout.write(text);
else writeFileSync(new URL("../sdk/kinds.ts", import.meta.url), text);
