/** Validation rules that several kinds use. Those for single strings only warn, because a server may accept other values. */
import { KNOWN_VALUES, type KnownValueType } from "../../api/known-values";
import type { Rule, RuleSettings } from "../../definition/rule";
import { isUuid } from "../../schema/id";
import { type PropertyMap, valueAt } from "../../schema/schema";
import { closestMatch } from "../../text/did-you-mean";

/** Returns a rule that warns about a declared string. */
export const textWarning = <I extends PropertyMap>(
  path: string,
  reasonOf: (text: string) => string | undefined,
): Rule<I> => ({
  paths: [path],
  severity: "warning",
  check: (inputs) => {
    const text = valueAt(inputs, path);
    const reason = typeof text === "string" ? reasonOf(text) : undefined;
    return reason === undefined ? undefined : { path, reason };
  },
});

/** Returns a rule that warns about a value that no known server accepts. */
export const knownValueRule = <I extends PropertyMap>(path: string, type: KnownValueType) =>
  textWarning<I>(path, (value) => {
    const knownValues: readonly string[] = KNOWN_VALUES[type];
    if (knownValues.includes(value)) return undefined;
    const suggestion = closestMatch(value, knownValues);
    return `"${value}" is not known; ${suggestion ? `did you mean "${suggestion}"?` : `known values: ${knownValues.join(", ")}.`}`;
  });

/** Returns a rule that warns about an ID that is not a UUID. */
export const uuidRule = <I extends PropertyMap>(path: string) =>
  textWarning<I>(path, (id) =>
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
