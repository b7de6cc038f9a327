/** The report for people. */
import type { StoryResult } from "../run.ts";
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

export function renderReport({ stories, passed, seconds }: Report): string {
  const count = (outcome: StoryResult["outcome"]) => stories.filter((story) => story.outcome === outcome).length;
  const counts = (["passed", "failed", "interrupted", "skipped"] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${outcome}`);
  return `\n${passed ? "Passed" : "FAILED"} in ${seconds} s: ${counts.join(", ")}`;
}
