/** Writes a program in Go. */
import { type AnyWriter, bracket, camel, indented, lines, pascal, quote, writeAny, writerOf } from "./layout.ts";
import { type Option, type Program, referredSources, type Source, type Value } from "./program.ts";

const STYLE = { indent: "\t", trailing: "," };
const RETURN = "if err != nil {\n\treturn err\n}";

/** @param module The import path of the SDK. */
export function go(program: Program, module: string): string {
  const { sources, outputs, isFragment } = program;
  const hasConfig = sources.some(({ kind }) => kind === "config");
  const referred = referredSources(program);
  const text = hasConfig && !isFragment ? [`cfg := config.New(ctx, "")`] : [];
  let declared = "_, err :=";
  for (const source of sources) {
    if (source.kind === "function") text.push(`${camel(source.variable)} := ${call(source)}`);
    if (source.kind !== "resource") continue;
    const assignment = referred.has(source) ? `${camel(source.variable)}, err :=` : declared;
    text.push(`${assignment} ${construction(source)}`, RETURN);
    declared = "_, err =";
  }
  for (const [name, value] of outputs) text.push(`ctx.Export(${quote(name)}, ${write(value)})`);
  if (isFragment) return text.join("\n");
  const unused = sources.filter((source) => source.kind === "function" && !referred.has(source));
  text.push(...unused.map(({ variable }) => `_ = ${camel(variable)}`));
  const imports = [module, "github.com/pulumi/pulumi/sdk/v3/go/pulumi"];
  if (hasConfig) imports.push("github.com/pulumi/pulumi/sdk/v3/go/pulumi/config");
  return `package main

import (
${imports.map((path) => `\t"${path}"\n`).join("")})

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
${indented([...text, "return nil"].join("\n"), "\t\t")}
	})
}`;
}

function construction({ type, name, args, options }: Source & { kind: "resource" }) {
  const object = literal(`&agentgraph.${type}Args`, args);
  return `agentgraph.New${type}(${["ctx", quote(name), object, ...options.map(optionOf)].join(", ")})`;
}

function optionOf(option: Option) {
  if (option.kind === "resource") return `pulumi.${pascal(option.name)}(${camel(option.source.variable)})`;
  const timeouts = option.entries.map(([operation, { text }]) => `${pascal(operation)}: ${quote(text)}`);
  return `pulumi.Timeouts(&pulumi.CustomTimeouts{${timeouts.join(", ")}})`;
}

function call({ type, args, hasResource }: Source & { kind: "function" }) {
  const name = hasResource ? type.replace("get", "Lookup") : pascal(type);
  return `agentgraph.${name}Output(ctx, ${literal(`agentgraph.${name}OutputArgs`, args)})`;
}

/** Aligns the values as gofmt does. */
function literal(type: string, args: [string, Value][]) {
  const fields = args.map(([key, value]) => `${pascal(key)}: ${write(value)}`);
  return fields.length === 0 ? `${type}{}` : lines(`${type}{`, aligned(fields), "}", STYLE);
}

/** gofmt aligns the values of fields that follow each other, each on one line. */
function aligned(fields: readonly string[]) {
  const result: string[] = [];
  for (let start = 0; start < fields.length; ) {
    let end = start;
    while (end < fields.length && !fields[end]?.includes("\n")) end += 1;
    const block = fields.slice(start, end);
    const width = Math.max(0, ...block.map((line) => line.indexOf(": ")));
    for (const line of block) {
      const at = line.indexOf(": ");
      result.push(`${line.slice(0, at)}:${" ".repeat(width - at + 1)}${line.slice(at + 2)}`);
    }
    if (end < fields.length) result.push(fields[end] ?? "");
    start = end + 1;
  }
  return result;
}

const map = (type: string, entries: [string, string][]) =>
  lines(`${type}{`, aligned(entries.map(([key, value]) => `${quote(key)}: ${value}`)), "}", STYLE);

const ANY: AnyWriter = {
  text: quote,
  boolean: String,
  list: (items) => bracket("[]any{", items, "}", STYLE),
  map: (entries) => map("map[string]any", entries),
};

const LISTS: Record<string, string> = { string: "pulumi.StringArray", any: "pulumi.Array" };
const MAPS: Record<string, string> = { string: "pulumi.StringMap", any: "pulumi.Map" };

const STRINGS = { required: quote, optional: (text: string) => `pulumi.StringRef(${quote(text)})` };
const string = (text: string) => `pulumi.String(${quote(text)})`;

const write: (value: Value) => string = writerOf(ANY, {
  any: ({ value }) => (typeof value === "string" ? string(value) : `pulumi.Any(${writeAny(value, ANY)})`),
  boolean: ({ value }) => `pulumi.Bool(${value})`,
  integer: ({ value }) => `pulumi.Int(${value})`,
  number: ({ value }) => `pulumi.Float64(${value})`,
  list: ({ type, items }) => bracket(`${LISTS[type] ?? `agentgraph.${type}Array`}{`, items.map(write), "}", STYLE),
  map: ({ type, plain, entries }) =>
    map(
      MAPS[type] ?? (plain ? `map[string]agentgraph.${type}Input` : `agentgraph.${type}Map`),
      entries.map(([key, item]) => [key, write(item)]),
    ),
  object: ({ type, plain, entries }) => literal(`${plain === "required" ? "" : "&"}agentgraph.${type}Args`, entries),
  reference,
  enum: ({ type, member }) => `agentgraph.${type}${member}`,
  string: ({ plain, value }) => (plain ? STRINGS[plain] : string)(value),
});

function reference({ source, property }: Value & { kind: "reference" }) {
  const name = camel(source.variable);
  if (source.kind === "config")
    return source.isSecret ? `cfg.RequireSecret(${quote(name)})` : `pulumi.String(cfg.Require(${quote(name)}))`;
  if (source.kind === "function") return `${name}.${pascal(property)}()`;
  return property === "id" ? `${name}.ID()` : `${name}.${pascal(property)}`;
}
