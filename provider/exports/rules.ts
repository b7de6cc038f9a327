/** Rules of exports across fields: what the interface refuses fails, what a newer service may know better only warns. */
import type { Complaint, Rule } from "../definition";
import { nearest } from "../nearest";
import { EXPORTABLE, type Wanted, WORDS } from "./fields";

const exactlyOne: Rule<Wanted> = {
  paths: ["sessionId", "allExperiments"],
  check: ({ sessionId, allExperiments }) => {
    if ((sessionId !== undefined) !== (allExperiments === true)) return undefined;
    return sessionId === undefined
      ? { path: "sessionId", reason: "is missing: write the id of a project here, or allExperiments: true." }
      : { path: "allExperiments", reason: "excludes sessionId: write one of the two." };
  },
};

const knownFields: Rule<Wanted> = {
  paths: ["exportFields"],
  severity: "warning",
  check: ({ exportFields = [] }) => exportFields.flatMap((field) => unknownField(field) ?? []),
};

function unknownField(field: string): Complaint | undefined {
  if (EXPORTABLE.includes(field)) return undefined;
  const meant = nearest(field, EXPORTABLE);
  return { path: "exportFields", reason: `"${field}" is not known${meant ? `; did you mean "${meant}"?` : "."}` };
}

const knownWord = (path: keyof typeof WORDS): Rule<Wanted> => ({
  paths: [path],
  severity: "warning",
  check: ({ [path]: word }) => {
    const known: readonly string[] = WORDS[path];
    if (word === undefined || known.includes(word)) return undefined;
    const meant = nearest(word, known);
    const what = meant ? `did you mean "${meant}"?` : `known are ${known.join(", ")}.`;
    return { path, reason: `"${word}" is not known; ${what}` };
  },
});

export const rules: readonly Rule<Wanted>[] = [
  exactlyOne,
  knownFields,
  knownWord("format"),
  knownWord("formatVersion"),
  knownWord("compression"),
];
