/** Pages about the resources, functions and types of every language, from plugin/schema.json. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FunctionSpec, PackageSpec, ResourceSpec } from "../../dist/plugin/schema/spec.js";
import { fields, nameOf, pureOutputs, textsOf, typeSection } from "../generate/documents/schema-fields.ts";
import { ROOT } from "../setup/paths.mjs";

export interface Page {
  path: string;
  title: string;
  text: string;
  /** The file that its links are relative to. */
  source: string;
  /** Where it is edited, in the repository. */
  edit: string;
}

export interface PageGroup {
  text: string;
  pages: Page[];
}

export const FILE = "plugin/schema.json";

const INTRODUCTION = `# Resources and functions

These pages list all properties of the resources and functions, for every language, generated from the
[package schema](../${FILE}). They use the names of TypeScript, YAML and Java. Python writes them in snake case, as its
[reference](python.md) does, and Go with a capital letter.
[Languages](../docs/languages.md) shows a program in each language.
`;

export const readSchema = (): PackageSpec => JSON.parse(readFileSync(join(ROOT, FILE), "utf8"));

export function schemaGroups(): PageGroup[] {
  const { resources, functions, types, provider } = readSchema();
  const providerText = [`# Provider\n`, `${provider.description}\n`, fields("Inputs", provider.inputProperties)];
  const shared = [
    toPage("index", "All resources and functions", [
      INTRODUCTION,
      list("Resources", resources),
      list("Functions", functions),
    ]),
    ...Object.entries(resources).map(resource),
    toPage("provider", "Provider", providerText, "provider/settings/settings-schema.ts"),
    toPage("types", "Types", ["# Types\n", ...Object.entries(types).map(typeSection)]),
  ];
  return [
    { text: "Resources", pages: shared },
    { text: "Functions", pages: Object.entries(functions).map(callable) },
  ];
}

/** @param source The file that defines what the page describes. */
function toPage(name: string, title: string, parts: readonly string[], source = "plugin/schema"): Page {
  const kind = source.endsWith(".ts") ? "edit" : "tree";
  return {
    path: `schema/${name}.md`,
    title,
    text: parts.join("\n"),
    source: `schema/${name}.md`,
    edit: `${kind}/main/${source}`,
  };
}

function list(title: string, entries: Record<string, { description: string }>) {
  const lines = Object.entries(entries).map(([token, { description }]) => {
    const [sentence] = description.split(/(?<=\.)\s/);
    return `- [\`${nameOf(token)}\`](${nameOf(token)}.md): ${sentence}\n`;
  });
  return `## ${title}\n\n${lines.join("")}`;
}

function resource([token, schema]: [string, ResourceSpec]) {
  const name = nameOf(token);
  const { summary, examples, imports } = textsOf(schema);
  const alsoInputs = schema.isComponent ? "" : "All inputs are also outputs, and `id`.\n\n";
  const parts = [
    `# ${name}\n`,
    `${summary}\n`,
    `The type in programs in YAML, and in URNs, is \`${token}\`.\n`,
    `## Examples\n\n${examples}\n`,
    `## Inputs\n\n${fields("", schema.inputProperties, schema.requiredInputs)}`,
    `## Outputs\n\n${alsoInputs}${fields("", pureOutputs(schema))}`,
    `## Import\n\n${imports}\n`,
  ];
  const file = name.replace(/(?<=[a-z])[A-Z]/g, "-$&").toLowerCase();
  return toPage(name, name, parts, `provider/${schema.isComponent ? "components" : "resources"}/${file}.ts`);
}

function callable([token, spec]: [string, FunctionSpec]) {
  const { inputs, outputs } = spec;
  const name = nameOf(token);
  const { summary, examples } = textsOf(spec);
  const parts = [
    `# ${name}\n`,
    `${summary}\n`,
    `## Example\n\n${examples.replace(/^### .*\n+/, "")}\n`,
    fields("Arguments", inputs.properties, inputs.required),
    fields("Result", outputs.properties),
  ];
  return toPage(name, name, parts, "provider/functions");
}
