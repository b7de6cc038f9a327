/** The text of docs/reference-python.md: resources, functions and types of the Python SDK, from the package schema. */
import { createRequire } from "node:module";
import { text as schemaText } from "./schema.mjs";

const { snakeCase } = createRequire(import.meta.url)("../../dist/cli/adopt/program/names.js");

const { resources, functions, types, provider, config } = JSON.parse(schemaText);
const PLAIN_TYPES = { string: "str", integer: "int", number: "float", boolean: "bool" };
const nameOf = (token) => token.split(":").at(-1);
const typeRef = ($ref) => $ref.replace("#/types/", "");

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

function resource([token, { description, inputProperties, requiredInputs, properties }]) {
  const [summary, imports] = [description.split("\n\n## Example Usage")[0], description.split("\n\n## Import\n\n")[1]];
  const outputs = Object.entries(properties).filter(([key]) => !Object.hasOwn(inputProperties, key));
  return [
    `### ${nameOf(token)}\n`,
    `${pythonText(summary)}\n`,
    fields("Arguments", inputProperties, requiredInputs),
    fields("Outputs, besides the arguments and `id`", Object.fromEntries(outputs)),
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

function type([token, { description, enum: values, properties, required }]) {
  const body = values
    ? values.map(({ value, description: meaning }) => item(`\`"${value}"\``, meaning)).join("")
    : fields("Keys", properties, required);
  return `### ${nameOf(token)}\n\n${pythonText(description)}\n\n${body}`;
}

/** @param required Names of the properties that must be specified; absent for those that the server returns. */
function fields(title, properties, required = []) {
  const entries = Object.entries(properties);
  if (entries.length === 0) return "";
  const order = (key) => (required.includes(key) ? 0 : 1);
  entries.sort(([one], [other]) => order(one) - order(other));
  const items = entries.map(([key, property]) => {
    const marks = [required.includes(key) && "required", property.secret && "secret"].filter(Boolean);
    const details = [typeName(property), ...marks].join(", ");
    return item(`\`${snakeCase(key)}\` (${details})`, property.description);
  });
  return `**${title}:**\n\n${items.join("")}`;
}

/** Returns a list item; a description of several paragraphs is indented. */
const item = (label, description) =>
  `- ${label}${
    description
      ? `: ${pythonText(description)
          .replace(/\n+(?=- )/g, "\n")
          .replaceAll("\n", "\n  ")}`
      : ""
  }\n`;

function typeName({ type: plain, $ref, oneOf, items, additionalProperties }) {
  if (oneOf) return oneOf.map(typeName).join(" or ");
  if ($ref === "pulumi.json#/Any") return "Any";
  if ($ref) return `[${nameOf(typeRef($ref))}](#${nameOf(typeRef($ref)).toLowerCase()})`;
  if (items) return `list of ${typeName(items)}`;
  if (additionalProperties) return `dict of ${typeName(additionalProperties)}`;
  return PLAIN_TYPES[plain];
}

/** Writes the names in code font as in Python, except at the beginning of list items, which are values or keys of maps. */
const pythonText = (description) =>
  description.replace(/(?<!^- )`[^`\n]+`/gm, (code) =>
    code.replace(/\b[a-z][A-Za-z0-9]*\b/g, (word) => (camelCaseNames.has(word) ? snakeCase(word) : word)),
  );
