/** The text of sdk/nodejs/components/args.ts: the arguments and outputs of an AgentService. */
import {
  type OwnField,
  SERVICE_ARGUMENTS,
  SERVICE_OUTPUTS,
  type ServiceArgument,
  type ServiceOutput,
  type ServicePart,
} from "../../../dist/provider/components/agent-service.js";
import { comment } from "./writer.ts";

const interfaces = new Map<string, string>();

/** Returns the type of a part, and writes its interface. @param hasContext Whether the type is generic in it. */
function typeOf(part: ServicePart, hasContext = false): string {
  const { kind, description, sets, optional = [], own } = part;
  if (sets.length + optional.length === 0 && !own) return `types.${kind}Args`;
  const name = `Service${kind}Args`;
  const union = (keys: readonly string[]) => keys.map((key) => JSON.stringify(key)).join(" | ");
  const inputs = `types.${kind}Args${hasContext ? "<Context>" : ""}`;
  const bases = [
    `Omit<${inputs}, ${union([...sets, ...optional])}>`,
    ...(optional.length > 0 ? [`Partial<Pick<${inputs}, ${union(optional)}>>`] : []),
  ];
  const fields = Object.entries(own ?? {}).map(
    ([key, field]) => `${comment([field.description])}${key}?: ${ownType(field)} | undefined;\n`,
  );
  const head =
    `/** ${description} */\nexport interface ` +
    `${name}${hasContext ? "<Context extends object = Record<string, unknown>>" : ""} extends ` +
    `${bases.join(", ")}`;
  interfaces.set(name, `${head} {\n${fields.join("")}}\n`);
  return name;
}

const ownType = ({ part }: OwnField) => (part ? typeOf(part) : "string");

const argument = ([key, { description, part, isMap, isRequired, hasContexts }]: [string, ServiceArgument]) => {
  const own = typeOf(part, hasContexts);
  const map = hasContexts
    ? `{ readonly [Key in keyof Contexts]: ${own}<Contexts[Key]> }`
    : `Readonly<Record<string, ${own}>>`;
  const type = isMap ? map : own;
  return `${comment([description])}${key}${isRequired ? `: ${type}` : `?: ${type} | undefined`};\n`;
};

const output = ([key, { description, isMap, isRequired }]: [string, ServiceOutput]) => {
  const type = isMap ? "Record<string, string>" : "string";
  return `${comment([description])}readonly ${key}: pulumi.Output<${type}${isRequired ? "" : " | undefined"}>;\n`;
};

const args = Object.entries<ServiceArgument>(SERVICE_ARGUMENTS).map(argument).join("");
const outputs = Object.entries<ServiceOutput>(SERVICE_OUTPUTS).map(output).join("");

export const text = `// Generated from provider/components/agent-service.ts by \`npm run generate\`. Do not edit.
import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../resources";

${[...interfaces.values()].join("\n")}
/** The types of the contexts of assistants, by their keys. */
export type ServiceContexts = Record<string, object>;
/** The default: any assistants, with any contexts. */
export type AnyContexts = Record<string, Record<string, unknown>>;

/** The arguments of an AgentService. Their keys must be known; their values may be Outputs. */
export interface AgentServiceArgs<Contexts extends ServiceContexts = AnyContexts> {
${args}}

/** The outputs of an AgentService. */
export interface AgentServiceOutputs {
${outputs}}
`;
