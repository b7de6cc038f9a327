/** The impact of an operation on the running agent, as data: render.ts writes it as a line of a preview. Pure. */
import type { Definition, PreviewContext } from "../definition/definition";
import { successionOf } from "../definition/moves";
import { fieldAt } from "../schema/fields";
import { getOwn, type InputEffect, type PropertyMap, type Reference, splitPath, valueAt } from "../schema/schema";
import type { Change, InputDiff } from "./diff";
import type { RequestFacts } from "./facts";
import { explainResume, WHOLE, withChecks, withResume } from "./follow-up";
import { mayMissEntries } from "./program-mistakes";
import { containsUnknown, knownParts, omitUnknowns } from "./property-values";
import { changedValues, type Effect, type Impact } from "./render";

/** What differs, by path. The lists are parts of the first one. */
export interface Comparison {
  readonly paths: readonly string[];
  readonly diff: InputDiff;
  /** Those of which state does not know the value, so that the server may already have the declared one. */
  readonly unverified: readonly string[];
  /** Those at which the program now declares what the server has had since others changed it. */
  readonly accepted: readonly string[];
  /** Those of a container that passes its content, and so the object, on to the declared one. */
  readonly followed: readonly string[];
  /** Those that only move to another input, with the same value. */
  readonly moved: readonly string[];
  /** Those that are no longer declared, and that the server keeps. */
  readonly dropped: readonly string[];
  /** Unknown values of resources that this run replaces, and of those that it only updates. */
  readonly fromReplaced: readonly string[];
  readonly kept: readonly string[];
  /** Those that the resource option `replaceOnChanges` names. */
  readonly named: readonly string[];
}

/** What happens to the object. A replacement without paths has another cause; `move` only rewrites state. */
export type Decision =
  | { readonly kind: "replace"; readonly paths: readonly string[]; readonly endReason: string | undefined }
  | { readonly kind: "update"; readonly possibleReplaces: readonly string[]; readonly isUnfinished: boolean }
  | { readonly kind: "resume" | "move" | "keep" };

/** Returns the impacts of a change; none when nothing happens. */
export function explain(change: Change, comparison: Comparison, decision: Decision): Impact[] {
  if (decision.kind === "replace") {
    const { paths, endReason } = decision;
    const isRequested = paths.length === 0 && endReason === undefined;
    const cause = isRequested ? "requested by `--replace` or `pulumi state taint`" : endReason;
    const reasonOf = (path: string) => reasonFor(change, comparison, path);
    return [explainReplacement(change, { paths, certain: true, cause, reasonOf })];
  }
  if (decision.kind === "update") {
    const updates = explainUpdate(change, comparison, decision.possibleReplaces);
    return decision.isUnfinished ? withResume(updates, explainResume(change)) : updates;
  }
  if (decision.kind === "resume") return [explainResume(change)];
  return decision.kind === "move" ? [MOVED_FROM_NATIVE] : [];
}

const MOVED_FROM_NATIVE: Impact = {
  effect: "none",
  ...WHOLE,
  note: "moves from the native provider to dynamic resources",
};

/** Returns why a change of a path replaces the object, unless the path itself says so. */
function reasonFor({ definition, after }: Change, { diff, fromReplaced, named }: Comparison, path: string) {
  const reference = referenceAt(definition, path);
  if (fromReplaced.includes(path)) return reference?.reason;
  if (!diff.replaces.includes(path)) return named.includes(path) ? "replaceOnChanges" : undefined;
  if (fieldAt(definition.schema, path, ({ replacesIfRemoved }) => replacesIfRemoved)) return "it cannot be removed";
  return containsUnknown(valueAt(after, path)) ? reference?.reason : undefined;
}

interface Replacement {
  paths: readonly string[];
  certain: boolean;
  /** Why it is replaced if no path is the cause. */
  cause?: string | undefined;
  reasonOf(path: string): string | undefined;
}

function explainReplacement(change: Change, { paths, certain, cause, reasonOf }: Replacement): Impact {
  const { impact } = change.definition;
  const { replacement, loses, onCreate } = impact;
  const context = previewContext(change);
  const kept = successionOf(change.definition)?.keeps(context);
  const notes = [
    ...[cause, otherwise(change, paths), ...reserved(change, kept?.note)],
    ...[replacedByMove(change, paths), onCreate?.(context, paths)],
  ].filter((note) => note !== undefined);
  return {
    ...impactOf(change, replacement, paths, certain),
    ...reasonsFor(change, paths, reasonOf),
    ...(loses !== null && !kept && { loses }),
    ...(notes.length > 0 && { note: notes.join("; ") }),
  };
}

/** Returns what avoids a replacement where it is not known whether the server changes the inputs in place. */
function otherwise({ definition, options }: Change, paths: readonly string[]): string | undefined {
  const isAvoidable = (path: string) => {
    const feature = fieldAt(
      definition.schema,
      path,
      ({ where, replaces }) => replaces && where && "replaces" in where.change,
    )?.where?.feature;
    return feature !== undefined && !Object.hasOwn(options.profile ?? {}, feature);
  };
  return paths.length > 0 && paths.every(isAvoidable)
    ? "some platforms change it in place and keep them: see the setting `platform`"
    : undefined;
}

/** Whether the content of this container moves to the one that is declared now. */
export function isMoved({ definition, before, after, options }: Change, path: string): boolean {
  if (referenceAt(definition, path)?.output !== "id") return false;
  const move = options.moveFrom?.(valueAt(before, path));
  const container = valueAt(after, path);
  return move !== undefined && (containsUnknown(container) || move.to === container);
}

/** Returns what is said of an object whose container passes its content on, where a server chooses its ID. */
const replacedByMove = (change: Change, paths: readonly string[]): string | undefined =>
  paths.some((path) => isMoved(change, path)) ? "it moves with its deployment, where it gets another ID" : undefined;

/** Returns why a replacement fails, or may fail, that would reuse what the server keeps of the deleted object. */
function reserved({ definition, before, after, options }: Change, keptNote?: string) {
  const field = definition.schema.fields.find(
    ({ path, where }) => where?.change.isReserved && valueAt(before, path) === valueAt(after, path),
  );
  if (field?.isReserved)
    return [`fails, because the platform keeps the ${field.path} for a week; choose another in the same change`];
  const isKnown = field?.where === undefined || Object.hasOwn(options.profile ?? {}, field.where.feature);
  const note =
    field && `fails after the deletion if the platform keeps the ${field.path}: see the setting \`platform\``;
  return isKnown ? [keptNote] : [note, keptNote];
}

/** The notes of what changes nothing on the server. */
const UNCHANGED: Readonly<Record<string, string>> = {
  accepted: "the server has it already",
  followed: "it moves with its deployment, and keeps its ID",
  moved: "moved with the same value",
  kept: "unknown until its source is updated, which keeps the value",
  dropped: "no longer sent, so the server keeps it",
};
const OPEN_NOTE = "as the server decides";
const UNSURE_NOTE = "some platforms make one at once";
const UNVERIFIED_NOTE = "only if the server holds another value";

/** Returns the impacts of an update, a possible replacement first. */
function explainUpdate(change: Change, comparison: Comparison, possibleReplaces: readonly string[]): Impact[] {
  const { definition } = change;
  const reasonOf = (path: string) => referenceAt(definition, path)?.condition ?? "if its value changes";
  const replacement = { paths: possibleReplaces, certain: false, reasonOf };
  const possible = possibleReplaces.length > 0 ? [explainReplacement(change, replacement)] : [];
  const rest = comparison.paths.filter((path) => !possibleReplaces.includes(path));
  const groups = Map.groupBy(rest, (path) => groupOf(change, comparison, path));
  const updates = [...groups].map(([group, paths]): Impact => {
    const note = UNCHANGED[group];
    if (note !== undefined) {
      const isUnknown = (path: string) => group === "followed" && containsUnknown(valueAt(change.after, path));
      const condition = (path: string) => (isUnknown(path) ? "if it is that of the new deployment" : undefined);
      return { ...impactOf(change, "none", paths, true), ...reasonsFor(change, paths, condition), note };
    }
    if (group === "unsure") return { ...impactOf(change, "nextRevision", paths, true), note: UNSURE_NOTE };
    if (group.startsWith("open ")) {
      const effect = group.slice(5) as InputEffect;
      return { ...impactOf(change, effect, paths, effect !== "newRevision"), note: OPEN_NOTE };
    }
    if (group.startsWith("?"))
      return { ...impactOf(change, group.slice(1) as InputEffect, paths, false), note: UNVERIFIED_NOTE };
    const reasonsOfValues = reasonsFor(change, paths, (path) => effectOfValue(change, path));
    return { ...impactOf(change, group as InputEffect, paths, true), ...reasonsOfValues };
  });
  return [...possible, ...withChecks(definition.impact.onCreate?.(previewContext(change)), change, updates)];
}

/** Returns what a change to this value does beyond its effect, and whether a variable looks like an undefined one. */
function effectOfValue({ definition: { schema }, before, after }: Change, path: string): string | undefined {
  const field = fieldAt(schema, path, ({ valueEffects }) => valueEffects);
  if (field) return getOwn(field.valueEffects ?? {}, String(valueAt(omitUnknowns(after), path) ?? field.absentMeans));
  if (!fieldAt(schema, path, mayMissEntries)) return undefined;
  const value = valueAt(after, splitPath(path, before, after));
  return value === undefined ? "removed" : value === "" ? "empty" : undefined;
}

function reasonsFor(
  change: Change,
  paths: readonly string[],
  reasonOf: Replacement["reasonOf"],
): Pick<Impact, "reasons"> {
  const reasons = paths.flatMap((path) => {
    const reason = reasonOf(path);
    return reason === undefined ? [] : [[shortPath(change, path), reason] as const];
  });
  return reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) };
}

/** Returns the effect of a changed path, with a question mark if the server may already have the value. */
function groupOf({ definition: { schema }, options }: Change, comparison: Comparison, path: string) {
  const groups = ["followed", "accepted", "kept", "moved", "dropped"] as const;
  const found = groups.find((group) => comparison[group].includes(path));
  if (found) return found;
  const { effect = "inPlace", where } = fieldAt(schema, path, (field) => field.effect) ?? {};
  if (fieldAt(schema, path, ({ open }) => open)) return `open ${effect}` as const;
  if (where?.change.effect === "newRevision" && !Object.hasOwn(options.profile ?? {}, where.feature)) return "unsure";
  const isWriteOnly = fieldAt(schema, path, ({ writeOnly }) => writeOnly) !== undefined;
  return comparison.unverified.includes(path) && !isWriteOnly ? (`?${effect}` as const) : effect;
}

function impactOf(change: Change, effect: Effect, paths: readonly string[], certain: boolean): Impact {
  const values = changedValues(change, paths).map((value) => ({ ...value, path: shortPath(change, value.path) }));
  return {
    effect,
    paths: [...new Set(paths.map((path) => shortPath(change, path)))],
    certain,
    ...(values.length > 0 && { values }),
  };
}

const shortPath = ({ definition }: Change, path: string) => definition.impact.shortPath?.(path) ?? path;

export function planCreate(
  { impact }: Definition,
  inputs: PropertyMap,
  { import: id }: RequestFacts,
  now: number,
): Impact {
  if (id !== undefined) return { effect: "takeOver", ...WHOLE, note: `ID ${id}, and nothing changes on the server` };
  const note = impact.onCreate?.({ previous: {}, inputs: knownParts(inputs), now });
  return { effect: "create", ...WHOLE, ...(note !== undefined && { note }) };
}

export const previewContext = ({ before, after, options }: Change): PreviewContext<PropertyMap, PropertyMap> => ({
  previous: before,
  inputs: knownParts(after),
  now: options.now,
});

/** Returns the output that an input usually contains. */
export const referenceAt = ({ schema }: Definition, path: string): Reference | undefined =>
  fieldAt(schema, path, ({ reference }) => reference)?.reference;
