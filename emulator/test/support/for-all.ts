import fc from "fast-check";

/** Expects a property for random values. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  ...property: [
    ...values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
    // biome-ignore lint/suspicious/noConfusingVoidType: the type of fast-check.
    predicate: (...values: Values) => boolean | void,
  ]
): void {
  fc.assert(fc.property<Values>(...property));
}
