/** Summarizes a preview: the impact on each agentgraph resource, and the changes of other providers. */
import { parseUrn } from "../../provider/definition/type-token";
import { parseMissing } from "../../provider/settings/setting-warnings";
import { settingsSchema } from "../../provider/settings/settings-schema";
import { type Change, changeOf, outputChangesIn } from "./change";
import { type FailOn, OTHER_VALUES } from "./fail-on";
import { linksOf } from "./links";
import { movesIn } from "./moves";
import type { Diagnostic, Preview, Step } from "./preview/preview-json";
import { isAgentgraph, isUnchanged, OPS, type Op, opOf } from "./preview/step";

export interface OtherChange {
  name: string;
  type: string;
  op: Op;
}

/** The review of one stack, as `--json` prints it. */
export interface Review {
  project: string;
  stack: string;
  /** HTML comment by which a pipeline finds its own comment. Stable for a stack. */
  marker: string;
  isFailed: boolean;
  /** Whether the changes have been made: it is the review of an update. */
  isApplied: boolean;
  /** Number of agentgraph resources for each operation. */
  counts: Record<Op, number>;
  /** The most dangerous first. */
  changes: Change[];
  /** Changed resources of other providers. */
  others: OtherChange[];
  /** Number of unchanged resources. */
  unchanged: number;
  /** Errors and warnings that belong to no changed resource. */
  diagnostics: string[];
  /** Missing settings, which a preview does not need. */
  missingSettings: string[];
}

/** @param now Milliseconds since the epoch. */
export function reviewOf(preview: Preview, now: number): Review {
  const changed = preview.steps.filter((step) => !isUnchanged(step) && !isEngineInternal(step) && !step.isComponent);
  const outputChangeOf = outputChangesIn(changed);
  const options = { now, outputChangeOf, moveFrom: movesIn(preview.steps) };
  const ours = changed.filter(isAgentgraph);
  const linksOfUrn = linksOf(ours);
  const changes = ours.map((step) => ({ ...changeOf(step, preview, options), ...linksOfUrn(step.urn) }));
  const { project, stack, isFailed, isApplied } = preview;
  return {
    project,
    stack,
    isFailed,
    isApplied,
    marker: markerOf([preview]),
    counts: Object.fromEntries(OPS.map((op) => [op, changes.filter((change) => change.op === op).length])) as Counts,
    changes: grouped(changes.map(withoutMissingSettings)),
    others: changed.filter((step) => !isAgentgraph(step)).map((step) => ({ ...nameAndType(step), op: opOf(step) })),
    unchanged: preview.steps.filter((step) => isUnchanged(step) && !isEngineInternal(step)).length + preview.unlisted,
    diagnostics: diagnosticsOf(preview),
    missingSettings: missingSettingsIn(preview.diagnostics),
  };
}
type Counts = Record<Op, number>;

/** Whether a step is of the stack itself or of a default provider. */
const isEngineInternal = ({ type, urn }: Step) =>
  type === "pulumi:pulumi:Stack" || (type.startsWith("pulumi:providers:") && /::default(_|::|$)/.test(urn.slice(4)));

const nameAndType = (step: Step) => ({ name: parseUrn(step.urn).name, type: step.type });

const withoutMissingSettings = (change: Change): Change => {
  const warnings = change.warnings.filter((text) => parseMissing(text) === undefined);
  const effects = change.effects.filter((effect) => effect !== "warning" || warnings.length > 0);
  return { ...change, warnings, effects };
};

/**
 * Returns the missing settings that the diagnostics name. A preview of a fork has no API key, which is not a problem.
 */
function missingSettingsIn(diagnostics: readonly Diagnostic[]): string[] {
  const names = diagnostics.flatMap(({ text }) => parseMissing(text) ?? []);
  return [...new Set(names)].filter((name) => Object.hasOwn(settingsSchema.shape, name));
}

/** Returns the errors and warnings that belong to no changed resource. */
function diagnosticsOf({ steps, diagnostics }: Preview): string[] {
  const changed = new Set(steps.filter((step) => isAgentgraph(step) && !isUnchanged(step)).map(({ urn }) => urn));
  const problems = diagnostics.filter(
    ({ severity, text }) => /^(error|warning)$/.test(severity) && parseMissing(text) === undefined,
  );
  const unassigned = problems.filter(({ urn }) => urn === undefined || !changed.has(urn));
  return [...new Set(unassigned.map(({ urn, text }) => (urn === undefined ? text : `${parseUrn(urn).name}: ${text}`)))];
}

/** Orders changes by danger, and what one of them causes directly after it. */
function grouped(changes: readonly Change[]): Change[] {
  const sorted = [...changes].sort(compareByDanger);
  const causes = new Set(changes.map(({ urn }) => urn));
  const groups = Map.groupBy(sorted, ({ urn, causedBy }) => (causedBy && causes.has(causedBy) ? causedBy : urn));
  return [...groups].flatMap(([cause, group]) => [
    ...group.filter(({ urn }) => urn === cause),
    ...group.filter(({ urn }) => urn !== cause),
  ]);
}

/** Orders changes by data loss, then by operation, then by URN, so that the order is stable. */
function compareByDanger(a: Change, b: Change): number {
  const rank = ({ effects, op }: Change) => (effects.includes("data-loss") ? 0 : OPS.length) + OPS.indexOf(op);
  return rank(a) - rank(b) || (a.urn < b.urn ? -1 : 1);
}

/** Returns what a review is about. */
export const runName = ({ isApplied }: Review) => (isApplied ? "update" : "preview");

/** Returns the marker of a comment. Names come from a fork: only characters that Pulumi allows in names are kept. */
export function markerOf(previews: readonly Pick<Preview, "project" | "stack">[]): string {
  const escapeName = (name: string) => name.replace(/[^\w.-]+/g, "_").slice(0, 100) || "unknown";
  const names = previews.map(({ project, stack }) => `${escapeName(project)}/${escapeName(stack)}`);
  return `<!-- agentgraph-review:${names.sort().join(",")} -->`;
}

/** Names of resources by effect of `--fail-on`. */
export type Matches = Partial<Record<FailOn, string[]>>;

/**
 * Returns the names of the resources for each effect of `--fail-on` that occurs.
 * @param isUncertain Whether effects that are only possible count as well.
 */
export function findMatches(reviews: readonly Review[], requested: readonly FailOn[], isUncertain = false): Matches {
  const matches = requested.map(
    (effect) => [effect, reviews.flatMap((review) => namesWithEffect(review, effect, isUncertain))] as const,
  );
  return Object.fromEntries(matches.filter(([, names]) => names.length > 0));
}

function namesWithEffect({ changes, others, diagnostics }: Review, effect: FailOn, isUncertain: boolean): string[] {
  if (effect in OTHER_VALUES) return [...changes, ...others].map(({ name }) => name);
  const effectsOf = ({ effects, possible }: Change) => (isUncertain ? [...effects, ...possible] : effects);
  const names = changes.filter((change) => effectsOf(change).some((one) => one === effect)).map(({ name }) => name);
  return effect === "warning" ? [...names, ...diagnostics.map(() => "the program")] : names;
}

/** What --json prints. */
export const reviewJson = (review: {
  marker: string;
  failOn: { requested: readonly FailOn[]; matches: Matches };
  stacks: readonly Review[];
}) => ({ version: 1 as const, ...review });
