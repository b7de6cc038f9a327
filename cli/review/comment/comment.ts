/** Formats a review as Markdown: counts, then dangerous changes, then the others; details are collapsed. */
import { codeBlock, codeSpan, formatSentence, singleLine } from "../../shared/text/markdown";
import type { Change } from "../change";
import { type ChangeEffect, DANGERS } from "../fail-on";
import { renameHint } from "../links";
import type { Op } from "../preview/step";
import { UNTIL_APPLY } from "../properties";
import { markerOf, type Review, runName } from "../summary";
import { conversationsMarkdown, impactsMarkdown } from "./impact-markdown";
import { propertiesMarkdown } from "./properties-markdown";
import { byteLength, fitWithin, type Section } from "./size-limit";

/** Maximum size of a comment in bytes. The limit of GitHub is 65,536 characters; a pipeline may add a line. */
export const MAX_BYTES = 60_000;
/** Bytes reserved for the marker and the last line. */
const FRAME_BYTES = 1200;
/** Bytes reserved for the lines of a stack that hardly vary. */
const STACK_FRAME_BYTES = 220;
/** How many stacks without changes are named. */
const MAX_UNCHANGED_NAMES = 20;
/** Minimum size of the section of a stack in bytes. */
const MIN_STACK_BYTES = 700;

export function formatComment(reviews: readonly Review[]): string {
  const marker = singleLine(markerOf(reviews), FRAME_BYTES / 2 - 10);
  const head = marker.endsWith("-->") ? marker : `${marker} -->`;
  let budget = MAX_BYTES - FRAME_BYTES;
  const parts: string[] = [];
  const unchanged = reviews.length > 1 ? reviews.filter(isUnchanged) : [];
  const changed = reviews.filter((review) => !unchanged.includes(review));
  const last = formatUnchanged(unchanged);
  budget -= byteLength(last.join("")) + 2;
  const shown = changed.slice(0, Math.floor(budget / MIN_STACK_BYTES));
  for (const [index, review] of shown.entries()) {
    const part = formatStack(review, Math.floor(budget / (shown.length - index)) - 2);
    // The name of a stack alone may exceed its share.
    if (byteLength(part) + 2 > budget) break;
    budget -= byteLength(part) + 2;
    parts.push(part);
  }
  const remaining = changed.length - parts.length;
  const omitted = remaining > 0 ? [omissionNote(`${countOf(remaining, "stack")}`)] : [];
  return `${[head, ...parts, ...omitted, ...last].join("\n\n")}\n`;
}

/** Whether a stack needs no section beside others. */
const isUnchanged = ({ isFailed, changes, others, diagnostics }: Review) =>
  !isFailed && changes.length + others.length + diagnostics.length === 0;

function formatUnchanged(reviews: readonly Review[]): string[] {
  if (reviews.length === 0) return [];
  const names = reviews.slice(0, MAX_UNCHANGED_NAMES).map(formatStackName).join(", ");
  const more = reviews.length > MAX_UNCHANGED_NAMES ? ` and ${reviews.length - MAX_UNCHANGED_NAMES} more` : "";
  return [`${countOf(reviews.length, "stack")} without changes: ${names}${more}`];
}

function formatStack(review: Review, budget: number): string {
  const title = `### ${formatHeadline(review)}`;
  const footer = formatFooter(review);
  let remaining = budget - byteLength(title) - byteLength(footer) - STACK_FRAME_BYTES;
  let omittedLines = 0;
  const parts = sectionsOf(review).map((section) => {
    const { text, omitted } = fitWithin(section, remaining);
    remaining -= byteLength(text) + 2;
    omittedLines += text === "" ? omitted : 0;
    return text;
  });
  const note = omittedLines > 0 ? omissionNote(countOf(omittedLines, "line")) : "";
  return [title, formatEffects(review), ...parts, note, footer].filter(Boolean).join("\n\n");
}

const omissionNote = (what: string) => `${what} omitted: a comment is limited to ${MAX_BYTES / 1000} kB.`;

const OP_LABELS: Record<Op, string> = {
  replace: "to replace",
  delete: "to delete",
  update: "to update",
  create: "to create",
  import: "to import",
  other: "with other operations",
};

/** The same, of an update. */
const APPLIED_LABELS: Record<Op, string> = {
  replace: "replaced",
  delete: "deleted",
  update: "updated",
  create: "created",
  import: "imported",
  other: "with other operations",
};

function formatHeadline(review: Review): string {
  const { counts, isFailed, isApplied } = review;
  const labels = isApplied ? APPLIED_LABELS : OP_LABELS;
  const parts = (Object.keys(labels) as Op[]).filter((op) => counts[op] > 0).map((op) => `${counts[op]} ${labels[op]}`);
  const changesText = parts.length > 0 ? parts.join(", ") : "no changes to agents, exports or threads";
  return `${formatStackName(review)}: ${isFailed ? `the ${runName(review)} failed` : changesText}`;
}

const formatStackName = ({ project, stack }: Review) => codeSpan(`${project || "unknown"}/${stack || "unknown"}`);

const isDangerous = ({ effects }: Change) => DANGERS.some((danger) => effects.includes(danger));
const isPossiblyDangerous = ({ possible }: Change) => DANGERS.some((danger) => possible.includes(danger));

function sectionsOf(review: Review): Section[] {
  const { changes, others } = review;
  const dangers = changes.filter(isDangerous);
  const possible = changes.filter((change) => !isDangerous(change) && isPossiblyDangerous(change));
  const harmless = changes.filter((change) => !isDangerous(change) && !isPossiblyDangerous(change));
  const detailed = changes.filter(({ properties }) => properties.length > 0);
  const warnings = [
    ...changes.flatMap((change) => change.warnings.map((text) => `${formatName(change)}: ${formatSentence(text)}`)),
    ...(review.isFailed ? [] : review.diagnostics.map((text) => formatSentence(text))),
  ];
  return [
    failureSection(review),
    alertSection("CAUTION", dangerSummary(dangers), listOf(dangers)),
    alertSection(
      "WARNING",
      `${countOf(possible.length, "possible danger")}, depending on values that are unknown until apply`,
      listOf(possible),
    ),
    alertSection(
      "WARNING",
      review.isFailed ? "Errors and warnings" : "Warnings",
      warnings.map((text) => `- ${text}`),
    ),
    listSection(listOf(harmless)),
    detailsSection(
      `Changed properties of ${countOf(detailed.length, "resource")}`,
      detailed.map((change) => `${formatName(change)}\n${propertiesMarkdown(change)}`),
      "\n",
    ),
    detailsSection(`${countOf(others.length, "resource")} of other providers`, others.map(formatOther)),
  ];
}

/** Counts the dangerous changes. */
function dangerSummary(dangers: readonly Change[]): string {
  const countWith = (effect: ChangeEffect) => dangers.filter(({ effects }) => effects.includes(effect)).length;
  const [lost, restarted] = [countWith("data-loss"), countWith("restart")];
  const others =
    dangers.length - dangers.filter(({ effects }) => effects.some((effect) => COUNTED_EFFECTS.has(effect))).length;
  const parts = [
    ...(lost > 0 ? [`${countOf(lost, "resource")} ${lost === 1 ? "loses" : "lose"} data`] : []),
    ...(restarted > 0 ? [`${restarted} ${restarted === 1 ? "export restarts" : "exports restart"}`] : []),
    ...(others > 0 ? [`${others} ${lost + restarted > 0 ? "more " : ""}replaced or deleted`] : []),
  ];
  return parts.join(", ");
}
const COUNTED_EFFECTS: ReadonlySet<ChangeEffect> = new Set(["data-loss", "restart"]);

/** Counts changes that affect running agents without danger. */
function formatEffects({ changes }: Review): string {
  const countWith = (effect: ChangeEffect) => changes.filter(({ effects }) => effects.includes(effect)).length;
  const [revisions, versions, secrets] = [countWith("revision"), countWith("version"), countWith("secret")];
  return [
    ...(revisions > 0 ? [`${countOf(revisions, "new revision")}`] : []),
    ...(versions > 0 ? [`${countOf(versions, "new version")}`] : []),
    ...(secrets > 0 ? [`changed secrets in ${countOf(secrets, "resource")}`] : []),
  ].join(", ");
}

/** Returns the items of a list, and what a change causes below it. */
function listOf(changes: readonly Change[]): string[] {
  const causes = new Set(changes.map(({ urn }) => urn));
  return changes.map((change) => `${causes.has(change.causedBy ?? "") ? "  " : ""}- ${formatChange(change)}`);
}

const formatChange = (change: Change) =>
  `${formatName(change)}: ${impactsMarkdown(change.impacts)}${conversationsMarkdown(change)}` +
  `${renameHint(change)}${formatChecks(change)}${formatUnknowns(change)}`;

const formatName = ({ kind, name }: Change) =>
  `${/^[A-Za-z]{1,40}$/.test(kind) ? `**${kind}**` : codeSpan(kind)} ${codeSpan(name)}`;
const formatOther = ({ op, type, name }: Review["others"][number]) => `- ${op}: ${codeSpan(type)} ${codeSpan(name)}`;

/** Returns the titles of the checks, which follow their number in the impact. */
function formatChecks({ checks }: Change): string {
  if (checks.length === 0) return "";
  const [shown, omitted] = [checks.slice(0, MAX_CHECKS), checks.length - MAX_CHECKS];
  return ` (${shown.map((title) => codeSpan(title)).join(", ")}${omitted > 0 ? ` and ${omitted} more` : ""})`;
}
/** Titles of checks that are shown of one resource. */
const MAX_CHECKS = 10;

function formatUnknowns({ properties, effects, impacts }: Change): string {
  const explained = new Set(impacts.flatMap(({ reasons = {} }) => Object.keys(reasons)));
  const unknown = properties.filter(({ path, after }) => after === UNTIL_APPLY && !explained.has(path));
  const paths = unknown.map(({ path }) => codeSpan(path));
  if (!effects.includes("unknown") || paths.length === 0) return "";
  const [first, omitted] = [paths.slice(0, 5).join(", "), paths.length > 5 ? ` and ${paths.length - 5} more` : ""];
  return ` (unknown until apply: ${first}${omitted})`;
}

function failureSection(review: Review): Section {
  const { isFailed, diagnostics } = review;
  const open = `> [!CAUTION]\n> **The ${runName(review)} failed.** This list may be incomplete.`;
  if (!isFailed) return { open, items: [], close: "", prefix: "" };
  const lines = diagnostics.flatMap((text) => text.split("\n")).slice(0, MAX_ERROR_LINES);
  const text = lines.map((one) => singleLine(one, 200).trimEnd());
  return { open: "", items: [open, ...(text.length > 0 ? [`\n${codeBlock(text)}`] : [])], close: "", prefix: "" };
}
/** Lines of the error of a failed preview. */
const MAX_ERROR_LINES = 20;

const alertSection = (kind: string, title: string, items: string[]): Section => ({
  open: `> [!${kind}]\n> **${title}**\n>`,
  close: "",
  prefix: "> - ",
  items: items.map((item) => `> ${item}`),
});

const listSection = (items: string[]): Section => ({ open: "", close: "", prefix: "- ", items });

const detailsSection = (title: string, items: string[], between = ""): Section => ({
  open: `<details><summary>${title}</summary>\n`,
  close: between === "" ? "\n</details>" : "</details>",
  prefix: "",
  items: items.map((item) => item + between),
});

function formatFooter({ unchanged, missingSettings }: Review): string {
  const unchangedText = `${countOf(unchanged, "resource")} unchanged.`;
  const names = missingSettings.map((name) => codeSpan(name)).join(", ");
  const parts = [
    unchanged > 0 ? unchangedText : "",
    names && `The preview ran without ${names}, which a preview does not need.`,
  ];
  return parts.filter(Boolean).join(" ");
}

const countOf = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
