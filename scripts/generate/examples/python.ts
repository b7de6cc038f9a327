/** Writes a program in Python. */
import { type AnyWriter, bracket, lines, quote, snake, writerOf } from "./layout.ts";
import type { Option, Program, Source, Value } from "./program.ts";

const STYLE = { indent: "    ", trailing: "," };

export function python({ sources, outputs, isFragment }: Program): string {
  const body = sources.some(({ kind }) => kind === "config") && !isFragment ? ["config = pulumi.Config()"] : [];
  for (const source of sources) if (source.kind !== "config") body.push(declaration(source));
  for (const [name, value] of outputs) body.push(`pulumi.export(${quote(name)}, ${write(value)})`);
  const text = body.join("\n");
  if (isFragment) return text;
  const pulumi = text.includes("pulumi.") ? "import pulumi\n" : "";
  return `${pulumi}import pulumi_agentgraph as agentgraph\n\n${text}`;
}

function declaration(source: Exclude<Source, { kind: "config" }>) {
  const args = source.args.map(([key, value]) => `${snake(key)}=${write(value)}`);
  const variable = `${snake(source.variable)} = agentgraph`;
  if (source.kind === "function") return bracket(`${variable}.${snake(source.type)}_output(`, args, ")", STYLE);
  const options = source.options.map(optionOf).join(", ");
  if (options) args.push(`opts=pulumi.ResourceOptions(${options})`);
  return lines(`${variable}.${source.type}(`, [quote(source.name), ...args], ")", STYLE);
}

function optionOf(option: Option) {
  if (option.kind === "resource") return `${snake(option.name)}=${snake(option.source.variable)}`;
  const timeouts = option.entries.map(([operation, { text }]) => `${operation}=${quote(text)}`);
  return `custom_timeouts=pulumi.CustomTimeouts(${timeouts.join(", ")})`;
}

const dict = (entries: [string, string][]) =>
  bracket(
    "{",
    entries.map(([key, value]) => `${quote(key)}: ${value}`),
    "}",
    STYLE,
  );

const list = (items: string[]) => bracket("[", items, "]", STYLE);

const boolean = (value: boolean) => (value ? "True" : "False");

const ANY: AnyWriter = { text: quote, boolean, list, map: dict };

const write: (value: Value) => string = writerOf(ANY, {
  boolean: ({ value }) => boolean(value),
  list: ({ items }) => list(items.map(write)),
  map: ({ entries }) => dict(entries.map(([key, item]) => [key, write(item)])),
  object: ({ entries }) => dict(entries.map(([key, item]) => [snake(key), write(item)])),
  reference,
  enum: ({ isText, value, type, member }) =>
    isText ? quote(value) : `agentgraph.${type}.${snake(member).slice(1).toUpperCase()}`,
});

function reference({ source, property }: Value & { kind: "reference" }) {
  if (source.kind !== "config") return `${snake(source.variable)}.${snake(property)}`;
  return `config.${source.isSecret ? "require_secret" : "require"}(${quote(source.name)})`;
}
