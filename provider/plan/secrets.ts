/** Which inputs are secret, and the texts of their values. Pure. */
import { type Definition, secretsOf } from "../definition/definition";
import { type Bag, isWithin } from "../schema/schema";
import { UNSEEN } from "../schema/unknown-secrets";
import { holdsUnknown, type split } from "./property-values";

/** Whether a path is that of a secret, or leads to one. */
export function isSecret(definition: Definition, path: string, inputs: Bag): boolean {
  return secretsOf(definition, inputs).some((pattern) => isWithin(path, pattern) || isWithin(pattern, path));
}

/** The texts of all secrets in what a call brings: those of the definition, and inputs that the program marks secret. */
export function secretValues(definition: Definition, { visible, hidden }: ReturnType<typeof split>): string[] {
  const marked = (hidden.__secretInputs ?? []).map((key) => visible[key]);
  const defined = secretsOf(definition, visible).flatMap((path) => valuesAt(visible, path.split(".")));
  return [...marked, ...defined].flatMap(textsIn).filter((text) => !holdsUnknown(text) && text !== UNSEEN);
}

function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (key === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  const names = key === "*" ? Object.keys(value) : [key];
  return names.flatMap((name) => valuesAt((value as Bag)[name], rest));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
