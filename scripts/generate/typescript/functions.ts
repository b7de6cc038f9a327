/** The text of sdk/nodejs/functions.ts: the arguments and the result of each function, in its two forms. */
import { KNOWN_VALUES } from "../../../dist/provider/api/known-values.js";
import { describeFunction, type FunctionDefinition, itemOf } from "../../../dist/provider/functions/definition.js";
import { functions } from "../../../dist/provider/functions/functions.js";
import { titleOf } from "../../../dist/provider/schema/model.js";
import { createWriter, isOptional, literals, plain, shapeOf } from "./writer.ts";

// What a resource takes as Inputs is in a result as plain values, in a separate interface.
const { interfaces, typeOf, interfaceText } = createWriter((name) => name.replace(/Args$/, "Info"));

const isOne = ({ result }: FunctionDefinition) => itemOf(result) === result;

/** Returns the doc comment of a function: what it returns, an example, a link and when it fails. */
function docComment(definition: FunctionDefinition, form = "") {
  const { name, example } = definition;
  const object = `${name.charAt(3).toLowerCase()}${name.slice(4)}`;
  const call = form
    ? `agentgraph.${name}Output(${example.output ?? example.plain})`
    : `await agentgraph.${name}(${example.plain})`;
  const lines = [
    `${describeFunction(definition)}${form}`,
    "@example",
    "```ts",
    `const ${object} = ${call};`,
    "```",
    "@see [Functions](node_modules/pulumi-agentgraph/docs/functions.md)",
    `@throws if ${isOne(definition) ? "there is not exactly one, or " : ""}the server refuses the request; ` +
      "the error says what to do.",
  ];
  return `  /**\n${lines.map((line) => `   * ${line}\n`).join("")}   */\n`;
}

function functionText(definition: FunctionDefinition) {
  const { name, args, exactlyOne = [], result, secrets = [] } = definition;
  const title = titleOf(name);
  const shape = shapeOf(args);
  const hasArgs = Object.keys(shape).length > 0;
  const resultType = typeOf(result, name, plain);
  const marker = Object.values(shape).every(isOptional) && exactlyOne.length === 0 ? "?" : "";
  const parameters = (wrapper: string, type: string) => {
    if (!hasArgs) return "args?: Record<string, never>";
    const wrapped = wrapper ? `${wrapper}<${type}>` : type;
    return `args${marker}: ${exactlyOne.map((keys) => `OneOf<${wrapped}, ${literals(keys)}>`).join(" & ") || wrapped}`;
  };
  const hasSecrets = isOne(definition) && secrets.length > 0;
  // The Output of a single object always includes its secrets.
  const outputArgs = hasSecrets ? `Omit<${title}Args, "withSecrets">` : `${title}Args`;
  const fields = `OutputFields<${resultType}${hasSecrets ? `, ${literals(secrets)}` : ""}>`;
  const outputType = isOne(definition) ? fields : resultType;
  const withSecrets = hasSecrets ? ", which always includes the secret values" : "";
  const outputForm = ` Accepts Inputs and returns an Output${withSecrets}.`;
  return [
    ...(hasArgs ? [interfaceText(`${title}Args`, shape, () => plain, { path: name })] : []),
    `export interface ${title} {\n${docComment(definition)}  (${parameters("", `${title}Args`)}, options?: ` +
      `LookupOptions): Promise<${resultType}>;\n}\n`,
    `export interface ${title}Output {\n${docComment(definition, outputForm)}  ` +
      `(${parameters("LookupInputs", outputArgs)}, options?: LookupOutputOptions): ` +
      `pulumi.Output<${outputType}>;\n}\n`,
  ].join("\n");
}

function metadata(definition: FunctionDefinition) {
  const { result, secrets = [] } = definition;
  if (!isOne(definition)) return JSON.stringify({ isList: true });
  const publicFields = Object.keys(shapeOf(itemOf(result))).filter((key) => !secrets.includes(key));
  return JSON.stringify(secrets.length === 0 ? {} : { publicFields });
}

const texts = functions.map(functionText);
const rows = functions.map((definition) => `  ${definition.name}: ${metadata(definition)},\n`);
const whole = [...interfaces.values(), ...texts].join("\n");
const used = Object.keys(KNOWN_VALUES).filter((name) => new RegExp(`\\b${name}\\b`).test(whole));
export const text = `// Generated from the functions by \`npm run generate\`. Do not edit.
// biome-ignore-all lint/style/useShorthandFunctionType: editors show the comments of call signatures only.
import type * as pulumi from "@pulumi/pulumi";
import type { ${used.join(", ")} } from "./resources";
import type {
  FunctionMetadata, LookupInputs, LookupOptions, LookupOutputOptions, OneOf, OutputFields,
} from "./function-types";

${whole}
/** Both forms of each function. */
export interface Functions {
${functions.map(({ name }) => `  ${name}: readonly [${titleOf(name)}, ${titleOf(name)}Output];\n`).join("")}}

export const metadata = {
${rows.join("")}} as const satisfies Record<keyof Functions, FunctionMetadata>;
`;
