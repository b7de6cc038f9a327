/**
 * A program in YAML with the types of the package schema: what the programs in the other languages are written from. It
 * covers what examples need: configuration, resources, calls of functions, outputs, and references to a whole value.
 */
import type { PackageSpec, PropertySpec, TypeSpec } from "../../../dist/plugin/schema/spec.js";

/** A value with the type by which languages write it differently. */
export type Value =
  | { kind: "any"; value: unknown }
  | { kind: "boolean"; value: boolean }
  | { kind: "enum"; type: string; member: string; value: string; isText: boolean }
  | { kind: "integer" | "number"; value: number }
  | { kind: "list"; type: string; items: Value[] }
  | { kind: "map" | "object"; type: string; entries: [key: string, value: Value][]; plain?: Plain }
  | { kind: "reference"; source: Source; property: string; isOptional: boolean }
  | { kind: "string"; value: string; plain?: Plain };

/** A value that accepts no output as a whole has another type in Go. */
type Plain = "required" | "optional";

/** An option of a resource: another resource, or how long operations may take. */
export type Option =
  | { kind: "resource"; name: string; source: Source }
  | { kind: "timeouts"; entries: [operation: string, timeout: Timeout][] };

/** `text` is "45m". */
export interface Timeout {
  text: string;
  amount: number;
  unit: "Hours" | "Minutes";
}

/** What a name of the program stands for. `variable` is its name in languages with variables. */
export type Source = { name: string; variable: string } & Declaration;

type Declaration =
  | { kind: "config"; isSecret: boolean }
  | { kind: "resource"; type: string; args: [key: string, value: Value][]; options: Option[] }
  // A resource of the same object changes the name of the function in Go.
  | { kind: "function"; type: string; args: [key: string, value: Value][]; hasResource: boolean };

export interface Program {
  /** What the program declares, in its order. */
  sources: Source[];
  outputs: [name: string, value: Value & { kind: "reference" }][];
  /** Whether it is part of a program, and is written without imports and the code around it. */
  isFragment: boolean;
}

interface Resource {
  type: string;
  properties?: object;
  options?: Record<string, string | Record<string, string>>;
}

const PROVIDER = "pulumi:providers:agentgraph";

/** A program in YAML, parsed. */
export interface Yaml {
  config?: Record<string, { type?: string; secret?: boolean }>;
  resources?: Record<string, Resource>;
  variables?: Record<string, { "fn::invoke": { function: string; arguments?: object } }>;
  outputs?: Record<string, string>;
}

const nameOf = (token: string) => token.replace(/^.*:/, "");

/** How a program is written, other than on its own. */
export interface Context {
  /** What is around the program, which then is a fragment. */
  surroundings?: Yaml;
  /** The names of its variables, by the names in YAML, where they differ. */
  variables?: ReadonlyMap<string, string>;
}

/** @throws if the program contains a property that the schema lacks. */
export function readProgram(program: Yaml, schema: PackageSpec, { surroundings, variables }: Context = {}): Program {
  const reader = new Reader(schema, variables);
  if (surroundings) reader.declare(surroundings);
  const sources = reader.declare(program);
  const outputs = Object.entries(program.outputs ?? {}).map(([name, text]): Program["outputs"][number] => [
    name,
    reader.reference(text),
  ]);
  return { sources, outputs, isFragment: surroundings !== undefined };
}

const REFERENCE = /^\$\{([\w-]+)(?:\.(\w+))?\}$/;

interface Fields {
  properties?: Record<string, PropertySpec> | undefined;
  required?: readonly string[] | undefined;
}

class Reader {
  readonly #sources = new Map<string, Source>();
  readonly #schema: PackageSpec;
  readonly #variables: ReadonlyMap<string, string>;

  constructor(schema: PackageSpec, variables: ReadonlyMap<string, string> = new Map()) {
    this.#schema = schema;
    this.#variables = variables;
  }

  /** Returns what a program declares. */
  declare({ config = {}, resources = {}, variables = {} }: Yaml): Source[] {
    for (const [name, { secret = false }] of Object.entries(config))
      this.#add(name, { kind: "config", isSecret: secret });
    for (const [name, resource] of Object.entries(resources)) this.#add(name, this.#resource(resource));
    for (const [name, { "fn::invoke": call }] of Object.entries(variables)) {
      const type = nameOf(call.function);
      const fields = this.#schema.functions[`agentgraph:index:${type}`]?.inputs ?? {};
      const hasResource = `agentgraph:index:${type.replace("get", "")}` in this.#schema.resources;
      const args = this.#entries(call.arguments ?? {}, fields, type);
      this.#add(name, { kind: "function", type, args, hasResource });
    }
    return [config, resources, variables].flatMap((part) => Object.keys(part).map((name) => this.#source(name)));
  }

  /** @param text Such as "${agent.url}". */
  reference(text: string) {
    const [, name = "", property = ""] = REFERENCE.exec(text) ?? [];
    const source = this.#source(name);
    const { required = [] } = this.#schema.resources[`agentgraph:index:${"type" in source ? source.type : ""}`] ?? {};
    const isOptional = source.kind === "resource" && property !== "id" && !required.includes(property);
    return { kind: "reference" as const, source, property, isOptional };
  }

  #add(name: string, declaration: Declaration) {
    this.#sources.set(name, { name, variable: this.#variables.get(name) ?? name, ...declaration });
  }

  #source(name: string) {
    const source = this.#sources.get(name);
    if (!source) throw new Error(`${name} is not declared.`);
    return source;
  }

  #resource({ type: token, properties = {}, options = {} }: Resource): Declaration {
    const type = token === PROVIDER ? "Provider" : nameOf(token);
    const spec = token === PROVIDER ? this.#schema.provider : this.#schema.resources[`agentgraph:index:${type}`];
    const { inputProperties = {}, requiredInputs } = spec ?? {};
    const args = this.#entries(properties, { properties: inputProperties, required: requiredInputs }, type);
    const named = Object.entries(options).map(([name, value]): Option => {
      if (name === "customTimeouts") return { kind: "timeouts", entries: Object.entries(value).map(timeoutOf) };
      return { kind: "resource", name, source: this.reference(`${value}`).source };
    });
    return { kind: "resource", type, args, options: named };
  }

  #entries(values: object, { properties = {}, required = [] }: Fields, where: string) {
    return Object.entries(values).map(([key, value]): [string, Value] => {
      const type = properties[key];
      if (!type) throw new Error(`${where} has no property ${key}.`);
      const plain: Plain = required.includes(key) ? "required" : "optional";
      return [key, { ...this.#value(value, type), ...(type.plain && { plain }) } as Value];
    });
  }

  #value(value: unknown, type: TypeSpec): Value {
    if (typeof value === "string" && REFERENCE.test(value)) return this.reference(value);
    const alternative = type.oneOf?.find(({ $ref }) => $ref);
    if (alternative) return { ...this.#value(value, alternative), isText: true } as Value;
    const named = type.$ref?.startsWith("#/types/") ? this.#schema.types[type.$ref.replace("#/types/", "")] : undefined;
    if (named && "enum" in named) return enumValue(String(value), nameOf(type.$ref ?? ""), named.enum);
    if (named) {
      const name = nameOf(type.$ref ?? "");
      return { kind: "object", type: name, entries: this.#entries(value as object, named, name) };
    }
    if (type.type === "array" && type.items) return this.#list(value as unknown[], type.items);
    if (type.type === "object" && type.additionalProperties)
      return this.#map(value as object, type.additionalProperties);
    const { type: kind } = type;
    if (kind === "string" || kind === "boolean" || kind === "integer" || kind === "number")
      return { kind, value } as Value;
    return { kind: "any", value };
  }

  #list(values: unknown[], items: TypeSpec): Value {
    return { kind: "list", type: elementOf(items), items: values.map((item) => this.#value(item, items)) };
  }

  #map(values: object, type: TypeSpec): Value {
    const entries = Object.entries(values).map(([key, item]): [string, Value] => [key, this.#value(item, type)]);
    return { kind: "map", type: elementOf(type), entries };
  }
}

const elementOf = ({ $ref, type }: TypeSpec) => ($ref?.startsWith("#/types/") ? nameOf($ref) : (type ?? "any"));

const UNITS: Record<string, Timeout["unit"]> = { h: "Hours", m: "Minutes" };

function timeoutOf([operation, text]: [string, string]): [string, Timeout] {
  const unit = UNITS[text.slice(-1)];
  if (!unit) throw new Error(`The timeout "${text}" is in neither hours nor minutes.`);
  return [operation, { text, amount: Number.parseInt(text, 10), unit }];
}

export function referredSources({ sources, outputs }: Program): Set<Source> {
  const found = new Set(outputs.map(([, { source }]) => source));
  const visit = (value: Value) => {
    if (value.kind === "reference") found.add(value.source);
    if (value.kind === "object" || value.kind === "map") for (const [, item] of value.entries) visit(item);
    if (value.kind === "list") value.items.forEach(visit);
  };
  for (const source of sources) {
    if ("args" in source) for (const [, value] of source.args) visit(value);
    if ("options" in source)
      for (const option of source.options) if (option.kind === "resource") found.add(option.source);
  }
  return found;
}

function enumValue(value: string, type: string, members: readonly { name: string; value: string }[]): Value {
  const member = members.find((one) => one.value === value)?.name;
  if (!member) throw new Error(`${type} has no member "${value}".`);
  return { kind: "enum", type, member, value, isText: false };
}
