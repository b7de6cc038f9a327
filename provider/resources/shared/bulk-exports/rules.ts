/** Rules of exports across fields: what the interface refuses fails, what a newer service may know better only warns. */
import { EXPORT_FIELDS } from "../../../api/known-values";
import type { CheckFailure, Rule } from "../../../definition/definition";
import { closestMatch } from "../../../text/did-you-mean";
import { knownWord, usualId } from "../text-rules";
import type { Wanted } from "./fields";

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

function unknownField(field: string): CheckFailure | undefined {
  if (EXPORT_FIELDS.includes(field)) return undefined;
  const meant = closestMatch(field, EXPORT_FIELDS);
  return { path: "exportFields", reason: `"${field}" is not known${meant ? `; did you mean "${meant}"?` : "."}` };
}

export const rules: readonly Rule<Wanted>[] = [
  exactlyOne,
  knownFields,
  usualId<Wanted>("bulkExportDestinationId"),
  usualId<Wanted>("sessionId"),
  knownWord<Wanted>("format", "BulkExportFormat"),
  knownWord<Wanted>("formatVersion", "BulkExportFormatVersion"),
  knownWord<Wanted>("compression", "BulkExportCompression"),
];
