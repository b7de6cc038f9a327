/** A rule for texts that are usually one of some words (api/words.ts). */
import { WORDS, type WordType } from "./api/words";
import type { Rule } from "./definition";
import { nearest } from "./nearest";
import type { Bag } from "./schema";

/** Warns of a word that no server is known to take. */
export const knownWord = <I extends Bag>(path: keyof I & string, type: WordType): Rule<I> => ({
  paths: [path],
  severity: "warning",
  check: ({ [path]: word }) => {
    const known: readonly string[] = WORDS[type];
    if (typeof word !== "string" || known.includes(word)) return undefined;
    const meant = nearest(word, known);
    const what = meant ? `did you mean "${meant}"?` : `known are ${known.join(", ")}.`;
    return { path, reason: `"${word}" is not known; ${what}` };
  },
});
