/** The text of sdk/nodejs/functions.ts: the arguments and the result of each function, in its two forms. */
import { createRequire } from "node:module";
import { createWriter, isOptional, plain } from "./writer.mjs";

const require = createRequire(import.meta.url);
const { describeFunction, itemOf } = require("../../dist/provider/functions/definition.js");
const { KNOWN_VALUES } = require("../../dist/provider/api/known-values.js");
const { functions } = require("../../dist/provider/functions/functions.js");

// What a resource takes as Inputs is in a result as plain values, in a separate interface.
const { interfaces, typeOf, interfaceText } = createWriter((name) => name.replace(/Args$/, "Info"));

const isOne = (definition) => itemOf(definition.result) === definition.result;
const titleOf = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;
const quoted = (keys) => keys.map((key) => JSON.stringify(key)).join(" | ");

/** Returns the doc comment of a function: what it returns, an example, a link and when it fails. */
function docComment(definition, form = "") {
  const { name, example, result } = definition;
  const lines = [
    `${describeFunction(definition)}${form}`,
    "@example",
    "```ts",
    `const ${name[3].toLowerCase()}${name.slice(4)} = ${form ? `agentgraph.${name}Output(${example.output ?? example.plain})` : `await agentgraph.${name}(${example.plain})`};`,
    "```",
    "@see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)",
    `@throws if ${isOne({ result }) ? "there is not exactly one, or " : ""}the server refuses the request; the error says what to do.`,
  ];
  return `  /**\n${lines.map((line) => `   * ${line}\n`).join("")}   */\n`;
}

function functionText(definition) {
  const { name, args, exactlyOne, result, secrets = [] } = definition;
  const title = titleOf(name);
  const keys = Object.keys(args.shape);
  const resultType = typeOf(result, name, plain);
  const constrain = (type) => (exactlyOne ? `OneOf<${type}, ${quoted(exactlyOne)}>` : type);
  const marker = Object.values(args.shape).every(isOptional) && !exactlyOne ? "?" : "";
  const parameters = (type) => (keys.length > 0 ? `args${marker}: ${type}` : "args?: Record<string, never>");
  const hasSecrets = isOne({ result }) && secrets.length > 0;
  // The Output of a single object always includes its secrets.
  const argsType = hasSecrets ? `Omit<${title}Args, "withSecrets">` : `${title}Args`;
  const outputType = isOne({ result })
    ? `OutputFields<${resultType}${hasSecrets ? `, ${quoted(secrets)}` : ""}>`
    : resultType;
  const interfaces = [
    ...(keys.length > 0 ? [interfaceText(`${title}Args`, args.shape, () => plain, name)] : []),
    `export interface ${title} {\n${docComment(definition)}  (${parameters(constrain(`${title}Args`))}, options?: LookupOptions): Promise<${resultType}>;\n}\n`,
    `export interface ${title}Output {\n${docComment(definition, ` Accepts Inputs and returns an Output${hasSecrets ? ", which always includes the secret values" : ""}.`)}  (${parameters(constrain(`LookupInputs<${argsType}>`))}, options?: LookupOutputOptions): pulumi.Output<${outputType}>;\n}\n`,
  ];
  return interfaces.join("\n");
}

const metadata = ({ result, secrets = [] }) => {
  const publicFields = Object.keys(itemOf(result).shape).filter((key) => !secrets.includes(key));
  return JSON.stringify(isOne({ result }) ? (secrets.length === 0 ? {} : { publicFields }) : { isList: true });
};

const texts = functions.map(functionText);
const whole = [...interfaces.values(), ...texts].join("\n");
const used = Object.keys(KNOWN_VALUES).filter((name) => new RegExp(`\\b${name}\\b`).test(whole));
export const text = `// Generated from the functions by \`npm run generate\`. Do not edit.
// biome-ignore-all lint/style/useShorthandFunctionType: editors show the comment of a call signature, but not that of a function type.
import type * as pulumi from "@pulumi/pulumi";
import type { ${used.join(", ")} } from "./resources";
import type { FunctionMetadata, LookupInputs, LookupOptions, LookupOutputOptions, OneOf, OutputFields } from "./function-types";

${whole}
/** Both forms of each function. */
export interface Functions {
${functions.map(({ name }) => `  ${name}: readonly [${titleOf(name)}, ${titleOf(name)}Output];\n`).join("")}}

export const metadata = {
${functions.map((definition) => `  ${definition.name}: ${metadata(definition)},\n`).join("")}} as const satisfies Record<keyof Functions, FunctionMetadata>;
`;
