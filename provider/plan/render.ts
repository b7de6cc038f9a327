/**
 * The impact of an operation on the running agent, as data, and as a line of a preview, which is also parsed: JSON
 * previews redact secret values, so the line that the provider rendered with all values contains more than can be
 * computed from one.
 *
 * - new revision: imageUri 1.0.0 -> 1.1.0, secrets.KEY; in place: buildOnPush
 * - possibly REPLACED, its history is lost: deploymentUrl (if it is another server)
 */
import { fieldAt } from "../schema/fields";
import { valueAt } from "../schema/schema";
import { tryOr } from "../text/try-or";
import type { Change } from "./diff";
import { containsUnknown, HIDDEN, isSecret } from "./property-values";

export const EFFECTS = [
  ...(["create", "takeOver", "replace", "restart", "newRevision"] as const),
  ...(["nextRevision", "newVersion", "verification", "inPlace", "none", "delete", "drop"] as const),
] as const;
export type Effect = (typeof EFFECTS)[number];

/** One effect and the changes that cause it. */
export interface Impact {
  effect: Effect;
  /** The inputs that change, in the short form of previews. */
  paths: readonly string[];
  /** False when it depends on a value that is not known yet. */
  certain: boolean;
  /** Old and new values of paths that a preview may show. Never secrets. */
  values?: readonly ChangedValue[];
  /** By path: why the change has this effect, the condition for it, or what it does in particular. */
  reasons?: Readonly<Record<string, string>>;
  /** The data that is lost, such as "its history". */
  loses?: string;
  /** Further consequences, in a few words. */
  note?: string;
}

/** A changed scalar that a preview may show. Never a secret. */
export interface ChangedValue {
  path: string;
  before: string;
  after: string;
}

const EFFECT_TEXTS: Readonly<Record<Effect, string>> = {
  create: "created",
  takeOver: "imported, not created",
  replace: "REPLACED",
  restart: "restarts the export",
  newRevision: "new revision",
  nextRevision: "takes effect with the next revision",
  newVersion: "new version",
  verification: "checks the live revision",
  inPlace: "in place",
  none: "changes nothing on the server",
  delete: "deleted",
  drop: "only dropped from this stack's state",
};
/** Texts of effects that lose data, in upper case for emphasis. */
const DESTRUCTIVE: Partial<Record<Effect, string>> = { delete: "DELETED" };

const POSSIBLY = "possibly ";

export function headOf({ effect, certain, loses }: Impact): string {
  const head = (loses !== undefined && DESTRUCTIVE[effect]) || EFFECT_TEXTS[effect];
  const lossText = loses === undefined ? "" : `, ${loses} ${loses.includes(" and ") ? "are" : "is"} lost`;
  return `${certain ? "" : POSSIBLY}${head}${lossText}`;
}

export function renderImpacts(impacts: readonly Impact[]): string {
  const parts = impacts.flatMap((impact) => {
    const items = impact.paths.map((path) => itemOf(impact, path)).join(", ");
    return [`${headOf(impact)}${items === "" ? "" : `: ${items}`}`, impact.note ?? []].flat();
  });
  return parts.join("; ");
}

function itemOf({ values, reasons = {} }: Impact, path: string): string {
  const changed = values?.find((value) => value.path === path);
  const change = changed ? ` ${quoteValue(changed.before)} -> ${quoteValue(changed.after)}` : "";
  const reason = Object.hasOwn(reasons, path) ? ` (${reasons[path]})` : "";
  return `${quoteValue(path)}${change}${reason}`;
}

/** Returns the impacts in a line; undefined when `renderImpacts` did not write it. */
export function parseImpacts(line: string): Impact[] | undefined {
  const impacts: Impact[] = [];
  for (const part of splitOutside(line.trim(), "; ")) {
    const impact = parseOne(part);
    const last = impacts.at(-1);
    if (impact === "malformed") return undefined;
    if (impact) impacts.push(impact);
    else if (last) last.note = last.note === undefined ? part : `${last.note}; ${part}`;
    else return undefined;
  }
  return impacts;
}

/** All effect texts, the longest first, since one may be a prefix of another. */
const EFFECTS_BY_TEXT = EFFECTS.flatMap((effect) =>
  [EFFECT_TEXTS[effect], DESTRUCTIVE[effect] ?? []].flat().map((head) => ({ effect, head })),
).sort((a, b) => b.head.length - a.head.length);

/** What may follow the text of an effect: the data that is lost, and the items. */
const DETAILS = /^(?:, ([^:]+) (?:is|are) lost)?(?:: (.*))?$/s;

/** Returns undefined for a text that is not an impact but the note of the one before. */
function parseOne(text: string): Impact | "malformed" | undefined {
  const certain = !text.startsWith(POSSIBLY);
  const plain = certain ? text : text.slice(POSSIBLY.length);
  const match = EFFECTS_BY_TEXT.find(({ head }) => plain.startsWith(head) && DETAILS.test(plain.slice(head.length)));
  if (!match) return undefined;
  const [, loses, items = ""] = DETAILS.exec(plain.slice(match.head.length)) ?? [];
  const parsed = items === "" ? [] : splitOutside(items, ", ").map(parseItem);
  const valid = parsed.filter((item) => item !== undefined);
  if (valid.length < parsed.length) return "malformed";
  const values = valid.flatMap(({ value }) => value ?? []);
  const reasons = valid.flatMap(({ path, reason }) => (reason === undefined ? [] : [[path, reason] as const]));
  return {
    effect: match.effect,
    paths: valid.map(({ path }) => path),
    certain,
    ...(values.length > 0 && { values }),
    ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
    ...(loses !== undefined && { loses }),
  };
}

interface Item {
  path: string;
  value: ChangedValue | undefined;
  reason: string | undefined;
}

const TOKEN = String.raw`("(?:[^"\\]|\\.)*"|[^\s"(),;]+)`;
const ITEM = new RegExp(String.raw`^${TOKEN}(?: ${TOKEN} -> ${TOKEN})?(?: \(([^()]*)\))?$`, "s");

function parseItem(text: string): Item | undefined {
  const [, path, before, after, reason] = ITEM.exec(text) ?? [];
  if (path === undefined) return undefined;
  const name = unquote(path);
  const isChange = before !== undefined && after !== undefined;
  return {
    path: name,
    value: isChange ? { path: name, before: unquote(before), after: unquote(after) } : undefined,
    reason,
  };
}

const unquote = (token: string): string =>
  token.startsWith('"') ? tryOr(() => String(JSON.parse(token)), token) : token;

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let [begin, depth, isQuoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted && character === "\\") at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(begin, at));
      begin = at + separator.length;
    }
  }
  return [...parts, text.slice(begin)];
}

/** Longest value that is shown in full. */
const MAX_LENGTH = 40;
/** Characters shown of a longer value, enough to identify a digest. */
const DIGEST_LENGTH = 16;

/** Returns the old and new values that the definition allows previews to show, shortened. */
export function changedValues(
  { definition, before, after, options: { secretInputs = [] } }: Change,
  paths: readonly string[],
): ChangedValue[] {
  return paths.flatMap((path) => {
    if (!fieldAt(definition.schema, path, ({ shown }) => shown)) return [];
    const [from, to] = [plainText(valueAt(before, path)), plainText(valueAt(after, path))];
    return !isSecret(definition, path, after, secretInputs) && from !== undefined && to !== undefined
      ? [shortenChange({ path, before: from, after: to })]
      : [];
  });
}

/** Returns a scalar as text; undefined for objects, unknowns and values redacted by `pulumi preview --json`. */
function plainText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value !== "string" || value === "" || containsUnknown(value) || value === HIDDEN ? undefined : value;
}

/** Removes the common prefix, such as the repository of two images, and truncates both values. */
export function shortenChange({ path, before, after }: ChangedValue): ChangedValue {
  const shared = sharedPrefix(before, after);
  return { path, before: shorten(before.slice(shared)), after: shorten(after.slice(shared)) };
}

/** Returns the length of the common prefix, up to its last separator. */
function sharedPrefix(left: string, right: string): number {
  const maxLength = Math.min(left.length, right.length);
  let length = 0;
  while (length < maxLength && left[length] === right[length]) length++;
  while (length > 0 && !SEPARATORS.has(left[length - 1] ?? "")) length--;
  return length < maxLength ? length : 0;
}
const SEPARATORS: ReadonlySet<string> = new Set([":", "@", "/"]);

const shorten = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, DIGEST_LENGTH)}…` : text);

/** Quotes a value or a path when it contains separators of a preview line. */
export const quoteValue = (text: string): string => (/^[\w.:@/+…*$-]+$/.test(text) ? text : JSON.stringify(text));
