/** The text of docs/reference-python.md: resources, functions and types of the Python SDK, from the package schema. */
import { createRequire } from "node:module";
import { text as schemaText } from "./schema.mjs";
import { fieldWriter, nameOf, pureOutputs, resourceTexts } from "./schema-fields.mjs";

const { snakeCase } = createRequire(import.meta.url)("../../dist/cli/adopt/program/names.js");

const { resources, functions, types, provider, config } = JSON.parse(schemaText);
const { fields, type } = fieldWriter({
  name: snakeCase,
  text: pythonText,
  types: { string: "str", integer: "int", number: "float", boolean: "bool" },
  list: (element) => `list of ${element}`,
  map: (element) => `dict of ${element}`,
  any: "Any",
  link: (name) => `#${name.toLowerCase()}`,
});

/** Names that descriptions mention as in TypeScript. Those of settings stay, since the stack configuration uses them. */
const camelCaseNames = new Set(
  [...Object.values(resources), ...Object.values(functions).flatMap(({ inputs, outputs }) => [inputs, outputs])]
    .concat(Object.values(types))
    .flatMap(({ properties, inputProperties }) => Object.keys({ ...properties, ...inputProperties }))
    .concat(Object.keys(functions).map(nameOf))
    .filter((name) => !Object.hasOwn(config.variables, name)),
);

const header = `# Python reference

All resources, functions and types of \`pulumi_agentgraph\`, generated from the [schema](plugin.md) of the native provider. The guide explains
how to use them: [languages](languages.md), [Deployment](deployment.md), [Thread](thread.md), [bulk exports](exports.md),
[functions](functions.md), [settings](settings.md).

Every argument accepts an output in place of a value. Where an argument has a type of this page, pass a dictionary with its keys, or an object of the
class of the same name with \`Args\` at the end, such as \`agentgraph.ResourceSpecArgs\`. Resources also accept \`opts=pulumi.ResourceOptions(…)\`.
Each function has a second form with \`_output\` at the end of its name, which accepts outputs and returns one. What is absent is \`None\`.
`;

export function pythonReference() {
  const sections = [
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
  ];
  return sections.join("\n");
}

function resource([token, schema]) {
  const { summary, imports } = resourceTexts(schema);
  return [
    `### ${nameOf(token)}\n`,
    `${pythonText(summary)}\n`,
    fields("Arguments", schema.inputProperties, schema.requiredInputs),
    fields("Outputs, besides the arguments and `id`", pureOutputs(schema)),
    `**Import:** ${imports}\n`,
  ].join("\n");
}

function callable([token, { description, inputs, outputs }]) {
  return [
    `### ${snakeCase(nameOf(token))}\n`,
    `${pythonText(description)}\n`,
    fields("Arguments", inputs.properties, inputs.required),
    fields("Result", outputs.properties),
  ].join("\n");
}

/** Writes the names in code font as in Python, except at the beginning of list items, which are values or keys of maps. */
function pythonText(description) {
  return description.replace(/(?<!^- )`[^`\n]+`/gm, (code) =>
    code.replace(/\b[a-z][A-Za-z0-9]*\b/g, (word) => (camelCaseNames.has(word) ? snakeCase(word) : word)),
  );
}
