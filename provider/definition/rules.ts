/**
 * Validation rules that several kinds use. Those for single strings only warn, because a server may accept other
 * values.
 */
import { KNOWN_VALUES, type KnownValueType } from "../api/known-values";
import { isUuid } from "../schema/id";
import { type PropertyMap, valueAt } from "../schema/schema";
import { closestMatch } from "../text/did-you-mean";
import type { Rule, RuleSettings } from "./rule";

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

/** Returns a rule that warns about a declared string. */
export const textWarning = <I extends PropertyMap>(path: string, reasonOf: (text: string) => string | undefined) =>
  warningRule<I>([path], (inputs) => {
    const text = valueAt(inputs, path);
    return typeof text === "string" ? reasonOf(text) : undefined;
  });

/** Returns the same for a string that servers probably reject. */
export const textRejection = <I extends PropertyMap>(...args: Parameters<typeof textWarning<I>>): Rule<I> => ({
  ...textWarning<I>(...args),
  severity: "rejection",
});

/** Returns a rule that warns about a value that no known server accepts. */
export const knownValueRule = <I extends PropertyMap>(path: string, type: KnownValueType) =>
  textRejection<I>(path, (value) => {
    const knownValues: readonly string[] = KNOWN_VALUES[type];
    if (knownValues.includes(value)) return undefined;
    const suggestion = closestMatch(value, knownValues);
    return `"${value}" is not known; ${suggestion ? `did you mean "${suggestion}"?` : `known values: ${knownValues.join(", ")}.`}`;
  });

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
