/** Determines which inputs are secret, and collects their values. Pure. */
import { type Definition, secretsOf } from "../definition/definition";
import { isObjectOrArray, isSameBranch, type PropertyMap, valueAt } from "../schema/schema";
import { UNKNOWN_SECRET } from "../schema/unknown-secrets";
import type { Facts, ResourceData } from "./facts";
import { splitPath } from "./key-path";
import { containsUnknown } from "./property-values";

/** Whether a path is a secret, or an ancestor or descendant of one. */
export function isSecret(definition: Definition, path: string, inputs: PropertyMap): boolean {
  return secretsOf(definition, inputs).some((pattern) => isSameBranch(path, pattern));
}

/** Returns the definition with the inputs that the program marks secret among its secrets. */
export function withMarkedInputs(definition: Definition, { secretInputs = [] }: Facts): Definition {
  const paths = [...new Set([...definition.secrets.paths, ...secretInputs])];
  return { ...definition, secrets: { ...definition.secrets, paths } };
}

/** Returns all secret texts in the properties of a call: by definition, and marked secret by the program. */
export function secretValues(definition: Definition, { properties: inputs, facts }: ResourceData): string[] {
  const markedByProgram = (facts.secretInputs ?? []).map((path) => inputAt(inputs, path));
  const markedByDefinition = secretsOf(definition, inputs).flatMap((path) => valuesAt(inputs, path.split(".")));
  return [...markedByProgram, ...markedByDefinition]
    .flatMap(textsIn)
    .filter((text) => !containsUnknown(text) && text !== UNKNOWN_SECRET);
}

function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (key === undefined) return [value];
  if (!isObjectOrArray(value)) return [];
  const names = key === "*" ? Object.keys(value) : [key];
  return names.flatMap((name) => valuesAt(value[name], rest));
}

/** Returns the value at a path, of which a key may contain dots. */
const inputAt = (inputs: PropertyMap, path: string) =>
  valueAt(inputs, path) ?? valueAt(inputs, splitPath(path, inputs));

function textsIn(value: unknown): string[] {
  if (isObjectOrArray(value)) return Object.values(value).flatMap(textsIn);
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
