/** Pages about the resources, functions and types of every language, from plugin/schema.json. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldWriter, nameOf, pureOutputs, resourceTexts } from "../generate/schema-fields.ts";
import { ROOT } from "../setup/paths.mjs";

export const FILE = "plugin/schema.json";

const { fields, type } = fieldWriter({
  name: (key) => key,
  text: (description) => description,
  types: { string: "string", integer: "integer", number: "number", boolean: "boolean" },
  list: (element) => `list of ${element}`,
  map: (element) => `map of ${element}`,
  any: "any value",
  link: (name) => `types.md#${name.toLowerCase()}`,
});

const INTRODUCTION = `# Resources and functions

These pages list all properties of the resources and functions, for every language, generated from the [package schema](../${FILE}). They use the names
of TypeScript, YAML and Java. Python writes them in snake case, as its [reference](python.md) does, and Go with a capital letter.
[Languages](../docs/languages.md) shows a program in each language.
`;

/** Returns the groups of pages for the navigation. */
export function schemaGroups() {
  const { resources, functions, types, provider } = JSON.parse(readFileSync(join(ROOT, FILE), "utf8"));
  const providerText = [`# Provider\n`, `${provider.description}\n`, fields("Inputs", provider.inputProperties)];
  const shared = [
    toPage("index", "All resources and functions", [
      INTRODUCTION,
      list("Resources", resources),
      list("Functions", functions),
    ]),
    ...Object.entries(resources).map(resource),
    toPage("provider", "Provider", providerText, "provider/settings/settings-schema.ts"),
    toPage("types", "Types", ["# Types\n", ...Object.entries(types).map(sectionOf)]),
  ];
  const sources = functionSources();
  return [
    { text: "Resources", pages: shared },
    { text: "Functions", pages: Object.entries(functions).map((entry) => callable(entry, sources)) },
  ];
}

/** @param source The file that defines what the page describes. */
function toPage(name, title, parts, source = "plugin/schema") {
  const kind = source.endsWith(".ts") ? "edit" : "tree";
  return {
    path: `schema/${name}.md`,
    title,
    text: parts.join("\n"),
    source: `schema/${name}.md`,
    edit: `${kind}/main/${source}`,
  };
}

const sectionOf = (entry) => type(entry).replace("### ", "## ");

function list(title, entries) {
  const lines = Object.entries(entries).map(([token, { description }]) => {
    const [sentence] = description.split(/(?<=\.)\s/);
    return `- [\`${nameOf(token)}\`](${nameOf(token)}.md): ${sentence}\n`;
  });
  return `## ${title}\n\n${lines.join("")}`;
}

function resource([token, schema]) {
  const name = nameOf(token);
  const { summary, examples, imports } = resourceTexts(schema);
  const parts = [
    `# ${name}\n`,
    `${summary}\n`,
    `The type in programs in YAML, and in URNs, is \`${token}\`.\n`,
    `## Examples\n\n${examples}\n`,
    `## Inputs\n\n${fields("", schema.inputProperties, schema.requiredInputs)}`,
    `## Outputs\n\nAll inputs are also outputs, and \`id\`.\n\n${fields("", pureOutputs(schema))}`,
    `## Import\n\n${imports}\n`,
  ];
  const file = name.replace(/(?<=[a-z])[A-Z]/g, "-$&").toLowerCase();
  return toPage(name, name, parts, `provider/resources/${file}.ts`);
}

function callable([token, { description, inputs, outputs }], sources) {
  const name = nameOf(token);
  const parts = [
    `# ${name}\n`,
    `${description}\n`,
    fields("Arguments", inputs.properties, inputs.required),
    fields("Result", outputs.properties),
  ];
  return toPage(name, name, parts, sources[name]);
}

/** Returns the file that defines each function, by its name. */
function functionSources() {
  const folder = "provider/functions";
  const files = readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
  return Object.fromEntries(
    files.flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(/name: "(get\w+)"/g)].map(([, name]) => [name, file]),
    ),
  );
}
