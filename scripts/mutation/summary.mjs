/** Formats a report of Stryker (mutation-testing-report-schema): the score, and the mutants that no test detected. */

const DETECTED = new Set(["Killed", "Timeout"]);
const UNDETECTED = new Set(["Survived", "NoCoverage"]);

/** Returns the text for one area. */
export function summarize(name, report) {
  const mutants = Object.entries(report.files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split("\n");
    return mutants.map((mutant) => ({ ...mutant, file, original: excerpt(lines, mutant.location) }));
  });
  const detected = mutants.filter(({ status }) => DETECTED.has(status)).length;
  const undetected = mutants.filter(({ status }) => UNDETECTED.has(status));
  const total = detected + undetected.length;
  const score = total === 0 ? 100 : (100 * detected) / total;
  const rows = undetected.map(describe);
  const failed = mutants.filter(({ status }) => status === "RuntimeError");
  if (failed.length > 0)
    rows.unshift(`  ${failed.length} further mutants could not be tested: ${oneLine(failed[0].statusReason ?? "")}`);
  return [`\n${name}: ${score.toFixed(1)} % (${detected} of ${total} mutants detected)`, ...rows].join("\n");
}

const describe = ({ file, location, mutatorName, original, replacement, status }) =>
  `  ${file}:${location.start.line} ${mutatorName}${status === "NoCoverage" ? " (no test runs it)" : ""}: ${original} -> ${oneLine(replacement ?? "")}`;

/** Returns the source of a mutant, of which only the first line matters to find it. */
function excerpt(lines, { start, end }) {
  const line = lines[start.line - 1] ?? "";
  return oneLine(start.line === end.line ? line.slice(start.column - 1, end.column - 1) : line.slice(start.column - 1));
}

const oneLine = (text) => text.replace(/\s+/g, " ").slice(0, 80);
