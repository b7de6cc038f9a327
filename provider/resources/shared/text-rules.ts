/** Rules for single texts that several resources have. No server must see it that way, so they warn. */
import { KNOWN_VALUES, type KnownValueType } from "../../api/known-values";
import type { Rule } from "../../definition/definition";
import { type PropertyMap, valueAt } from "../../schema/schema";
import { closestMatch } from "../../text/did-you-mean";

/** A rule about one text, where it is declared. */
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

/** Warns of a word that no server is known to take. */
export const knownValueRule = <I extends PropertyMap>(path: string, type: KnownValueType) =>
  textWarning<I>(path, (value) => {
    const knownValues: readonly string[] = KNOWN_VALUES[type];
    if (knownValues.includes(value)) return undefined;
    const suggestion = closestMatch(value, knownValues);
    return `"${value}" is not known; ${suggestion ? `did you mean "${suggestion}"?` : `known are ${knownValues.join(", ")}.`}`;
  });

/** Warns of an ID that is not in the form of all IDs that servers are known to give. */
export const uuidRule = <I extends PropertyMap>(path: string) =>
  textWarning<I>(path, (id) => (UUID.test(id) ? undefined : `"${id}" is not a UUID, as IDs of servers are.`));
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
