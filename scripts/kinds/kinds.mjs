/** The text of sdk/kinds.ts: what users write for each kind of resource, and what they read of it. */
import { createRequire } from "node:module";
import { commentOf, createWriter, isComputed, isOptional, plain } from "./writer.mjs";

const require = createRequire(import.meta.url);
const { definitions } = require("../../dist/provider/definitions.js");
const { marks, branchesOf } = require("../../dist/provider/schema.js");
const { WORDS } = require("../../dist/provider/api/words.js");
const { settingsSchema } = require("../../dist/provider/settings-schema.js");

const { interfaces, typeOf, interfaceText } = createWriter();
const input = (type, open) => `pulumi.Input<${type}${open ? " | undefined" : ""}>`;

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
      `${commentOf(field(key), key)}  readonly ${key}: ${key === named ? "pulumi.Output<string>" : type(key)};\n`,
  );
  const added = Object.entries(outputs.shape).map(
    ([key, schema]) =>
      `${commentOf(schema, `${kind}.${key}`)}  readonly ${key}: pulumi.Output<${typeOf(schema, key, plain)}${isOptional(schema) ? " | undefined" : ""}>;\n`,
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
const settings = Object.fromEntries(
  Object.entries(settingsSchema.shape).map(([key, schema]) => [key, marks.get(schema)?.secret ? "secret" : "plain"]),
);
const classes = definitions.flatMap(kindText);
const words = Object.entries(WORDS).map(
  ([name, all]) =>
    `/** Words that servers are known to use; any other text is possible, since a newer server may know more. */\nexport type ${name} = LiteralUnion<${all.map((word) => JSON.stringify(word)).join(" | ")}>;\n`,
);
const provider = interfaceText("ProviderArgs", settingsSchema.shape, () => input, "Provider");
export const text = `// Generated from the definitions by \`npm run kinds\`. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** One of these words, which editors complete, or any other text. */
export type LiteralUnion<Word extends string> = Word | (string & Record<never, never>);

${words.join("\n")}
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

/** Every setting, and whether its value is secret. */
export const settings = ${JSON.stringify(settings)} as const;
`;
