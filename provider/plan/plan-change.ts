/**
 * Computes what a change does to the running agent, for the engine's preview and for `agentgraph review` alike. Pure: it
 * sends no request, so that a preview requires neither an API key nor a network.
 */
import type { CheckFailure, Definition } from "../definition/definition";
import type { Impact, OutputChangeOf, PreviewContext } from "../definition/impact";
import { fieldAt } from "../schema/fields";
import { type PropertyMap, valueAt } from "../schema/schema";
import { changedValues, diffInputs, replacedOnRequest, unverifiedPaths } from "./diff";
import type { RequestFacts } from "./facts";
import { containsUnknown, omitUnknowns } from "./property-values";

export interface ChangeOptions {
  /** Milliseconds since the epoch. */
  now: number;
  /** Whether the program requests the change; a refresh also compares, but changes nothing. */
  isRequestedByProgram: boolean;
  /** Whether the last run ended before everything was live. */
  isUnfinished?: boolean;
  /** Whether the native provider wrote the state, and the program now declares a dynamic resource. */
  isMovedFromNative?: boolean;
  /** Optional routes that the server lacks. */
  missingRoutes?: readonly string[] | undefined;
  /** Top-level inputs that the program marks secret. */
  secretInputs?: readonly string[];
  /** The resource option `replaceOnChanges`. */
  replaceOnChanges?: readonly string[] | undefined;
  /** Returns what this run does with the resource that an old value was an output of. */
  outputChangeOf?: OutputChangeOf;
  /** Paths that differ and whose values are redacted. */
  hiddenPaths?: readonly string[];
  /** Set when the engine replaces it regardless of the definition: the inputs that it names as the cause. */
  forcedReplacePaths?: readonly string[] | undefined;
}

export interface PlannedChange {
  /** Paths of inputs that differ. */
  paths: readonly string[];
  /** Set when it is replaced: the inputs that cause it; empty when its final state does. */
  replace?: { paths: readonly string[]; isForcedByRoutes: boolean };
  /** The impacts; empty when nothing changes. */
  changes: Impact[];
  warnings: CheckFailure[];
}

export function planChange(
  definition: Definition,
  before: PropertyMap,
  after: PropertyMap,
  options: ChangeOptions,
): PlannedChange {
  const change = new ChangePlanner(definition, before, after, options);
  const { paths, unverified, endReason } = change;
  const isSame = paths.length === 0 || (!options.isRequestedByProgram && unverified.length === paths.length);
  const isUnfinished = options.isRequestedByProgram && options.isUnfinished === true;
  const isReplaced = change.replaces.length > 0 || endReason !== undefined || options.forcedReplacePaths !== undefined;
  if (isReplaced) {
    const replace = { paths: change.replaces, isForcedByRoutes: change.isForcedByRoutes };
    return { paths, replace, changes: [change.replacement()], warnings: [] };
  }
  if (isSame) {
    const resumed = isUnfinished ? [planResume(definition, before)] : [];
    const moved = options.isRequestedByProgram && options.isMovedFromNative ? [MOVED_FROM_NATIVE] : [];
    return { paths, changes: resumed.length > 0 ? resumed : moved, warnings: [] };
  }
  const warning = options.isRequestedByProgram && definition.impact.warn?.(change.certainPaths, change.context);
  return { paths, changes: change.update(), warnings: warning ? [warning] : [] };
}

const MOVED_FROM_NATIVE: Impact = {
  effect: "none",
  paths: [],
  certain: true,
  note: "moves from the native provider to dynamic resources",
};

/** The note for an unknown from a resource that is only updated. */
const KEPT_NOTE = "unknown until its source is updated, which keeps the value";
const UNVERIFIED_NOTE = "only if the server holds another value";

class ChangePlanner {
  readonly paths: readonly string[];
  readonly replaces: readonly string[];
  readonly unverified: readonly string[];
  readonly endReason: string | undefined;
  readonly isForcedByRoutes: boolean;
  readonly context: PreviewContext<PropertyMap, PropertyMap>;
  /** By path: why its change replaces the resource. */
  private readonly reasons = new Map<string, string>();
  /** Unknowns that may replace it, and unknowns that keep their value. */
  private readonly possibleReplaces: readonly string[];
  private readonly keptUnknowns: readonly string[];

  constructor(
    private readonly definition: Definition,
    private readonly before: PropertyMap,
    private readonly after: PropertyMap,
    private readonly options: ChangeOptions,
  ) {
    const {
      now,
      missingRoutes,
      isRequestedByProgram,
      outputChangeOf,
      hiddenPaths = [],
      replaceOnChanges,
      forcedReplacePaths = [],
    } = options;
    const { schema } = definition;
    const referenceAt = (path: string) => fieldAt(schema, path, ({ reference }) => reference)?.reference;
    const diff = diffInputs(definition, before, after, missingRoutes);
    const diffWithAllRoutes = diffInputs(definition, before, after);
    this.paths = [...new Set([...diff.paths, ...hiddenPaths])];
    this.unverified = unverifiedPaths(definition, diff.paths, before, after);
    this.endReason = isRequestedByProgram ? definition.endReason?.(before) : undefined;
    this.context = { previous: before, inputs: omitUnknowns(after), now };
    const outputChanges = new Map(diff.possibleReplaces.map((path) => [path, outputChangeOf?.(valueAt(before, path))]));
    const replacedOnChange = replacedOnRequest(this.paths, replaceOnChanges);
    const replacedWithSource = diff.possibleReplaces.filter(
      (path) => outputChanges.get(path) === "replaced" && referenceAt(path),
    );
    this.replaces = [...new Set([...diff.replaces, ...replacedWithSource, ...replacedOnChange, ...forcedReplacePaths])];
    this.keptUnknowns = diff.possibleReplaces.filter((path) => outputChanges.get(path) === "kept");
    this.possibleReplaces = diff.possibleReplaces.filter(
      (path) => !this.replaces.includes(path) && !this.keptUnknowns.includes(path),
    );
    this.isForcedByRoutes = diff.isForcedByRoutes;
    for (const path of replacedOnChange) this.reasons.set(path, "replaceOnChanges");
    for (const path of diff.replaces) {
      this.reasons.delete(path);
      if (!diffWithAllRoutes.replaces.includes(path)) this.reasons.set(path, "this server cannot update it");
      else if (containsUnknown(valueAt(after, path))) this.reasons.set(path, referenceAt(path)?.reason ?? "");
    }
    for (const path of replacedWithSource) this.reasons.set(path, referenceAt(path)?.reason ?? "");
  }

  /** The paths that certainly change. */
  get certainPaths(): readonly string[] {
    return this.paths.filter((path) => !this.unverified.includes(path) && !this.keptUnknowns.includes(path));
  }

  replacement(): Impact {
    const isRequested = this.replaces.length === 0 && this.endReason === undefined;
    const note = isRequested ? "requested by `--replace` or `pulumi state taint`" : this.endReason;
    return this.replacementImpact(this.replaces, this.reasons, true, note);
  }

  /** Returns the impacts of an update, a possible replacement first. */
  update(): Impact[] {
    const { schema } = this.definition;
    const conditionOf = (path: string) => fieldAt(schema, path, ({ reference }) => reference)?.reference?.condition;
    const reasons = new Map(this.possibleReplaces.map((path) => [path, conditionOf(path) ?? "if its value changes"]));
    const possible =
      this.possibleReplaces.length > 0 ? [this.replacementImpact(this.possibleReplaces, reasons, false)] : [];
    const effectOf = (path: string) => fieldAt(schema, path, ({ effect }) => effect)?.effect ?? "inPlace";
    const isWriteOnly = (path: string) => fieldAt(schema, path, ({ writeOnly }) => writeOnly);
    const rest = this.paths.filter((path) => !this.possibleReplaces.includes(path));
    const isUncertain = (path: string) => this.unverified.includes(path) && !isWriteOnly(path);
    const groupOf = (path: string) =>
      this.keptUnknowns.includes(path) ? "kept" : isUncertain(path) ? (`?${effectOf(path)}` as const) : effectOf(path);
    const groups = [...Map.groupBy(rest, groupOf)].map(([kind, paths]): Impact => {
      if (kind === "kept") return { ...this.impact("none", paths, true), note: KEPT_NOTE };
      const certain = !kind.startsWith("?");
      const effect = kind.replace("?", "") as Impact["effect"];
      return { ...this.impact(effect, paths, certain), ...(!certain && { note: UNVERIFIED_NOTE }) };
    });
    return [...possible, ...groups];
  }

  private replacementImpact(
    paths: readonly string[],
    reasons: ReadonlyMap<string, string>,
    certain: boolean,
    cause?: string,
  ): Impact {
    const { replacement, loses, onReplace } = this.definition.impact;
    const notes = [cause, onReplace?.(paths, this.context)].filter((note) => note !== undefined);
    return {
      ...this.impact(replacement, paths, certain, reasons),
      ...(loses !== null && { loses }),
      ...(notes.length > 0 && { note: notes.join("; ") }),
    };
  }

  private impact(
    effect: Impact["effect"],
    paths: readonly string[],
    certain: boolean,
    reasons: ReadonlyMap<string, string> = new Map(),
  ): Impact {
    const shorten = (path: string) => this.definition.impact.shortPath?.(path) ?? path;
    const { before, after, options } = this;
    const values = changedValues(this.definition, paths, before, after, options.secretInputs).map((value) => ({
      ...value,
      path: shorten(value.path),
    }));
    const entries = paths.flatMap((path) => {
      const reason = reasons.get(path);
      return reason ? [[shorten(path), reason] as const] : [];
    });
    return {
      effect,
      paths: [...new Set(paths.map(shorten))],
      certain,
      ...(values.length > 0 && { values }),
      ...(entries.length > 0 && { reasons: Object.fromEntries(entries) }),
    };
  }
}

/** Returns the impact of a create. */
export function planCreate(
  { impact }: Definition,
  inputs: PropertyMap,
  { import: id }: RequestFacts,
  now: number,
): Impact {
  const certainWithoutPaths = { paths: [], certain: true };
  if (id !== undefined)
    return { effect: "takeOver", ...certainWithoutPaths, note: `ID ${id}, and nothing changes on the server` };
  const note = impact.onCreate?.(omitUnknowns(inputs), now);
  return { effect: "create", ...certainWithoutPaths, ...(note !== undefined && { note }) };
}

/** Returns the impact of a delete. @param isRetained Whether `retainOnDelete` keeps the object. */
export function planDelete({ impact: { loses, onDelete } }: Definition, isRetained: boolean): Impact {
  const certainWithoutPaths = { paths: [], certain: true };
  if (isRetained) return { effect: "drop", ...certainWithoutPaths, note: "it stays on the server (retainOnDelete)" };
  return {
    effect: "delete",
    ...certainWithoutPaths,
    ...(loses !== null && { loses }),
    ...(onDelete !== null && { note: onDelete }),
  };
}

/** Returns the impact of an update without differences after an unfinished run. */
function planResume({ impact }: Definition, previous: PropertyMap): Impact {
  const resumed = impact.onResume?.(previous);
  return {
    effect: "inPlace",
    paths: [],
    certain: true,
    note: "continues what the last `pulumi up` started",
    ...resumed,
  };
}
