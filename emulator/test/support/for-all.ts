import fc from "fast-check";

/** How many random values slow tests try: all before a release, and more in a search for defects. */
export const runs = (all: number): { numRuns: number } => ({
  numRuns: Math.ceil((all * Number(process.env.FUZZ_RUNS ?? 1)) / 8),
});

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
