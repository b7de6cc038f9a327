/** Formats a review as Markdown: counts, then dangerous changes, then the others; details are collapsed. */
import { block, code, line, sentence } from "../shared/markdown";
import type { Change, Op } from "./change";
import { type ChangeEffect, DANGERS } from "./fail-on";
import { impactsMarkdown } from "./impact-markdown";
import { type Property, UNTIL_APPLY } from "./properties";
import { bytes, fitted, type Section } from "./size-limit";
import { markerOf, type Review } from "./summary";

/** Maximum size of a comment in bytes. The limit of GitHub is 65,536 characters; a pipeline may add a line. */
export const LARGEST = 60_000;
/** Bytes reserved for the marker and the last line. */
const FRAME = 1200;
/** Bytes reserved for the lines of a stack that hardly vary. */
const FIXED = 220;
/** Minimum size of the section of a stack in bytes. */
const SMALLEST = 700;

export function comment(reviews: readonly Review[]): string {
  const marker = line(markerOf(reviews), FRAME / 2 - 10);
  const head = marker.endsWith("-->") ? marker : `${marker} -->`;
  let room = LARGEST - FRAME;
  const parts: string[] = [];
  const shown = reviews.slice(0, Math.floor(room / SMALLEST));
  for (const [index, review] of shown.entries()) {
    const part = stackPart(review, Math.floor(room / (shown.length - index)) - 2);
    // The name of a stack alone may exceed its share.
    if (bytes(part) + 2 > room) break;
    room -= bytes(part) + 2;
    parts.push(part);
  }
  const left = reviews.length - parts.length;
  const more = left > 0 ? [omitted(`${counted(left, "stack")}`)] : [];
  return `${[head, ...parts, ...more].join("\n\n")}\n`;
}

function stackPart(review: Review, room: number): string {
  const title = `### ${headline(review)}`;
  const last = lastLine(review);
  let left = room - bytes(title) - bytes(last) - FIXED;
  let leftOut = 0;
  const parts = sectionsOf(review).map((section) => {
    const { text, leftOut: more } = fitted(section, left);
    left -= bytes(text) + 2;
    leftOut += text === "" ? more : 0;
    return text;
  });
  const cut = leftOut > 0 ? omitted(counted(leftOut, "line")) : "";
  return [title, effectsLine(review), ...parts, cut, last].filter(Boolean).join("\n\n");
}

const omitted = (what: string) => `${what} omitted: a comment is limited to ${LARGEST / 1000} kB.`;

const TO_DO: Record<Op, string> = {
  replace: "to replace",
  delete: "to delete",
  update: "to update",
  create: "to create",
  import: "to import",
  other: "with other operations",
};

function headline({ project, stack, counts, isFailed }: Review): string {
  const name = code(`${project || "unknown"}/${stack || "unknown"}`);
  const parts = (Object.keys(TO_DO) as Op[]).filter((op) => counts[op] > 0).map((op) => `${counts[op]} ${TO_DO[op]}`);
  const said = parts.length > 0 ? parts.join(", ") : "no changes to agents, exports or threads";
  return `${name}: ${isFailed ? "the preview failed" : said}`;
}

const isDangerous = ({ effects }: Change) => DANGERS.some((danger) => effects.includes(danger));
const isPossiblyDangerous = ({ possible }: Change) => DANGERS.some((danger) => possible.includes(danger));

function sectionsOf(review: Review): Section[] {
  const { changes, others } = review;
  const dangers = changes.filter(isDangerous);
  const possible = changes.filter((change) => !isDangerous(change) && isPossiblyDangerous(change));
  const calm = changes.filter((change) => !isDangerous(change) && !isPossiblyDangerous(change));
  const detailed = changes.filter(({ properties }) => properties.length > 0);
  const warnings = [
    ...changes.flatMap((change) => change.warnings.map((text) => `${named(change)}: ${sentence(text)}`)),
    ...(review.isFailed ? [] : review.troubles.map((text) => sentence(text))),
  ];
  return [
    failure(review),
    alert("CAUTION", dangerous(dangers), dangers.map(told)),
    alert(
      "WARNING",
      `${counted(possible.length, "possible danger")}, depending on values that are unknown until apply`,
      possible.map(told),
    ),
    alert("WARNING", "Warnings", warnings),
    list(calm.map(told)),
    folded(`Changed properties of ${counted(detailed.length, "resource")}`, detailed.map(details), "\n"),
    folded(`${counted(others.length, "resource")} of other providers`, others.map(other)),
  ];
}

/** Counts the dangerous changes. */
function dangerous(dangers: readonly Change[]): string {
  const having = (effect: ChangeEffect) => dangers.filter(({ effects }) => effects.includes(effect)).length;
  const [lost, restarted] = [having("data-loss"), having("restart")];
  const others = dangers.length - dangers.filter(({ effects }) => effects.some((effect) => LOUD.has(effect))).length;
  const parts = [
    ...(lost > 0 ? [`${lost} ${lost === 1 ? "loses" : "lose"} data`] : []),
    ...(restarted > 0 ? [`${restarted} ${restarted === 1 ? "export restarts" : "exports restart"}`] : []),
    ...(others > 0 ? [`${others} ${lost + restarted > 0 ? "more " : ""}replaced or deleted`] : []),
  ];
  return parts.join(", ");
}
const LOUD: ReadonlySet<ChangeEffect> = new Set(["data-loss", "restart"]);

/** Counts changes that affect running agents without danger. */
function effectsLine({ changes }: Review): string {
  const having = (effect: ChangeEffect) => changes.filter(({ effects }) => effects.includes(effect)).length;
  const [revisions, secrets] = [having("revision"), having("secret")];
  return [
    ...(revisions > 0 ? [`${counted(revisions, "new revision")}`] : []),
    ...(secrets > 0 ? [`changed secrets in ${counted(secrets, "resource")}`] : []),
  ].join(", ");
}

const told = (change: Change) => `${named(change)}: ${impactsMarkdown(change.impacts)}${untilApply(change)}`;
const named = ({ kind, name }: Change) => `${/^[A-Za-z]{1,40}$/.test(kind) ? `**${kind}**` : code(kind)} ${code(name)}`;
const other = ({ op, type, name }: Review["others"][number]) => `- ${op}: ${code(type)} ${code(name)}`;

function untilApply({ properties, effects, impacts }: Change): string {
  const explained = new Set(impacts.flatMap(({ reasons = {} }) => Object.keys(reasons)));
  const unknown = properties.filter(({ path, after }) => after === UNTIL_APPLY && !explained.has(path));
  const paths = unknown.map(({ path }) => code(path));
  if (!effects.includes("unknown") || paths.length === 0) return "";
  const [first, more] = [paths.slice(0, 5).join(", "), paths.length > 5 ? ` and ${paths.length - 5} more` : ""];
  return ` (unknown until apply: ${first}${more})`;
}

function failure({ isFailed, troubles }: Review): Section {
  const open = "> [!CAUTION]\n> **The preview failed.** This list may be incomplete.";
  if (!isFailed) return { open, items: [], close: "", prefix: "" };
  const lines = troubles.flatMap((text) => text.split("\n")).slice(0, LINES);
  const text = lines.map((one) => line(one, 200).trimEnd());
  return { open: "", items: [open, ...(text.length > 0 ? [`\n${block(text)}`] : [])], close: "", prefix: "" };
}
/** Lines of the error of a failed preview. */
const LINES = 20;

const alert = (kind: string, title: string, items: string[]): Section => ({
  open: `> [!${kind}]\n> **${title}**\n>`,
  close: "",
  prefix: "> - ",
  items: items.map((item) => `> - ${item}`),
});

const list = (items: string[]): Section => ({
  open: "",
  close: "",
  prefix: "- ",
  items: items.map((item) => `- ${item}`),
});

const folded = (title: string, items: string[], between = ""): Section => ({
  open: `<details><summary>${title}</summary>\n`,
  close: between === "" ? "\n</details>" : "</details>",
  prefix: "",
  items: items.map((item) => item + between),
});

function details(change: Change): string {
  const shown = change.properties.slice(0, PROPERTIES);
  const more = change.properties.length - shown.length;
  const lines = shown.flatMap(difference);
  return `${named(change)}\n${block(more > 0 ? [...lines, `  … and ${more} more`] : lines, "diff")}`;
}
/** Properties that are shown of one resource. */
const PROPERTIES = 50;
/** Characters of a value: an image with a digest is long, and differs at the end. */
const VALUE = 300;

/** Returns lines of a diff; for a secret, only its name. */
function difference({ path, kind, isSecret, before, after }: Property): string[] {
  const name = line(path);
  const [from, to] = isSecret ? ["[secret]", "[secret]"] : [before, after];
  if (isSecret && kind === "update") return [`! ${name}: [secret] changed`];
  return [
    ...(kind !== "add" && from !== undefined ? [`- ${name}: ${line(from, VALUE)}`] : []),
    ...(kind !== "delete" && to !== undefined ? [`+ ${name}: ${line(to, VALUE)}`] : []),
  ];
}

function lastLine({ unchanged, missingSettings }: Review): string {
  const stay = `${counted(unchanged, "resource")} unchanged.`;
  const names = missingSettings.map((name) => code(name)).join(", ");
  const parts = [
    unchanged > 0 ? stay : "",
    names && `The preview ran without ${names}, which a preview does not need.`,
  ];
  return parts.filter(Boolean).join(" ");
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
