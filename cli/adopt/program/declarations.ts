/**
 * Decides what a program declares, in whatever language: inputs, references between resources, and secrets to
 * configure.
 */
import type { Definition } from "../../../provider/definition/definition";
import { fieldAt } from "../../../provider/schema/fields";
import { type PropertyMap, type Reference, variantFor, variantsOf } from "../../../provider/schema/schema";
import { type Adopted, definitionOf, isPlainObject, Secret } from "../types";
import { ConfigReference, type Declared, mapReferences, OutputReference } from "./declared";
import type { Names } from "./names";
import { declareServices, serviceOutput } from "./service-declarations";

export interface Declaration extends Declared {
  /** What the outputs in its inputs belong to. */
  refersTo: readonly OutputReference["to"][];
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
  const members = all.map((adopted) => ({ adopted, declared: toDeclared(adopted, byOutput, names, secrets) }));
  const declared = declareServices(members).map((one) => ({ ...one, refersTo: referencesIn(one.inputs) }));
  const referenced = new Set(declared.flatMap(({ refersTo }) => refersTo.map(({ variable }) => variable)));
  const declarations = declared.map((one) => ({ ...one, isReferenced: referenced.has(one.variable) }));
  return { declarations, secrets };
}

function referencesIn(inputs: PropertyMap): OutputReference["to"][] {
  const found: OutputReference["to"][] = [];
  mapReferences(inputs, (reference) => {
    if (reference instanceof OutputReference) found.push(reference.to);
  });
  return found;
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
function toDeclared(
  { kind, name, variable, inputs }: Adopted,
  byOutput: OutputIndex,
  names: Names,
  secrets: SecretKey[],
): Declared {
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
  const { schema } = definition;
  const written = sortInputs(definition, inputs).map(([key, value]): [string, unknown] => {
    const reference = fieldAt(schema, key, (field) => field.path === key)?.reference;
    const to = reference && byOutput(reference, value);
    if (!to) return [key, withSecrets(value)];
    return [key, to.service ? serviceOutput(to, reference.output) : new OutputReference(to, reference.output)];
  });
  const variant = variantFor(schema, inputs);
  const schemas = variant ? [variant] : variantsOf(schema.inputs);
  return { kind, type: definition.kind, name, variable, inputs: Object.fromEntries(written), schemas };
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
