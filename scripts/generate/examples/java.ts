/** Writes a program in Java. */
import { type AnyWriter, bracket, camel, indented, pascal, quote, writerOf } from "./layout.ts";
import { type Option, type Program, referredSources, type Source, type Value } from "./program.ts";

const STYLE = { indent: "    ", trailing: "" };

export function java(program: Program): string {
  const { sources, outputs } = program;
  const referred = referredSources(program);
  const lines: string[] = [];
  for (const source of sources) if (source.kind !== "config") lines.push(declaration(source, referred.has(source)));
  for (const [name, value] of outputs) lines.push(`ctx.export(${quote(name)}, ${reference(value)});`);
  const body = lines.join("\n");
  if (program.isFragment) return body;
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
  for (const [call, name] of Object.entries(CALLS)) if (body.includes(call)) names.add(name);
  return [...names].sort();
}

const CALLS = {
  "CustomResourceOptions.": "com.pulumi.resources.CustomResourceOptions",
  "CustomTimeouts.": "com.pulumi.resources.CustomTimeouts",
  "Either.": "com.pulumi.core.Either",
  "Duration.": "java.time.Duration",
  "List.of(": "java.util.List",
  "Map.of(": "java.util.Map",
};

function declaration(source: Exclude<Source, { kind: "config" }>, isReferred: boolean) {
  const type = pascal(source.type);
  const args = source.args.length > 0 ? builder(`${type}Args`, source.args) : "";
  const variable = isReferred || source.kind === "function" ? `var ${camel(source.variable)} = ` : "";
  if (source.kind === "function") return `${variable}AgentgraphFunctions.${source.type}(${args});`;
  // The Java SDK has no such option. Without it, the resource is deleted before the other one.
  const supported = source.options.filter((option) => option.kind !== "resource" || option.name !== "deletedWith");
  const options = supported.length > 0 ? `, ${optionsOf(supported)}` : "";
  return `${variable}new ${type}(${quote(source.name)}, ${args}${options});`;
}

function optionsOf(options: readonly Option[]) {
  const calls = options.map((option) => {
    if (option.kind === "resource") return `.${option.name}(${camel(option.source.variable)})`;
    const timeouts = option.entries.map(
      ([operation, { amount, unit }]) => `.${operation}(Duration.of${unit}(${amount}))`,
    );
    return `.customTimeouts(CustomTimeouts.builder()${timeouts.join("")}.build())`;
  });
  return `CustomResourceOptions.builder()\n${indented([...calls, ".build()"].join("\n"), "    ")}`;
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

const write: (value: Value) => string = writerOf(ANY, {
  list: ({ items }) => items.map(element).join(", "),
  map: ({ entries }) => mapOf(entries),
  object: ({ type, entries }) => builder(`${type}Args`, entries),
  reference: (value) => reference(value) + (value.isOptional ? ".applyValue(value -> value.orElseThrow())" : ""),
  enum: ({ isText, value, type, member }) => (isText ? quote(value) : `${type}.${member}`),
  number: ({ value }) => (Number.isInteger(value) ? `${value}.0` : String(value)),
});

/** In a list, a text that may also be a member of an enum is not converted. */
const element = (value: Value) =>
  value.kind === "enum" && value.isText ? `Either.ofLeft(${write(value)})` : write(value);

/** A map with a secret is an output. */
function mapOf(entries: [string, Value][]) {
  const [secret, ...others] = entries.filter(([, { kind }]) => kind === "reference");
  if (others.length > 0) throw new Error("A map in Java has more than one secret.");
  if (!secret) return map(entries.map(([key, value]) => [key, write(value)]));
  const named = entries.map(([key, value]): [string, string] => [key, value === secret[1] ? "value" : write(value)]);
  return `${write(secret[1])}.applyValue(value -> ${map(named)})`;
}

function reference({ source, property }: Value & { kind: "reference" }) {
  const name = camel(source.variable);
  if (source.kind === "config")
    return `ctx.config().${source.isSecret ? "requireSecret" : "require"}(${quote(source.name)})`;
  if (source.kind === "function") return `${name}.applyValue(result -> result.${property}())`;
  return `${name}.${property}()`;
}
