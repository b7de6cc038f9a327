/** Validation rules across the inputs of a kind. Those for single strings only warn: servers may accept others. */
import { KNOWN_VALUES, type KnownValueType } from "../api/known-values";
import { isUuid } from "../schema/id";
import { type PropertyMap, valueAt } from "../schema/schema";
import type { Settings } from "../settings/settings";
import { closestMatch } from "../text/did-you-mean";

/** A validation rule across fields. Runs when all of its paths are known; returns what is wrong, if anything. */
export interface Rule<I> {
  paths: string[];
  /**
   * A warning does not stop the operation: a newer server may accept the value. A rejection is a warning of what
   * servers probably reject; for a changed value it stops a replacement, which deletes first. Default: error.
   */
  severity?: "error" | "warning" | "rejection";
  check: (inputs: I, previous: Partial<I>, settings: RuleSettings) => CheckFailure | CheckFailure[] | undefined;
}

export type RuleSettings = Pick<Settings, "ownerMarker" | "vocabulary"> & Partial<Pick<Settings, "isPipeline">>;

export interface CheckFailure {
  path: string;
  reason: string;
}

/** Returns what is wrong, and what is expected; undefined if nothing is wrong. */
type ReasonOf<I> = (...args: Parameters<Rule<I>["check"]>) => string | undefined;

/** Returns a rule that shows its only failure at the first of its paths. */
export const errorRule = <I extends PropertyMap>(paths: [string, ...string[]], reasonOf: ReasonOf<I>): Rule<I> => ({
  paths,
  check: (...args) => {
    const reason = reasonOf(...args);
    return reason === undefined ? undefined : { path: paths[0], reason };
  },
});

export const warningRule = <I extends PropertyMap>(paths: [string, ...string[]], reasonOf: ReasonOf<I>): Rule<I> => ({
  ...errorRule(paths, reasonOf),
  severity: "warning",
});

export const textWarning = <I extends PropertyMap>(path: string, reasonOf: (text: string) => string | undefined) =>
  warningRule<I>([path], (inputs) => {
    const text = valueAt(inputs, path);
    return typeof text === "string" ? reasonOf(text) : undefined;
  });

export const textRejection = <I extends PropertyMap>(...args: Parameters<typeof textWarning<I>>): Rule<I> => ({
  ...textWarning<I>(...args),
  severity: "rejection",
});

/** The most known values that a message lists. */
const MAX_LISTED = 20;

/** Returns a rule that warns about a value, or each one of a list, that no known server accepts. */
export const knownValueRule = <I extends PropertyMap>(path: string, type: KnownValueType): Rule<I> => ({
  paths: [path],
  severity: "rejection",
  check: (inputs) => {
    const known: readonly string[] = KNOWN_VALUES[type];
    const values = [valueAt(inputs, path)]
      .flat()
      .filter((value) => typeof value === "string" && !known.includes(value));
    return values.map((value) => ({ path, reason: `"${value}" is not known${expectation(String(value), known)}` }));
  },
});

function expectation(value: string, known: readonly string[]): string {
  const suggestion = closestMatch(value, known);
  if (suggestion) return `; did you mean "${suggestion}"?`;
  return known.length > MAX_LISTED ? "." : `; known values: ${known.join(", ")}.`;
}

export const uuidRule = <I extends PropertyMap>(path: string) =>
  textRejection<I>(path, (id) =>
    isUuid(id) ? undefined : `"${id}" is not a UUID, unlike the IDs of all known servers.`,
  );

/** Returns a rule for the entries of a map. @param reasonOf Returns what is wrong with an entry, if anything. */
export const entryRule = <I extends PropertyMap>(
  path: string,
  reasonOf: (key: string, value: unknown, settings: RuleSettings) => string | undefined,
): Rule<I> => ({
  paths: [path],
  check: (inputs, _previous, settings) =>
    Object.entries(valueAt(inputs, path) ?? {}).flatMap(([key, value]) => {
      const reason = reasonOf(key, value, settings);
      return reason === undefined ? [] : [{ path: `${path}.${key}`, reason }];
    }),
});
