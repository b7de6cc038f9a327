/** Summarizes a preview: the impact on each agentgraph resource, and the changes of other providers. */
import { parseMissing } from "../../provider/settings/missing-settings";
import { settingsSchema } from "../../provider/settings/settings-schema";
import { type Change, changeOf, isOurs, isUnchanged, OPS, type Op, opOf, outputChangesIn } from "./change";
import { type FailOn, WIDER } from "./fail-on";
import { type Line, nameIn, type Preview, type Step } from "./preview-json";

export interface Other {
  name: string;
  type: string;
  op: Op;
}

export interface Review {
  project: string;
  stack: string;
  /** HTML comment by which a pipeline finds its own comment. Stable for a stack. */
  marker: string;
  isFailed: boolean;
  /** Number of agentgraph resources for each operation. */
  counts: Record<Op, number>;
  /** The most dangerous first. */
  changes: Change[];
  /** Changed resources of other providers. */
  others: Other[];
  /** Number of unchanged resources. */
  unchanged: number;
  /** Errors and warnings that belong to no changed resource. */
  troubles: string[];
  /** Missing settings, which a preview does not need. */
  missingSettings: string[];
}

/** @param now Milliseconds since the epoch. */
export function reviewOf(preview: Preview, now: number): Review {
  const moving = preview.steps.filter((step) => !isUnchanged(step) && !isOfTheEngine(step) && !step.isComponent);
  const outputChangeOf = outputChangesIn(moving);
  const changes = moving.filter(isOurs).map((step) => changeOf(step, preview, { now, outputChangeOf }));
  const { project, stack, isFailed } = preview;
  return {
    project,
    stack,
    isFailed,
    marker: markerOf([preview]),
    counts: Object.fromEntries(OPS.map((op) => [op, changes.filter((change) => change.op === op).length])) as Counts,
    changes: changes.map(withoutSettings).sort(byDanger),
    others: moving.filter((step) => !isOurs(step)).map((step) => ({ ...told(step), op: opOf(step) })),
    unchanged: preview.steps.filter((step) => isUnchanged(step) && !isOfTheEngine(step)).length + preview.unlisted,
    troubles: troublesOf(preview),
    missingSettings: missingIn(preview.lines),
  };
}
type Counts = Record<Op, number>;

/** Whether a step is of the stack itself or of a default provider. */
const isOfTheEngine = ({ type, urn }: Step) =>
  type === "pulumi:pulumi:Stack" || (type.startsWith("pulumi:providers:") && /::default(_|::|$)/.test(urn.slice(4)));

const told = (step: Step) => ({ name: nameIn(step.urn), type: step.type });

const withoutSettings = (change: Change): Change => {
  const warnings = change.warnings.filter((text) => parseMissing(text) === undefined);
  const effects = change.effects.filter((effect) => effect !== "warning" || warnings.length > 0);
  return { ...change, warnings, effects };
};

/** Returns the missing settings that the diagnostics name. A preview of a fork has no API key, which is not a problem. */
function missingIn(lines: readonly Line[]): string[] {
  const names = lines.flatMap(({ text }) => parseMissing(text) ?? []);
  return [...new Set(names)].filter((name) => Object.hasOwn(settingsSchema.shape, name));
}

/** Returns the errors and warnings that belong to no changed resource. */
function troublesOf({ steps, lines }: Preview): string[] {
  const moving = new Set(steps.filter((step) => isOurs(step) && !isUnchanged(step)).map(({ urn }) => urn));
  const loud = lines.filter(
    ({ severity, text }) => /^(error|warning)$/.test(severity) && parseMissing(text) === undefined,
  );
  const left = loud.filter(({ urn }) => urn === undefined || !moving.has(urn));
  return [...new Set(left.map(({ urn, text }) => (urn === undefined ? text : `${nameIn(urn)}: ${text}`)))];
}

/** Orders changes by data loss, then by operation, then by URN, so that the order is stable. */
function byDanger(a: Change, b: Change): number {
  const rank = ({ effects, op }: Change) => (effects.includes("data-loss") ? 0 : OPS.length) + OPS.indexOf(op);
  return rank(a) - rank(b) || (a.urn < b.urn ? -1 : 1);
}

/** Returns the marker of a comment. Names come from a fork: only characters that Pulumi allows in names are kept. */
export function markerOf(previews: readonly Pick<Preview, "project" | "stack">[]): string {
  const plain = (name: string) => name.replace(/[^\w.-]+/g, "_").slice(0, 100) || "unknown";
  const names = previews.map(({ project, stack }) => `${plain(project)}/${plain(stack)}`);
  return `<!-- agentgraph-review:${names.sort().join(",")} -->`;
}

/**
 * Returns the names of the resources for each effect of `--fail-on` that occurs.
 * @param isUncertain Whether effects that are only possible count as well.
 */
export function hits(
  reviews: readonly Review[],
  wanted: readonly FailOn[],
  isUncertain = false,
): Partial<Record<FailOn, string[]>> {
  const found = wanted.map(
    (word) => [word, reviews.flatMap((review) => namesWith(review, word, isUncertain))] as const,
  );
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
}

function namesWith({ changes, others, troubles }: Review, word: FailOn, isUncertain: boolean): string[] {
  if (word in WIDER) return [...changes, ...others].map(({ name }) => name);
  const all = ({ effects, possible }: Change) => (isUncertain ? [...effects, ...possible] : effects);
  const named = changes.filter((change) => all(change).some((effect) => effect === word)).map(({ name }) => name);
  return word === "warning" ? [...named, ...troubles.map(() => "the program")] : named;
}
