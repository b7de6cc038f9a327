/** Determines which inputs are secret, and collects their values. Pure. */
import { type Definition, secretsOf } from "../definition/definition";
import { isObjectOrArray, isSameBranch, type PropertyMap } from "../schema/schema";
import { UNKNOWN_SECRET } from "../schema/unknown-secrets";
import type { ResourceData } from "./facts";
import { containsUnknown } from "./property-values";

/** Whether a path is a secret, or an ancestor or descendant of one. */
export function isSecret(definition: Definition, path: string, inputs: PropertyMap): boolean {
  return secretsOf(definition, inputs).some((pattern) => isSameBranch(path, pattern));
}

/** Returns all secret strings in the properties of a call: by definition, and marked secret by the program. */
export function secretValues(definition: Definition, { properties: inputs, facts }: ResourceData): string[] {
  const markedByProgram = (facts.secretInputs ?? []).map((key) => inputs[key]);
  const markedByDefinition = secretsOf(definition, inputs).flatMap((path) => valuesAt(inputs, path.split(".")));
  return [...markedByProgram, ...markedByDefinition]
    .flatMap(stringsIn)
    .filter((text) => !containsUnknown(text) && text !== UNKNOWN_SECRET);
}

function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (key === undefined) return [value];
  if (!isObjectOrArray(value)) return [];
  const names = key === "*" ? Object.keys(value) : [key];
  return names.flatMap((name) => valuesAt(value[name], rest));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return isObjectOrArray(value) ? Object.values(value).flatMap(stringsIn) : [];
}
