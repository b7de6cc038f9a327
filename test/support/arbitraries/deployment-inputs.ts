import { runtime } from "@pulumi/pulumi";
import fc from "fast-check";
import type { PropertyMap } from "../../../provider/schema/schema";
import { externalDocker } from "./deployment";

/** Valid inputs of a deployment. */
export const validInputs: fc.Arbitrary<PropertyMap> = externalDocker;

/** Returns the paths of all nested values: objects, lists and leaves. */
export function allPaths(value: unknown, path: string[] = []): string[][] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const nestedPaths = entries.flatMap(([name, part]) => allPaths(part, [...path, name]));
  return path.length === 0 ? nestedPaths : [path, ...nestedPaths];
}

/** Returns a copy with another value at a path. */
export function setAt(value: PropertyMap, path: readonly string[], part: unknown): PropertyMap {
  const copy = structuredClone(value);
  const last = path.slice(0, -1).reduce<unknown>((parent, key) => (parent as PropertyMap)[key], copy);
  (last as PropertyMap)[path.at(-1) ?? ""] = part;
  return copy;
}

/** Valid inputs with one unknown value other than the source, and its path. */
export const partiallyUnknownInputs: fc.Arbitrary<{ inputs: PropertyMap; knownInputs: PropertyMap; path: string[] }> =
  validInputs.chain((knownInputs) =>
    fc
      .constantFrom(...allPaths(knownInputs).filter(([first]) => first !== "source"))
      .map((path) => ({ knownInputs, path, inputs: setAt(knownInputs, path, runtime.unknownValue) })),
  );
