/** Decides what a program declares, in whatever language: inputs, references between resources, and secrets to configure. */
import type { Definition } from "../../../provider/definition/definition";
import { fieldAt } from "../../../provider/schema/fields";
import { type PropertyMap, type Reference, variantFor } from "../../../provider/schema/schema";
import { type Adopted, definitionOf, isPlainObject, Secret } from "../types";
import type { Names } from "./names";

/** An input that the program reads from the configuration of the stack. */
export class ConfigReference {
  constructor(readonly key: string) {}
}

/** An input that is the output of another declared resource. */
export class OutputReference {
  constructor(
    readonly to: Adopted,
    readonly output: string,
  ) {}
}

export interface Declaration {
  adopted: Adopted;
  definition: Definition;
  /** In the order of the schema. A value may be a reference, at any depth. */
  inputs: PropertyMap;
  /** The resources whose outputs its inputs are. */
  refersTo: readonly Adopted[];
  /** Whether another resource refers to it. */
  isReferenced: boolean;
}

export interface SecretKey {
  /** Key in the stack configuration. */
  key: string;
  /** Name of the resource. */
  resource: string;
  /** Path of the input. */
  path: string;
}

export interface Program {
  declarations: readonly Declaration[];
  secrets: readonly SecretKey[];
}

export function declareAll(all: readonly Adopted[], names: Names): Program {
  const secrets: SecretKey[] = [];
  const byOutput = indexByOutput(all);
  const declared = all.map((adopted) => ({ adopted, ...toReferences(adopted, byOutput, names, secrets) }));
  const referenced = new Set(declared.flatMap(({ refersTo }) => refersTo));
  const declarations = declared.map((one) => ({
    ...one,
    definition: definitionOf(one.adopted.kind),
    isReferenced: referenced.has(one.adopted),
  }));
  return { declarations, secrets };
}

/** Finds the resource whose output has this value. */
type OutputIndex = (reference: Reference, value: unknown) => Adopted | undefined;

function indexByOutput(all: readonly Adopted[]): OutputIndex {
  const indexes = new Map<string, ReadonlyMap<unknown, Adopted>>();
  const indexOf = ({ kind, output }: Reference) => {
    const resources = all.filter((resource) => definitionOf(resource.kind).kind === kind);
    return new Map(resources.map((resource) => [{ ...resource.outputs, id: resource.id }[output], resource]));
  };
  return (reference, value) => {
    if (typeof value !== "string") return undefined;
    const key = `${reference.kind}.${reference.output}`;
    const index = indexes.get(key) ?? indexOf(reference);
    indexes.set(key, index);
    return index.get(value);
  };
}

/** Replaces secrets, and values of other declared resources, with references. */
function toReferences(
  { kind, name, variable, inputs }: Adopted,
  byOutput: OutputIndex,
  names: Names,
  secrets: SecretKey[],
): Pick<Declaration, "inputs" | "refersTo"> {
  const refersTo: Adopted[] = [];
  const withSecrets = (value: unknown): unknown => {
    if (value instanceof Secret) {
      const key = names.nameSecret(variable, value.name);
      secrets.push({ key, resource: name, path: value.path.join(".") });
      return new ConfigReference(key);
    }
    if (Array.isArray(value)) return value.map(withSecrets);
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withSecrets(part)]));
  };
  const definition = definitionOf(kind);
  const written = sortInputs(definition, inputs).map(([key, value]): [string, unknown] => {
    const reference = fieldAt(definition.schema, key, (field) => field.path === key)?.reference;
    const to = reference && byOutput(reference, value);
    if (!to) return [key, withSecrets(value)];
    refersTo.push(to);
    return [key, new OutputReference(to, reference.output)];
  });
  return { inputs: Object.fromEntries(written), refersTo };
}

/** Sorts inputs in the order of the schema, without a name that another input stands for. */
function sortInputs({ schema }: Definition, inputs: PropertyMap): [key: string, value: unknown][] {
  const keys = Object.keys(variantFor(schema, inputs)?.shape ?? {});
  const { nameInput, namingInput } = schema;
  const isDerived = namingInput !== undefined && inputs[namingInput.input] !== undefined;
  return Object.entries(inputs)
    .filter(([key]) => !isDerived || key !== nameInput)
    .sort(([a], [b]) => keys.indexOf(a) - keys.indexOf(b));
}

/** Replaces each reference in a value with what a language writes for it. */
export function mapReferences(
  value: unknown,
  convert: (reference: ConfigReference | OutputReference) => unknown,
): unknown {
  if (value instanceof ConfigReference || value instanceof OutputReference) return convert(value);
  if (Array.isArray(value)) return value.map((part) => mapReferences(part, convert));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapReferences(part, convert)]));
}
