/** Changed properties, with their values unless they are secret. */
import { kindOfToken } from "../../provider/definition/type-token";
import { definitions } from "../../provider/definitions";
import { splitFacts } from "../../provider/plan/facts";
import { containsUnknown, isSecret } from "../../provider/plan/property-values";
import { type PropertyMap, someAncestor, valueAt } from "../../provider/schema/schema";
import { SECRET } from "./preview/mask-secrets";
import type { Step } from "./preview/preview-json";

export interface Property {
  path: string;
  kind: "add" | "delete" | "update";
  /** Whether its values are hidden. */
  isSecret: boolean;
  /** As JSON; absent if there is no value, or it is secret. */
  before?: string;
  /** As JSON, or UNTIL_APPLY. */
  after?: string;
}

export const UNTIL_APPLY = "unknown until apply";

/** Returns the inputs that differ according to the engine; for a new resource, all inputs. */
export function propertiesOf(step: Step): Property[] {
  const before = splitFacts(step.before?.inputs ?? {}).properties;
  const after = splitFacts(step.after?.inputs ?? {}).properties;
  if (step.after === undefined) return [];
  const changes = step.before
    ? changedPaths(step, before, after)
    : leafPaths(after).map((keys) => ({ keys, kind: "add" }));
  const visible = changes.filter(({ keys: [key] }) => key !== undefined && !key.startsWith("__"));
  const definition = definitions.find(({ kind }) => kind === kindOfToken(step.type));
  return visible.map(({ keys, kind }) => {
    const [from, to] = [valueAt(before, keys), valueAt(after, keys)];
    const isSecretValue =
      [from, to].some((value) => containsValue(value, SECRET)) ||
      [before, after].some(
        (properties) => definition !== undefined && isSecret(definition, keys.join("."), properties),
      );
    const changeKind = kind === "add" || kind === "delete" ? kind : "update";
    return {
      path: keys.join("."),
      kind: changeKind,
      isSecret: isSecretValue,
      ...(isSecretValue ? {} : { before: displayValue(from), after: displayValue(to) }),
    };
  });
}

/**
 * For a resource that depends on a replaced one, the engine reports no differences: then the unknown inputs are
 * returned.
 */
function changedPaths(
  { changedPaths, replaceKeys }: Step,
  before: PropertyMap,
  after: PropertyMap,
): { keys: string[]; kind: string }[] {
  if (changedPaths.length > 0) return changedPaths;
  const unknown = leafPaths(after).filter((keys) => containsUnknown(valueAt(after, keys)));
  const fromReplaceKeys = replaceKeys.filter((key) => key in before || key in after).map((key) => [key]);
  return (unknown.length > 0 ? unknown : fromReplaceKeys).map((keys) => ({ keys, kind: "update" }));
}

/** Returns the paths of all values; a list counts as one value. */
function leafPaths(value: unknown, keys: string[] = []): string[][] {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  if (!isMap) return keys.length > 0 ? [keys] : [];
  return Object.entries(value).flatMap(([key, part]) => leafPaths(part, [...keys, key]));
}

function displayValue(value: unknown): string | undefined {
  return containsUnknown(value) ? UNTIL_APPLY : JSON.stringify(value);
}

function containsValue(value: unknown, searched: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === searched;
  return Object.values(value).some((part) => containsValue(part, searched));
}

/** Returns the paths of changed secrets, whose values only the engine knows. */
export function changedSecretPaths(
  { changedPaths: differing }: Step,
  before: PropertyMap,
  after: PropertyMap,
): string[] {
  const isSecretIn = (properties: PropertyMap, keys: string[]) =>
    someAncestor(properties, keys, (value) => value === SECRET);
  const matches = differing.filter(({ keys }) => isSecretIn(before, keys) || isSecretIn(after, keys));
  return matches.map(({ keys }) => keys.join("."));
}

/** Returns the inputs for which the engine replaces the resource; none for an explicit request (`--replace`). */
export function replacementCauses({ replaceKeys }: Step, secretPaths: readonly string[]): string[] {
  const keys = replaceKeys.filter((key) => key !== "id" && key !== "");
  return [...new Set([...keys, ...secretPaths.filter((path) => keys.includes(path.split(".")[0] ?? ""))])];
}
