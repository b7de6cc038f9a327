/** Writes a program in TypeScript. */
import { type AnyWriter, bracket, camel, lines, quote, writerOf } from "./layout.ts";
import type { Option, Program, Source, Value } from "./program.ts";

const STYLE = { indent: "  ", trailing: ",", padding: " " };

export function typescript({ sources, outputs }: Program): string {
  const hasConfig = sources.some(({ kind }) => kind === "config");
  const text = [`import * as agentgraph from "pulumi-agentgraph";`];
  if (hasConfig) text.push(`import * as pulumi from "@pulumi/pulumi";`, "", "const config = new pulumi.Config();");
  else text.push("");
  const isItself = ([name, value]: Program["outputs"][number]) => write(value) === name;
  for (const source of sources) {
    if (source.kind === "config") continue;
    const isExported = outputs.some((output) => output[1].source === source && isItself(output));
    text.push(`${isExported ? "export " : ""}${declaration(source)}`);
  }
  for (const output of outputs) if (!isItself(output)) text.push(`export const ${output[0]} = ${write(output[1])};`);
  return text.join("\n");
}

function declaration(source: Exclude<Source, { kind: "config" }>) {
  const entries = source.args.map(([key, value]): [string, string] => [key, write(value)]);
  const variable = `const ${camel(source.variable)}`;
  if (source.kind === "function")
    return `${variable} = agentgraph.${source.type}Output(${entries.length > 0 ? object(entries) : ""});`;
  const args = lines("{", properties(entries), "}", STYLE);
  const options = source.options.length > 0 ? `, ${object(source.options.map(optionOf))}` : "";
  return `${variable} = new agentgraph.${source.type}(${quote(source.name)}, ${args}${options});`;
}

function optionOf(option: Option): [string, string] {
  if (option.kind === "resource") return [option.name, camel(option.source.variable)];
  return ["customTimeouts", object(option.entries.map(([operation, { text }]) => [operation, quote(text)]))];
}

const properties = (entries: [string, string][]) =>
  entries.map(([key, value]) => (/^\w+$/.test(key) ? `${key}: ${value}` : `${quote(key)}: ${value}`));

const object = (entries: [string, string][]) => bracket("{", properties(entries), "}", STYLE);

const list = (items: string[]) => bracket("[", items, "]", { ...STYLE, padding: "" });

const ANY: AnyWriter = { text: quote, boolean: String, list, map: object };

const written = ({ entries }: Value & { kind: "map" | "object" }) =>
  object(entries.map(([key, item]) => [key, write(item)]));

const write: (value: Value) => string = writerOf(ANY, {
  list: ({ items }) => list(items.map(write)),
  map: written,
  object: written,
  reference,
});

function reference({ source, property }: Value & { kind: "reference" }) {
  const name = camel(source.variable);
  if (source.kind === "config") return `config.${source.isSecret ? "requireSecret" : "require"}(${quote(source.name)})`;
  // Here, functions that return a list return only that.
  return source.kind === "function" && source.name === property ? name : `${name}.${property}`;
}
