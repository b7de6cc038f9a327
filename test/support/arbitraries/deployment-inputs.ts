import { runtime } from "@pulumi/pulumi";
import fc from "fast-check";
import type { PropertyMap } from "../../../provider/schema/schema";

const plainObject = { noNullPrototype: true } as const;
const key = fc.oneof(
  fc.constantFrom("A", "TOKEN", "a.b/c", "camelCase", "constructor", "toString", "__token"),
  fc.string({ minLength: 1, maxLength: 8 }),
);
const safeKey = key.filter((text) => text !== "__proto__" && text !== "PULUMI_RESOURCE");
const allOptional = { requiredKeys: [] as never[], ...plainObject };

/** Valid inputs of a deployment. */
export const validInputs: fc.Arbitrary<PropertyMap> = fc
  .record(
    {
      name: fc.constantFrom("agent", "other-agent"),
      source: fc.constant("external_docker"),
      sourceRevisionConfig: fc.record({ imageUri: fc.constantFrom("r.example/a:1", "r.example/a:2") }, plainObject),
      sourceConfig: fc.record(
        {
          listenerId: fc.constantFrom("22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"),
          resourceSpec: fc.record(
            {
              cpu: fc.integer({ min: 10, max: 800 }).map((hundredths) => hundredths / 100),
              memoryMb: fc.integer({ min: 1, max: 8 }).map((parts) => parts * 128),
              minScale: fc.nat(3),
            },
            allOptional,
          ),
        },
        allOptional,
      ),
      secrets: fc.dictionary(safeKey, fc.string(), plainObject),
    },
    { requiredKeys: ["name", "source", "sourceRevisionConfig"], ...plainObject },
  )
  .map((properties) => JSON.parse(JSON.stringify(properties)));

/** Returns the paths of all nested values: objects, lists and leaves. */
export function allPaths(value: unknown, path: string[] = []): string[][] {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const nestedPaths = entries.flatMap(([name, part]) => allPaths(part, [...path, name]));
  return path.length === 0 ? nestedPaths : [path, ...nestedPaths];
}

/** Returns a copy with another value at a path. */
export function setAt(value: PropertyMap, [first = "", ...rest]: readonly string[], part: unknown): PropertyMap {
  return { ...value, [first]: rest.length === 0 ? part : setAt(value[first] as PropertyMap, rest, part) };
}

/** Valid inputs with one unknown value other than the source, and its path. */
export const partiallyUnknownInputs: fc.Arbitrary<{ inputs: PropertyMap; knownInputs: PropertyMap; path: string[] }> =
  validInputs.chain((knownInputs) =>
    fc
      .constantFrom(...allPaths(knownInputs).filter(([first]) => first !== "source"))
      .map((path) => ({ knownInputs, path, inputs: setAt(knownInputs, path, runtime.unknownValue) })),
  );
