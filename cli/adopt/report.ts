/** Output of `agentgraph adopt`. */
import { relative } from "node:path";
import { wrapText } from "../shared/text/wrap";
import type { SecretKey } from "./program/declarations";
import type { Language } from "./program/language";
import { formatCounts, formatSkipped, IMPORT, setSecret } from "./readme";
import type { Adopted, Skipped } from "./types";

export interface AdoptReport {
  /** Folder of the program. */
  folder: string;
  all: readonly Adopted[];
  skipped: readonly Skipped[];
  notes: readonly string[];
  /** What to check before the import. */
  cautions: readonly string[];
  secrets: readonly SecretKey[];
  /** Names of the files that were written. */
  files: readonly string[];
  language: Language;
  /** Why the configuration of the stack was not read, if a user may expect that it was. */
  config?: string;
}

export function toJson({ folder, all, skipped, cautions, secrets, files, language, config, ...rest }: AdoptReport) {
  const notes = config === undefined ? rest.notes : [...rest.notes, config];
  const resources = all.map(({ kind, id, title, name, variable, service }) => {
    const facts = { kind, id, title, name, variable: service?.variable ?? variable };
    return { ...facts, ...(service && { service: service.name }) };
  });
  const next = files.length === 0 ? [] : [...secrets.map(setSecret), IMPORT, language.commands.preview];
  return { version: 1 as const, folder, files, resources, skipped, notes, cautions, secrets, next };
}

/** @param from Working directory of the command. */
export function toText(report: AdoptReport, from: string): string {
  const { folder, all, skipped, notes, cautions, secrets, files, language, config } = report;
  const skippedLines = [...formatSkipped(skipped), ...notes];
  const skippedSection =
    skippedLines.length === 0
      ? []
      : ["", "Skipped:", ...skippedLines.map((line) => `  ${line.replaceAll("\n", "\n  ")}`)];
  const configNote = config === undefined ? [] : [`Note: ${config}.`];
  if (files.length === 0)
    return ["Nothing to adopt. No files were written.", ...configNote, ...skippedSection, ""].join("\n");
  const where = relative(from, folder) || ".";
  const commands = [
    ...(secrets.length === 0 ? [] : [`${setSecret(secrets[0] as SecretKey)}${moreSecrets(secrets.length - 1)}`]),
    ...[IMPORT, language.commands.preview],
  ];
  return [
    `Found ${formatCounts(all)}.`,
    ...configNote,
    ...skippedSection,
    ...cautions.flatMap((text) => ["", `Caution: ${text}`]),
    "",
    `Files in ${where}: ${files.join(", ")}`,
    "Nothing was changed on the server, and no secret was written.",
    "",
    `Next steps, in that folder, after ${[...language.install, "pulumi stack init"].join(" and ")}:`,
    ...commands.map((command, index) => `  ${index + 1}. ${command}`),
    "",
  ].join("\n");
}

/** Wraps a report to this many columns, except its commands, which users copy. */
export function wrapReport(text: string, columns: number): string {
  const [report = "", commands] = text.split(/^(?=Next steps, )/m);
  return wrapText(report, columns) + (commands ?? "");
}

const moreSecrets = (count: number) => (count === 0 ? "" : `  (and ${count} more, listed in README.md)`);
