/** The report for people. */
import type { StoryResult } from "../run.ts";
import type { SeenFact } from "./facts.ts";
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

const ORDER = ["holds", "not seen", "differs"] as const;
const SEEN = { holds: "holds", differs: "DOES NOT HOLD", "not seen": "not seen" };

export function renderReport(report: Report): string {
  const { stories, facts, passed, seconds, server } = report;
  const of = (certainty: SeenFact["certainty"]) => facts.filter((fact) => fact.certainty === certainty);
  const others = [...of("described"), ...of("recorded")];
  const differing = others.filter(({ seen }) => seen === "differs");
  const held = others.filter(({ seen }) => seen === "holds").length;
  const count = (outcome: StoryResult["outcome"]) => stories.filter((story) => story.outcome === outcome).length;
  const counts = (["passed", "failed", "interrupted", "skipped"] as const)
    .filter((outcome) => count(outcome) > 0)
    .map((outcome) => `${count(outcome)} ${outcome}`);
  return [
    "",
    "Assumptions of docs/platform-api:",
    ...renderFacts(of("assumed")),
    "",
    "Reported facts of docs/platform-api, which other servers may lack:",
    ...renderFacts(of("reported")),
    "",
    `Other facts: ${held} hold, ${differing.length} do not hold`,
    ...differing.flatMap(renderFact),
    ...(facts.some(({ seen }) => seen === "differs")
      ? ["", 'Report what does not hold, with this text, by the issue form "Acceptance report".']
      : []),
    // What an emulator has ends with it.
    ...(server === "server" ? renderLeft(stories) : []),
    "",
    `${passed ? "Passed" : "FAILED"} in ${seconds} s: ${counts.join(", ")}`,
  ].join("\n");
}

/** What matters most is at the end, where a terminal shows it. */
const renderFacts = (facts: readonly SeenFact[]) =>
  ORDER.flatMap((seen) => facts.filter((fact) => fact.seen === seen)).flatMap(renderFact);

/** What has to be removed manually, since it may cost money. */
function renderLeft(stories: Report["stories"]): string[] {
  const left = stories.flatMap((story) => story.left);
  if (left.length === 0) return [];
  const lines = left.map(({ kind, id, name, removal }) => {
    const why = removal === "unsupported" ? "the server does not support its deletion" : "its deletion failed";
    return `  ${kind} ${id} (${name}): ${why}`;
  });
  return ["", "LEFT ON THE SERVER, for you to remove:", ...lines];
}

function renderFact({ id, text, source, seen, detail, consequence, setting }: SeenFact): string[] {
  return [
    `  ${SEEN[seen]}: ${id}: ${text}`,
    ...(detail ? [`      ${seen === "differs" ? "instead" : "because"}: ${detail}`] : []),
    ...(seen === "differs" && source ? [`      reported by: ${source}`] : []),
    ...(consequence ? [`      consequence: ${consequence}; setting: ${setting}`] : []),
  ];
}
