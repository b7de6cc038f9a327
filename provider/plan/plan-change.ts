/**
 * Computes what a change does to the running agent, for the engine's preview and for `agentgraph review` alike, in
 * three steps: what differs, what follows for the object, and how previews explain it. Pure: it sends no request, so
 * that a preview requires neither an API key nor a network.
 */
import { canUpdate, type Definition, definitionOn } from "../definition/definition";
import { type Kept, successionOf } from "../definition/moves";
import type { CheckFailure } from "../definition/rules";
import { type PropertyMap, valueAt } from "../schema/schema";
import {
  type Change,
  diffInputs,
  isDropped,
  isUnknownAt,
  movedPaths,
  namedPaths,
  sentPaths,
  unverifiedPaths,
} from "./diff";
import { type Comparison, type Decision, explain, isMoved, previewContext, referenceAt } from "./impact";
import type { OutputChangeOf } from "./planned-outputs";
import type { Impact } from "./render";
import { acceptedPaths, type ServerValues } from "./server-values";

type DiffOptions = Change["options"];

export interface ChangeOptions extends DiffOptions {
  /** Whether the program requests the change; a refresh also compares, but changes nothing. */
  isRequestedByProgram: boolean;
  /** Whether the last run ended before everything was live. */
  isUnfinished?: boolean;
  /** Whether the native provider wrote the state, and the program now declares a dynamic resource. */
  isMovedFromNative?: boolean;
  /** What the server holds where only a replacement could apply the inputs. */
  serverValues?: ServerValues | undefined;
  /** Paths that a request has sent whose outcome is not known. */
  unconfirmed?: readonly string[] | undefined;
  replaceOnChanges?: readonly string[] | undefined;
  /** The resource option `ignoreChanges`. */
  ignoreChanges?: readonly string[] | undefined;
  /** Returns what this run does with the resource that an old value was an output of. */
  outputChangeOf?: OutputChangeOf;
  /** Paths that differ and whose values are redacted. */
  hiddenPaths?: readonly string[];
  /** Set when the engine replaces it regardless of the definition: the inputs that it names as the cause. */
  forcedReplacePaths?: readonly string[] | undefined;
}

export interface PlannedChange {
  paths: readonly string[];
  /** Set when it is replaced: the inputs that cause it; empty when its final state does. */
  replace?: { paths: readonly string[]; kept?: Kept | undefined };
  /** Whether it is updated, and replaced if an unknown value turns out to differ. */
  mayReplace: boolean;
  /** The impacts; empty when nothing changes. */
  changes: Impact[];
  /** The paths whose change fails, since the server cannot make it. */
  unsupported: readonly string[];
  warnings: CheckFailure[];
}

type ChangeWithOptions = Change & { readonly options: ChangeOptions };

export function planChange(
  described: Definition,
  before: PropertyMap,
  after: PropertyMap,
  options: ChangeOptions,
): PlannedChange {
  const definition = definitionOn(described, options.profile ?? {});
  const change = { definition, before, after, options };
  const comparison = compare(change);
  const decision = decide(change, comparison);
  const { paths } = comparison;
  const changes = explain(change, comparison, decision);
  const plan = { paths, changes, mayReplace: false, unsupported: [], warnings: [] };
  if (decision.kind === "replace") {
    const kept = successionOf(definition)?.keeps(previewContext(change));
    return { ...plan, replace: { paths: decision.paths, kept } };
  }
  if (decision.kind !== "update") return plan;
  const { unverified, dropped, kept, moved } = comparison;
  const changed = paths.filter((path) => !moved.includes(path) && !dropped.includes(path));
  const unsupported = canUpdate(definition, options.profile ?? {}) ? [] : sentPaths(definition, changed);
  const certain = changed.filter((path) => !unverified.includes(path) && !kept.includes(path));
  const warning = options.isRequestedByProgram && definition.impact.warn?.(certain, previewContext(change));
  const mayReplace = decision.possibleReplaces.length > 0;
  return { ...plan, mayReplace, unsupported, warnings: warning ? [warning] : [] };
}

function compare({ definition, before, after, options }: ChangeWithOptions): Comparison {
  const { outputChangeOf, hiddenPaths = [], replaceOnChanges = [], serverValues, unconfirmed } = options;
  const accepted = serverValues ? acceptedPaths(definition, before, after, serverValues) : [];
  const all = diffInputs(definition, before, after, { ignored: options.ignoreChanges, unconfirmed });
  const followed = followedPaths({ definition, before, after, options }, all.paths);
  // What the server has already replaces nothing, and neither does a container that passes its content on.
  const isSame = (path: string) => accepted.includes(path) || followed.includes(path);
  // An unknown ID is that of a new resource, unless it may be that of one that only an unknown value would replace.
  const isPossible = (path: string) =>
    all.possibleReplaces.includes(path) ||
    (isUnknownAt(after, path) && outputChangeOf?.(valueAt(before, path), path) === "possibly replaced");
  const replacing = [...all.replaces, ...all.possibleReplaces].filter((path) => !isSame(path));
  const [possibleReplaces, replaces] = [replacing.filter(isPossible), replacing.filter((path) => !isPossible(path))];
  const diff = { ...all, replaces, possibleReplaces };
  const paths = [...new Set([...diff.paths, ...hiddenPaths])];
  const possible = Map.groupBy(diff.possibleReplaces, (path) => outputChangeOf?.(valueAt(before, path), path));
  return {
    paths,
    diff,
    accepted,
    followed,
    moved: movedPaths(definition, diff.paths, [before, after]),
    dropped: diff.paths.filter((path) => isDropped(definition, path, after)),
    unverified: unverifiedPaths(definition, diff.paths, before, after),
    fromReplaced: (possible.get("replaced") ?? []).filter((path) => referenceAt(definition, path)),
    kept: possible.get("kept") ?? [],
    named: replaceOnChanges.length > 0 ? namedPaths(paths, replaceOnChanges, before, after) : [],
  };
}

/** Returns the paths of containers whose content moves to the one that is declared now, and the object with it. */
const followedPaths = (change: ChangeWithOptions, paths: readonly string[]): string[] =>
  change.definition.succession === "container" ? paths.filter((path) => isMoved(change, path)) : [];

/**
 * Whether the content of the container moves to the one that is declared now, and the object with it: then it is not
 * replaced, although the engine does that without a comparison because of a resource option such as `deletedWith`.
 */
export function movesWithContainer(
  definition: Definition,
  before: PropertyMap,
  after: PropertyMap,
  options: Pick<ChangeOptions, "moveFrom">,
): boolean {
  const container = definition.schema.container?.id;
  const change = { definition, before, after, options: { ...options, now: 0, isRequestedByProgram: true } };
  return container !== undefined && followedPaths(change, [container]).length > 0;
}

function decide(
  { definition, before, options }: ChangeWithOptions,
  { paths, diff, unverified, ...comparison }: Comparison,
): Decision {
  const { isRequestedByProgram, isUnfinished, isMovedFromNative, forcedReplacePaths } = options;
  const { fromReplaced, kept, named } = comparison;
  const replaces = [...new Set([...diff.replaces, ...fromReplaced, ...named, ...(forcedReplacePaths ?? [])])];
  const endReason = isRequestedByProgram ? definition.endReason?.(before) : undefined;
  if (replaces.length > 0 || endReason !== undefined || forcedReplacePaths !== undefined)
    return { kind: "replace", paths: replaces, endReason };
  const isSame = paths.length === 0 || (!isRequestedByProgram && unverified.length === paths.length);
  if (!isSame) {
    const possibleReplaces = diff.possibleReplaces.filter((path) => !kept.includes(path));
    return { kind: "update", possibleReplaces, isUnfinished: isUnfinished === true && isRequestedByProgram };
  }
  if (!isRequestedByProgram) return { kind: "keep" };
  return { kind: isUnfinished ? "resume" : isMovedFromNative ? "move" : "keep" };
}
