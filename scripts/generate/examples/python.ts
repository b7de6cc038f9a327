/** Writes a program in Python. */
import { type AnyWriter, bracket, lines, quote, snake, writeAny } from "./layout.ts";
import type { Program, Source, Value } from "./program.ts";

const STYLE = { indent: "    ", trailing: "," };

export function python({ sources, outputs }: Program): string {
  const hasConfig = sources.some(({ kind }) => kind === "config");
  const imports = ["import pulumi", "import pulumi_agentgraph as agentgraph"];
  const text = [...imports, "", ...(hasConfig ? ["config = pulumi.Config()"] : [])];
  for (const source of sources) if (source.kind !== "config") text.push(declaration(source));
  for (const [name, value] of outputs) text.push(`pulumi.export(${quote(name)}, ${write(value)})`);
  const usesPulumi = hasConfig || outputs.length > 0;
  return text.filter((line) => usesPulumi || line !== "import pulumi").join("\n");
}

function declaration(source: Exclude<Source, { kind: "config" }>) {
  const args = source.args.map(([key, value]) => `${snake(key)}=${write(value)}`);
  const variable = `${snake(source.name)} = agentgraph`;
  if (source.kind === "function") return bracket(`${variable}.${snake(source.type)}_output(`, args, ")", STYLE);
  return lines(`${variable}.${source.type}(`, [quote(source.name), ...args], ")", STYLE);
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

function write(value: Value): string {
  switch (value.kind) {
    case "any":
      return writeAny(value.value, ANY);
    case "boolean":
      return boolean(value.value);
    case "list":
      return list(value.items.map(write));
    case "map":
      return dict(value.entries.map(([key, item]) => [key, write(item)]));
    case "object":
      return dict(value.entries.map(([key, item]) => [snake(key), write(item)]));
    case "reference":
      return reference(value);
    case "enum":
      return value.isText
        ? quote(value.value)
        : `agentgraph.${value.type}.${snake(value.member).slice(1).toUpperCase()}`;
    case "string":
      return quote(value.value);
    default:
      return String(value.value);
  }
}

function reference({ source, property }: Value & { kind: "reference" }) {
  if (source.kind !== "config") return `${snake(source.name)}.${snake(property)}`;
  return `config.${source.isSecret ? "require_secret" : "require"}(${quote(source.name)})`;
}
