/**
 * Validation rules of exports: values that the API rejects are errors, values that a newer server may accept are
 * warnings.
 */
import { EXPORT_FIELDS } from "../../api/known-values";
import type { CheckFailure, Rule } from "../../definition/rule";
import { knownValueRule, uuidRule } from "../../definition/rules";
import { closestMatch } from "../../text/did-you-mean";
import type { DesiredExport } from "./fields";

const exactlyOne: Rule<DesiredExport> = {
  paths: ["sessionId", "allExperiments"],
  check: ({ sessionId, allExperiments }) => {
    if ((sessionId !== undefined) !== (allExperiments === true)) return undefined;
    return sessionId === undefined
      ? { path: "sessionId", reason: "is missing: specify the ID of a project, or allExperiments: true." }
      : { path: "allExperiments", reason: "cannot be combined with sessionId: specify one of the two." };
  },
};

const knownFieldsRule: Rule<DesiredExport> = {
  paths: ["exportFields"],
  severity: "rejection",
  check: ({ exportFields = [] }) => exportFields.flatMap((field) => checkField(field) ?? []),
};

function checkField(field: string): CheckFailure | undefined {
  if (EXPORT_FIELDS.includes(field)) return undefined;
  const suggestion = closestMatch(field, EXPORT_FIELDS);
  return {
    path: "exportFields",
    reason: `"${field}" is not known${suggestion ? `; did you mean "${suggestion}"?` : "."}`,
  };
}

export const rules: readonly Rule<DesiredExport>[] = [
  exactlyOne,
  knownFieldsRule,
  uuidRule<DesiredExport>("bulkExportDestinationId"),
  uuidRule<DesiredExport>("sessionId"),
  knownValueRule<DesiredExport>("format", "BulkExportFormat"),
  knownValueRule<DesiredExport>("formatVersion", "BulkExportFormatVersion"),
  knownValueRule<DesiredExport>("compression", "BulkExportCompression"),
];
