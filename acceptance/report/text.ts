/** The report for people. */
import type { StoryResult } from "../run.ts";
import { type SeenFact, UNCHECKED } from "./facts.ts";
import type { Report } from "./report.ts";

/** Returns the lines on a story when it has ended. */
export function renderResult({ story, host, outcome, seconds, why, skips }: StoryResult): string {
  const time = outcome === "skipped" ? "" : ` (${seconds} s)`;
  return [
    `${story} (${host}): ${outcome}${time}`,
    ...(why ? why.split("\n").map((line) => `    ${line}`) : []),
    ...skips.map((skip) => `    not tried: ${skip.what}, because ${skip.why}`),
  ].join("\n");
}

const SEEN = { holds: "holds", differs: "DOES NOT HOLD", "not seen": "not seen" };

export function renderReport(report: Report): string {
  const { stories, facts, passed, seconds } = report;
  const assumptions = facts.filter(({ certainty }) => certainty === "assumed");
  const unchecked = assumptions.filter(({ detail }) => detail === UNCHECKED).map(({ id }) => id);
  const others = facts.filter(({ certainty }) => certainty !== "assumed");
  const differing = others.filter(({ seen }) => seen === "differs");
  const held = others.filter(({ seen }) => seen === "holds").length;
  const count = (outcome: StoryResult["outcome"]) => stories.filter((story) => story.outcome === outcome).length;
  const counts = (["passed", "failed", "interrupted", "skipped"] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${outcome}`);
  return [
    "",
    "Assumptions of docs/platform-api:",
    ...assumptions.filter(({ detail }) => detail !== UNCHECKED).flatMap(renderFact),
    `  not seen, because ${UNCHECKED}: ${unchecked.join(", ")}`,
    "",
    `Other facts: ${held} hold, ${differing.length} do not hold`,
    ...differing.flatMap(renderFact),
    ...(facts.some(({ seen }) => seen === "differs")
      ? ["", 'Report what does not hold, with this text, by the issue form "Acceptance report".']
      : []),
    "",
    `${passed ? "Passed" : "FAILED"} in ${seconds} s: ${counts.join(", ")}`,
  ].join("\n");
}

function renderFact({ id, text, seen, detail, consequence, setting }: SeenFact): string[] {
  return [
    `  ${SEEN[seen]}: ${id}: ${text}`,
    ...(detail ? [`      ${seen === "differs" ? "instead" : "because"}: ${detail}`] : []),
    ...(consequence ? [`      consequence: ${consequence}; setting: ${setting}`] : []),
  ];
}
