/** Writes a program in Java. */
import { type AnyWriter, bracket, camel, indented, pascal, quote, writeAny } from "./layout.ts";
import type { Program, Source, Value } from "./program.ts";

const STYLE = { indent: "    ", trailing: "" };

export function java({ sources, outputs }: Program): string {
  const lines: string[] = [];
  for (const source of sources) if (source.kind !== "config") lines.push(declaration(source, outputs));
  for (const [name, value] of outputs) lines.push(`ctx.export(${quote(name)}, ${write(value)});`);
  const body = lines.join("\n");
  return `${importsOf(sources, body)
    .map((name) => `import ${name};\n`)
    .join("")}
public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
${indented(body, "            ")}
        });
    }
}`;
}

/** Each class by its name, since \`Thread\` is also a class of the language. */
function importsOf(sources: readonly Source[], body: string) {
  const names = new Set(["com.pulumi.Pulumi"]);
  const add = (value: Value) => {
    if (value.kind === "object") names.add(`com.pulumi.agentgraph.inputs.${value.type}Args`);
    if (value.kind === "enum" && !value.isText) names.add(`com.pulumi.agentgraph.enums.${value.type}`);
    if (value.kind === "object" || value.kind === "map") for (const [, item] of value.entries) add(item);
    if (value.kind === "list") value.items.forEach(add);
  };
  for (const source of sources) {
    if (source.kind === "config") continue;
    for (const [, value] of source.args) add(value);
    const args = `${pascal(source.type)}Args`;
    if (source.kind === "resource") for (const name of [source.type, args]) names.add(`com.pulumi.agentgraph.${name}`);
    else names.add("com.pulumi.agentgraph.AgentgraphFunctions");
    if (source.kind === "function" && source.args.length > 0) names.add(`com.pulumi.agentgraph.inputs.${args}`);
  }
  for (const name of ["List", "Map"]) if (body.includes(`${name}.of(`)) names.add(`java.util.${name}`);
  return [...names].sort();
}

function declaration(source: Exclude<Source, { kind: "config" }>, outputs: Program["outputs"]) {
  const type = pascal(source.type);
  const args = source.args.length > 0 ? builder(`${type}Args`, source.args) : "";
  const isUsed = outputs.some(([, value]) => value.source === source);
  const variable = isUsed || source.kind === "function" ? `var ${camel(source.name)} = ` : "";
  if (source.kind === "function") return `${variable}AgentgraphFunctions.${source.type}(${args});`;
  return `${variable}new ${type}(${quote(source.name)}, ${args});`;
}

function builder(type: string, args: [string, Value][]) {
  const calls = args.map(([key, value]) => `.${key}(${write(value)})`);
  return `${type}.builder()\n${indented([...calls, ".build()"].join("\n"), "    ")}`;
}

const list = (items: string[]) => bracket("List.of(", items, ")", STYLE);
const map = (entries: [string, string][]) =>
  bracket(
    "Map.of(",
    entries.map(([key, value]) => `${quote(key)}, ${value}`),
    ")",
    STYLE,
  );

const ANY: AnyWriter = { text: quote, boolean: String, list, map };

function write(value: Value): string {
  switch (value.kind) {
    case "any":
      return writeAny(value.value, ANY);
    case "list":
      return value.items.map(write).join(", ");
    case "map":
      return mapOf(value.entries);
    case "object":
      return builder(`${value.type}Args`, value.entries);
    case "reference":
      return reference(value);
    case "enum":
      return value.isText ? quote(value.value) : `${value.type}.${value.member}`;
    case "string":
      return quote(value.value);
    case "number":
      return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value);
    default:
      return String(value.value);
  }
}

/** A map with a secret is an output. */
function mapOf(entries: [string, Value][]) {
  const [secret, ...others] = entries.filter(([, { kind }]) => kind === "reference");
  if (others.length > 0) throw new Error("A map in Java has more than one secret.");
  if (!secret) return map(entries.map(([key, value]) => [key, write(value)]));
  const named = entries.map(([key, value]): [string, string] => [key, value === secret[1] ? "value" : write(value)]);
  return `${write(secret[1])}.applyValue(value -> ${map(named)})`;
}

function reference({ source, property }: Value & { kind: "reference" }) {
  const name = camel(source.name);
  if (source.kind === "config")
    return `ctx.config().${source.isSecret ? "requireSecret" : "require"}(${quote(source.name)})`;
  if (source.kind === "function") return `${name}.applyValue(result -> result.${property}())`;
  return `${name}.${property}()`;
}
