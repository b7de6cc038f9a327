/**
 * A program in YAML with the types of the package schema: what the programs in the other languages are written from. It covers
 * what examples need: configuration, resources, calls of functions, outputs, and references to a whole value.
 */
import { parse } from "yaml";
import type { PackageSpec, PropertySpec, TypeSpec } from "../../../dist/plugin/schema/spec.js";

/** A value with the type by which languages write it differently. */
export type Value =
  | { kind: "any"; value: unknown }
  | { kind: "boolean"; value: boolean }
  | { kind: "enum"; type: string; member: string; value: string; isText: boolean }
  | { kind: "integer" | "number"; value: number }
  | { kind: "list"; type: string; items: Value[] }
  | { kind: "map"; type: "any" | "string"; entries: [key: string, value: Value][] }
  | { kind: "object"; type: string; entries: [key: string, value: Value][] }
  | { kind: "reference"; source: Source; property: string }
  | { kind: "string"; value: string };

/** What a name of the program stands for. */
export type Source = { name: string } & (
  | { kind: "config"; isSecret: boolean }
  | { kind: "resource"; type: string; args: [key: string, value: Value][] }
  // A resource of the same object changes the name of the function in Go.
  | { kind: "function"; type: string; args: [key: string, value: Value][]; hasResource: boolean }
);

export interface Program {
  sources: Source[];
  outputs: [name: string, value: Value & { kind: "reference" }][];
}

interface Yaml {
  config?: Record<string, { secret?: boolean }>;
  resources?: Record<string, { type: string; properties: object }>;
  variables?: Record<string, { "fn::invoke": { function: string; arguments?: object } }>;
  outputs?: Record<string, string>;
}

const nameOf = (token: string) => token.replace(/^.*:/, "");

/** @throws if the program contains a property that the schema lacks. */
export function readProgram(text: string, schema: PackageSpec): Program {
  const { config = {}, resources = {}, variables = {}, outputs = {} } = parse(text) as Yaml;
  const sources = new Map<string, Source>();
  for (const [name, { secret = false }] of Object.entries(config))
    sources.set(name, { kind: "config", name, isSecret: secret });
  const entriesOf = (values: object, properties: Record<string, PropertySpec>, where: string) =>
    Object.entries(values).map(([key, value]): [string, Value] => {
      const type = properties[key];
      if (!type) throw new Error(`${where} has no property ${key}.`);
      return [key, typedValue(value, type)];
    });

  function typedValue(value: unknown, type: TypeSpec): Value {
    const reference = typeof value === "string" && /^\$\{([\w-]+)(?:\.(\w+))?\}$/.exec(value);
    if (reference) return referenceTo(reference[1] ?? "", reference[2]);
    const alternative = type.oneOf?.find(({ $ref }) => $ref);
    if (alternative) return { ...typedValue(value, alternative), isText: true } as Value;
    const named = type.$ref?.startsWith("#/types/") ? schema.types[type.$ref.replace("#/types/", "")] : undefined;
    if (named && "enum" in named) return enumValue(String(value), nameOf(type.$ref ?? ""), named.enum);
    if (named) {
      const name = nameOf(type.$ref ?? "");
      return { kind: "object", type: name, entries: entriesOf(value as object, named.properties, name) };
    }
    if (type.type === "array" && type.items) return listOf(value as unknown[], type.items);
    if (type.type === "object" && type.additionalProperties) return mapOf(value as object, type.additionalProperties);
    const { type: kind } = type;
    if (kind === "string" || kind === "boolean" || kind === "integer" || kind === "number")
      return { kind, value } as Value;
    return { kind: "any", value };
  }

  function listOf(values: unknown[], items: TypeSpec): Value {
    const type = items.$ref ? nameOf(items.$ref) : (items.type ?? "any");
    return { kind: "list", type, items: values.map((item) => typedValue(item, items)) };
  }

  function mapOf(values: object, type: TypeSpec): Value {
    const entries = Object.entries(values).map(([key, item]): [string, Value] => [key, typedValue(item, type)]);
    return { kind: "map", type: type.type === "string" ? "string" : "any", entries };
  }

  function referenceTo(name: string, property = "") {
    const source = sources.get(name);
    if (!source) throw new Error(`${name} is not declared.`);
    return { kind: "reference" as const, source, property };
  }

  for (const [name, { type, properties }] of Object.entries(resources)) {
    const kind = nameOf(type);
    const { inputProperties } = schema.resources[`agentgraph:index:${kind}`] ?? { inputProperties: {} };
    sources.set(name, { kind: "resource", name, type: kind, args: entriesOf(properties, inputProperties, kind) });
  }
  for (const [name, { "fn::invoke": call }] of Object.entries(variables)) {
    const type = nameOf(call.function);
    const { properties = {} } = schema.functions[`agentgraph:index:${type}`]?.inputs ?? {};
    const hasResource = `agentgraph:index:${type.replace("get", "")}` in schema.resources;
    sources.set(name, {
      kind: "function",
      name,
      type,
      args: entriesOf(call.arguments ?? {}, properties, type),
      hasResource,
    });
  }
  return {
    sources: [...sources.values()],
    outputs: Object.entries(outputs).map(([name, text]) => {
      const [, source = "", property] = /^\$\{([\w-]+)(?:\.(\w+))?\}$/.exec(text) ?? [];
      return [name, referenceTo(source, property)];
    }),
  };
}

function enumValue(value: string, type: string, members: readonly { name: string; value: string }[]): Value {
  const member = members.find((one) => one.value === value)?.name;
  if (!member) throw new Error(`${type} has no member "${value}".`);
  return { kind: "enum", type, member, value, isText: false };
}
