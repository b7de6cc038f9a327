/** The page about the resources, functions and types of the Python SDK: those of all languages, with its names. */
import { snakeCase } from "../../dist/cli/adopt/program/names.js";
import type { PackageSpec } from "../../dist/plugin/schema/spec.js";
import { nameOf } from "../generate/documents/schema-fields.ts";
import { FILE, type Page, readSchema, schemaGroups } from "./schema-pages.ts";

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
  const inPython = textWriter(readSchema());
  const path = "schema/python.md";
  // The first page lists the others.
  const [, ...pages] = schemaGroups().flatMap((group) => group.pages);
  const text = [header, ...pages.map((page) => inPython(section(page)))].join("\n");
  return { path, title: "Python reference", text, source: path, edit: "tree/main/plugin/schema" };
}

/** Returns a page as a section, without its examples: those are on the page itself. */
const section = ({ text }: Page) =>
  text
    .replace(/^The type in programs in YAML.*\n\n/m, "")
    .replace(/^## Examples?\n[\s\S]*?(?=^## |^\*\*)/m, "")
    .replace(/^## (Inputs|Outputs|Import)$/gm, "**$1:**")
    .replace(/^(#+) (\w+)$/gm, (_, level: string, name: string) => `#${level} ${snakeFunction(name)}`)
    .replaceAll("](types.md#", "](#");

const snakeFunction = (name: string) => (name.startsWith("get") ? snakeCase(name) : name);

/** Returns what writes the names in code font as in Python. */
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
  // At the beginning of list items are values and keys, which stay, and fields, which types follow.
  return (text: string) =>
    text.replace(/(^ *- )?`([^`\n]+)`( \()?/gm, (code: string, item?: string, words?: string, type?: string) => {
      if (item) return type ? `${item}\`${snakeCase(words ?? "")}\`${type}` : code;
      return code.replace(/\b[a-z][A-Za-z0-9]*\b/g, inPython);
    });
}
