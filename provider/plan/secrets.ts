/** Determines which inputs are secret, and collects their values. Pure. */
import type { Definition } from "../definition/definition";
import { secretPaths } from "../schema/fields";
import { splitPath } from "../schema/key-path";
import { isObjectOrArray, isSameBranch, type PropertyMap, valueAt } from "../schema/schema";
import { UNKNOWN_SECRET } from "../schema/unknown-secrets";
import type { ResourceData } from "./facts";
import { containsUnknown } from "./property-values";

/** Whether a path is a secret, or an ancestor or descendant of one. */
export function isSecret({ schema }: Definition, path: string, inputs: PropertyMap): boolean {
  return secretPaths(schema, inputs).some((pattern) => isSameBranch(path, pattern));
}

/** Returns all secret texts in the properties of a call: by definition, and marked secret by the program. */
export function secretValues(definition: Definition, { properties: inputs, facts }: ResourceData): string[] {
  const markedByProgram = (facts.secretInputs ?? []).map((path) => inputAt(inputs, path));
  const markedByDefinition = secretPaths(definition.schema, inputs).flatMap((path) =>
    valuesAt(inputs, path.split(".")),
  );
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
