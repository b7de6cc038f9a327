/** The examples of the package schema, written in YAML in plugin/schema/examples and the definitions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import type { FunctionSpec, PackageSpec } from "../../../dist/plugin/schema/spec.js";
import { functions } from "../../../dist/provider/functions/functions.js";
import { ROOT } from "../../setup/paths.mjs";
import { csharp } from "./csharp.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { type Context, type Program, readProgram } from "./program.ts";
import { python } from "./python.ts";
import { typescript } from "./typescript.ts";

/** The languages of a registry's pages, in its order. YAML is the last one. */
const LANGUAGES = { typescript, python, go, csharp, java };

const YAML = /^```yaml\n([\s\S]*?)^```/gm;

/**
 * Returns the examples of a resource or a function in the form from which a registry, and each SDK, shows one language.
 * @param name Such as "Deployment" or "getDeployment".
 * @param schema The package schema; its examples are not read.
 */
export function examplesOf(name: string, schema: PackageSpec): string {
  const page = `agentgraph:index:${name}` in schema.functions ? functionPage(name, schema) : resourcePage(name);
  const [usage = "", ...imports] = inAllLanguages(page, schema)
    .trim()
    .split(/^(?=## Import$)/m);
  const examples = usage.split(/^(?=### )/m).map((example) => `{{% example %}}\n${example.trim()}\n{{% /example %}}`);
  const lines = ["## Example Usage", "", "{{% examples %}}", ...examples, "{{% /examples %}}", "", ...imports];
  return lines.join("\n").trim();
}

/** Returns the declarations of the first example of a resource in TypeScript, without imports and configuration. */
export function declarationsOf(kind: string, schema: PackageSpec): string {
  const [, yaml = ""] = new RegExp(YAML.source, "m").exec(resourcePage(kind)) ?? [];
  const program = typescript({ ...readProgram(parse(yaml), schema), outputs: [] });
  return program.slice(program.search(/^(?:export )?const (?!config = )/m));
}

const resourcePage = (kind: string) => readFileSync(join(ROOT, `plugin/schema/examples/${kind}.md`), "utf8");

const inAllLanguages = (page: string, schema: PackageSpec) =>
  page.replace(YAML, (_, yaml: string) => blocksOf(yaml, schema).map(fence).join("\n\n"));

export interface Block {
  language: string;
  text: string;
}

export const fence = ({ language, text }: Block) => `\`\`\`${language}\n${text}\n\`\`\``;

/** Returns a program in all languages. */
export function blocksOf(yaml: string, schema: PackageSpec, context?: Context): Block[] {
  const program = readProgram(parse(yaml), schema, context);
  const repository = schema.repository?.replace(/^https?:\/\//, "") ?? "example.com/pulumi-agentgraph";
  const write = (language: (program: Program, module: string) => string) =>
    language(program, `${repository}/sdk/go/agentgraph`);
  const others = Object.entries(LANGUAGES).map(([language, writer]) => ({ language, text: write(writer) }));
  return [...others, { language: "yaml", text: yaml.trimEnd() }];
}

function functionPage(name: string, schema: PackageSpec) {
  const definition = functions.find((one) => one.name === name);
  if (!definition) throw new Error(`${name} is not a function.`);
  const { description, example, secrets = [] } = definition;
  const spec = schema.functions[`agentgraph:index:${name}`] as FunctionSpec;
  const yaml = stringify(callOf(name, example.plain, spec, secrets), { lineWidth: 0 }).trimEnd();
  return `### ${description.split(".", 1)}\n\n${fence({ language: "yaml", text: yaml })}\n`;
}

/** Returns a program that calls a function. @param args Of its example; in `{ id: exportId }`, a setting. */
function callOf(name: string, args: string, { outputs }: FunctionSpec, secrets: readonly string[]) {
  const given = Object.entries((parse(args) ?? {}) as Record<string, unknown>).filter(([key]) => key !== "withSecrets");
  const variables: string[] = [];
  const values = given.map(([key, value]) => {
    const isName = value === null || (typeof value === "string" && args.includes(`: ${value}`));
    if (!isName) return [key, value];
    variables.push(value === null ? key : `${value}`);
    return [key, `\${${variables.at(-1)}}`];
  });
  const object = name.replace(/^get(\w)/, (_, letter: string) => letter.toLowerCase());
  const isNew = (key: string) => !given.some(([given]) => given === key) && !secrets.includes(key);
  const shown = Object.keys(outputs.properties).find(isNew);
  const call = { function: `agentgraph:${name}`, ...(given.length > 0 && { arguments: Object.fromEntries(values) }) };
  return {
    ...(variables.length > 0 && { config: Object.fromEntries(variables.map((key) => [key, { type: "string" }])) }),
    variables: { [object]: { "fn::invoke": call } },
    outputs: { [`${shown}`]: `\${${object}.${shown}}` },
  };
}
