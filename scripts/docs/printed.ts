/** What the pictures show of the output of Pulumi. */
import { stripVTControlCharacters } from "node:util";

/** What differs from run to run. */
const VARYING =
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|127\.0\.0\.1:\d+|\b\d+(\.\d+)? ?s\b|"?\d{4}-\d\d-\d\dT[\d:.]+Z?"?/g;
export const masked = (text: string) => text.replace(VARYING, "…");

/** The row of a rollback repeats what the explanation says. */
const PROGRESS = /(updating|updated) \(.*([A-Z_]+, \d|(?<!rolled back: )check \d of|rolling back)/;
const FAILED = /\*\*updating failed\*\*/;
const EXPLANATION = /\* Deployment|^ {6}\w|The last \d+ lines|Rolled back|Fix the cause/;
const LOG = /^ {6}\| /;

/** The rows with a status, the explanation of a failure with the end of its log, and the summary. */
export function shortened(output: string) {
  const all = output
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z /g, "")
    .replaceAll("\t", "")
    .split("\n");
  const plain = all.map((line) => stripVTControlCharacters(line));
  const lastLog = plain.findLastIndex((line) => LOG.test(line));
  const summary = plain.findIndex((line) => line.startsWith("Resources:"));
  const seen = new Set<string>();
  const kept = all.filter((_, index) => {
    const text = plain[index] ?? "";
    if (index >= summary) return text !== "" && !text.startsWith("Duration:");
    if (LOG.test(text)) return index > lastLog - 3;
    const status = masked(text);
    if (!PROGRESS.test(text)) return FAILED.test(text) || EXPLANATION.test(text);
    const isNew = !seen.has(status);
    seen.add(status);
    return isNew;
  });
  const cut = kept.findIndex((line) => LOG.test(stripVTControlCharacters(line)));
  return `${(cut < 0 ? kept : kept.toSpliced(cut, 0, "      | …")).join("\n")}\n`;
}

/** Removes source positions, which contain paths of this machine, from a JSON preview; one line for each step. */
export function compact(preview: string) {
  const isPath = (key: string) => key === "sourcePosition" || key === "stackTrace";
  const shown = JSON.parse(preview, (key, value) => (isPath(key) ? undefined : value));
  return `${JSON.stringify(shown).replaceAll('{"op":', '\n{"op":')}\n`;
}
