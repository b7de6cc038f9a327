/** Values that random schedules declare. */
import fc, { type Arbitrary } from "fast-check";

export const pick = <const T>(...values: T[]) => fc.constantFrom(...values);
/** A value that is present once in so many times. Shrinks to its absence. */
export const sometimes = <T>(value: Arbitrary<T>, times = 4): Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: times - 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: value },
  );

export const secretOf = (slot: string, version: number): string => `s3cret-of-${slot}-${version}`;
/** What an assistant or a cron passes to the graph; a secret for one of each. */
export const promptOf = (slot: string, version: number): string =>
  isSensitive(slot) ? secretOf(slot, version) : `prompt ${version}`;
export const isSensitive = (slot: string) => slot === "sales" || slot === "hourly";

/** The ID of an object that the program declares. */
export const declaredIdOf = (slot: string): string =>
  `5e1f0000-0000-4000-8000-${Buffer.from(slot).toString("hex").slice(0, 12).padEnd(12, "0")}`;
