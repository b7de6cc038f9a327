/** Writes a program in C#. */
import { type AnyWriter, bracket, camel, indented, lines, pascal, quote, writerOf } from "./layout.ts";
import type { Option, Program, Source, Value } from "./program.ts";

const STYLE = { indent: "    ", trailing: ",", padding: " " };

export function csharp({ sources, outputs, isFragment }: Program): string {
  const text = sources.some(({ kind }) => kind === "config") && !isFragment ? ["var config = new Config();"] : [];
  for (const source of sources) if (source.kind !== "config") text.push(declaration(source));
  const exports = outputs.map(([name, value]) => `[${quote(name)}] = ${write(value)}`);
  if (exports.length > 0) text.push("", `${initializer("return new Dictionary<string, object?>", exports)};`);
  const body = text.join("\n");
  if (isFragment) return body;
  return `${body.includes("TimeSpan.") ? "using System;\n" : ""}using System.Collections.Generic;
using Pulumi;
using AgentGraph = Pulumi.AgentGraph;

return await Deployment.RunAsync(() =>
{
${indented(body, "    ")}
});`;
}

function declaration(source: Exclude<Source, { kind: "config" }>) {
  const variable = `var ${camel(source.variable)} =`;
  const args = initializer("new()", fields(source.args));
  if (source.kind === "resource") {
    const options =
      source.options.length > 0 ? `, ${initializer("new CustomResourceOptions", source.options.map(optionOf))}` : "";
    return `${variable} new AgentGraph.${source.type}(${quote(source.name)}, ${args}${options});`;
  }
  return `${variable} AgentGraph.${pascal(source.type)}.Invoke(${source.args.length > 0 ? args : ""});`;
}

function optionOf(option: Option) {
  if (option.kind === "resource") return `${pascal(option.name)} = ${camel(option.source.variable)}`;
  const timeouts = option.entries.map(
    ([operation, { amount, unit }]) => `${pascal(operation)} = TimeSpan.From${unit}(${amount})`,
  );
  return `CustomTimeouts = ${bracket("new CustomTimeouts {", timeouts, "}", STYLE)}`;
}

const fields = (args: [string, Value][]) => args.map(([key, value]) => `${pascal(key)} = ${write(value)}`);

const initializer = (type: string, items: readonly string[]) => lines(`${type}\n{`, items, "}", STYLE);

const ANY: AnyWriter = {
  text: quote,
  boolean: String,
  list: (items) => initializer("new object[]", items),
  map: (entries) =>
    initializer(
      "new Dictionary<string, object?>",
      entries.map(([key, value]) => `[${quote(key)}] = ${value}`),
    ),
};

const pair = ([key, item]: [string, Value]) => `{ ${quote(key)}, ${write(item)} }`;

const write: (value: Value) => string = writerOf(ANY, {
  list: ({ items }) => initializer("new[]", items.map(write)),
  map: ({ entries }) => bracket("{", entries.map(pair), "}", STYLE),
  object: ({ type, entries }) => initializer(`new AgentGraph.Inputs.${type}Args`, fields(entries)),
  reference,
  enum: ({ type, member }) => `AgentGraph.${type}.${member}`,
});

function reference({ source, property }: Value & { kind: "reference" }) {
  const name = camel(source.variable);
  if (source.kind === "config") return `config.${source.isSecret ? "RequireSecret" : "Require"}(${quote(source.name)})`;
  if (source.kind === "function") return `${name}.Apply(result => result.${pascal(property)})`;
  return `${name}.${pascal(property)}`;
}
