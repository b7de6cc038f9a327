/** The page about the resources, functions and types of the Python SDK, from plugin/schema.json. */
import { snakeCase } from "../../dist/cli/adopt/program/names.js";
import type { FunctionSpec, PackageSpec, ResourceSpec } from "../../dist/plugin/schema/spec.js";
import { fieldWriter, nameOf, pureOutputs, textsOf } from "../generate/schema-fields.ts";
import { FILE, type Page, readSchema } from "./schema-pages.ts";

const header = `# Python reference

All resources, functions and types of \`pulumi_agentgraph\`, generated from the [package schema](../${FILE}). The
guide explains how to use them: [languages](../docs/languages.md), [Deployment](../docs/deployment.md),
[Thread](../docs/thread.md), [bulk exports](../docs/exports.md), [functions](../docs/functions.md),
[settings](../docs/settings.md).

Every argument accepts an output in place of a value. Where an argument has a type of this page, pass a dictionary with
its keys, or an object of the class of the same name with \`Args\` at the end, such as
\`agentgraph.ResourceSpecArgs\`. Resources also accept \`opts=pulumi.ResourceOptions(…)\`. Each function has a second
form with \`_output\` at the end of its name, which accepts outputs and returns one. What is absent is \`None\`.
`;

export function pythonPage(): Page {
  const schema = readSchema();
  const path = "schema/python.md";
  const text = pageText(schema, textWriter(schema));
  return { path, title: "Python reference", text, source: path, edit: "tree/main/plugin/schema" };
}

function pageText({ resources, functions, types, provider }: PackageSpec, pythonText: (text: string) => string) {
  const { fields, type } = fieldWriter({
    name: snakeCase,
    text: pythonText,
    types: { string: "str", integer: "int", number: "float", boolean: "bool" },
    list: (element) => `list of ${element}`,
    map: (element) => `dict of ${element}`,
    any: "Any",
    link: (name) => `#${name.toLowerCase()}`,
  });
  const resource = ([token, schema]: [string, ResourceSpec]) => {
    const { summary, imports } = textsOf(schema);
    return [
      `### ${nameOf(token)}\n`,
      `${pythonText(summary)}\n`,
      fields("Arguments", schema.inputProperties, schema.requiredInputs),
      fields(schema.isComponent ? "Outputs" : "Outputs, besides the arguments and `id`", pureOutputs(schema)),
      `**Import:** ${imports}\n`,
    ].join("\n");
  };
  const callable = ([token, schema]: [string, FunctionSpec]) =>
    [
      `### ${snakeCase(nameOf(token))}\n`,
      `${pythonText(textsOf(schema).summary)}\n`,
      fields("Arguments", schema.inputs.properties, schema.inputs.required),
      fields("Result", schema.outputs.properties),
    ].join("\n");
  return [
    header,
    "## Resources\n",
    ...Object.entries(resources).map(resource),
    "## Functions\n",
    ...Object.entries(functions).map(callable),
    "## Provider\n",
    `${provider.description}\n`,
    fields("Arguments", provider.inputProperties),
    "## Types\n",
    ...Object.entries(types).map(type),
  ].join("\n");
}

/** Returns what writes names in code font as in Python, except values or keys at the beginning of list items. */
function textWriter({ resources, functions, types, config }: PackageSpec) {
  // Names that descriptions mention as in TypeScript. Those of settings stay, since the stack configuration uses them.
  const keys = [
    ...Object.values(resources).flatMap(({ properties, inputProperties }) => [properties, inputProperties]),
    ...Object.values(functions).flatMap(({ inputs, outputs }) => [inputs.properties, outputs.properties]),
    ...Object.values(types).map((type) => ("properties" in type ? type.properties : {})),
  ].flatMap((properties) => Object.keys(properties));
  const names = [...keys, ...Object.keys(functions).map(nameOf)];
  const camelCaseNames = new Set(names.filter((name) => !Object.hasOwn(config.variables, name)));
  const inPython = (word: string) => (camelCaseNames.has(word) ? snakeCase(word) : word);
  return (description: string) =>
    description.replace(/(?<!^- )`[^`\n]+`/gm, (code) => code.replace(/\b[a-z][A-Za-z0-9]*\b/g, inPython));
}
