/** A preview, judged: what happens to each resource of ours, and how much to others. Also what `--json` prints. */
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
  /** By which a pipeline finds its own comment; stays the same for a stack. */
  marker: string;
  isFailed: boolean;
  /** Of resources of ours: how many of each operation. */
  counts: Record<Op, number>;
  /** From the worst on. */
  changes: Change[];
  /** Changed resources of other providers. */
  others: Other[];
  /** All that stay as they are. */
  unchanged: number;
  /** What went wrong, or is warned of, beside any resource. */
  troubles: string[];
  /** Settings that a preview can do without. */
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

/** The stack itself, and what the engine makes for its own use. */
const isOfTheEngine = ({ type, urn }: Step) =>
  type === "pulumi:pulumi:Stack" || (type.startsWith("pulumi:providers:") && /::default(_|::|$)/.test(urn.slice(4)));

const told = (step: Step) => ({ name: nameIn(step.urn), type: step.type });

const withoutSettings = (change: Change): Change => {
  const warnings = change.warnings.filter((text) => parseMissing(text) === undefined);
  const effects = change.effects.filter((effect) => effect !== "warning" || warnings.length > 0);
  return { ...change, warnings, effects };
};

/** A preview of a fork has no key: that is no trouble, and said once. A program may say as well what is no setting. */
function missingIn(lines: readonly Line[]): string[] {
  const names = lines.flatMap(({ text }) => parseMissing(text) ?? []);
  return [...new Set(names)].filter((name) => Object.hasOwn(settingsSchema.shape, name));
}

/** What is said of no resource that changes. */
function troublesOf({ steps, lines }: Preview): string[] {
  const moving = new Set(steps.filter((step) => isOurs(step) && !isUnchanged(step)).map(({ urn }) => urn));
  const loud = lines.filter(
    ({ severity, text }) => /^(error|warning)$/.test(severity) && parseMissing(text) === undefined,
  );
  const left = loud.filter(({ urn }) => urn === undefined || !moving.has(urn));
  return [...new Set(left.map(({ urn, text }) => (urn === undefined ? text : `${nameIn(urn)}: ${text}`)))];
}

/** The worst first: by what is lost, then by operation; else by name, so that the same preview reads the same. */
function byDanger(a: Change, b: Change): number {
  const rank = ({ effects, op }: Change) => (effects.includes("data-loss") ? 0 : OPS.length) + OPS.indexOf(op);
  return rank(a) - rank(b) || (a.urn < b.urn ? -1 : 1);
}

/** A name may hold anything where a fork wrote it; in the marker only what a name of Pulumi may hold stays. */
export function markerOf(previews: readonly Pick<Preview, "project" | "stack">[]): string {
  const plain = (name: string) => name.replace(/[^\w.-]+/g, "_").slice(0, 100) || "unknown";
  const names = previews.map(({ project, stack }) => `${plain(project)}/${plain(stack)}`);
  return `<!-- agentgraph-review:${names.sort().join(",")} -->`;
}

/**
 * What of `--fail-on` was found: by word, the names of the resources.
 * @param isUncertain Whether what is only possible counts as well.
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
