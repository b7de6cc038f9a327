/**
 * What a change does to the live service: the same for the engine's preview and for `agentgraph review`. Pure: it asks no
 * server, so that a preview needs neither an API key nor a network.
 */
import type { CheckFailure, Definition } from "../definition/definition";
import type { FateOf, Impact, PreviewContext } from "../definition/impact";
import { matchesPath, type PropertyMap, valueAt } from "../schema/schema";
import { changedValues, diffInputs, replacedOnRequest, unseenOf } from "./diff";
import { containsUnknown, type InternalProperties, omitUnknowns } from "./property-values";

export interface ChangeOptions {
  /** Milliseconds since the epoch. */
  now: number;
  /** Whether the program asks for the change: a refresh compares too, and then nothing happens. */
  isPlanned: boolean;
  /** Whether the last run ended before all of it worked. */
  isUnfinished?: boolean;
  /** Optional routes that the server is known to lack. */
  missingRoutes?: readonly string[] | undefined;
  /** Top-level inputs that the program marks secret. */
  secretInputs?: readonly string[];
  /** The resource option of that name. */
  replaceOnChanges?: readonly string[] | undefined;
  /** Tells what this run does with the resource that an old value was an output of. */
  fateOf?: FateOf;
  /** Paths that differ and whose values are hidden. */
  hiddenPaths?: readonly string[];
  /** That the engine replaces it, whatever the definition says, and the inputs that it names as the cause. */
  requested?: readonly string[] | undefined;
}

export interface PlannedChange {
  /** The inputs that differ. */
  paths: readonly string[];
  /** Present when it is replaced: the inputs that cause it, none where it came to an end by itself. */
  replace?: { paths: readonly string[]; isForcedByRoutes: boolean };
  /** What happens. Empty when nothing does. */
  changes: Impact[];
  warnings: CheckFailure[];
}

export function planChange(
  definition: Definition,
  before: PropertyMap,
  after: PropertyMap,
  options: ChangeOptions,
): PlannedChange {
  const change = new Change(definition, before, after, options);
  const { paths, unseen, ended } = change;
  const isSame = paths.length === 0 || (!options.isPlanned && unseen.length === paths.length);
  const isUnfinished = options.isPlanned && options.isUnfinished === true;
  const isReplaced = change.replaces.length > 0 || ended !== undefined || options.requested !== undefined;
  if (isReplaced) {
    const replace = { paths: change.replaces, isForcedByRoutes: change.isForcedByRoutes };
    return { paths, replace, changes: [change.replacement()], warnings: [] };
  }
  if (isSame) return { paths, changes: isUnfinished ? [planResume(definition, before)] : [], warnings: [] };
  const warning = options.isPlanned && definition.impact.warn?.(change.sure, change.context);
  return { paths, changes: change.update(), warnings: warning ? [warning] : [] };
}

/** Said of an unknown that comes from a resource which is only updated. */
const KEPT = "not known until the resource it comes from is updated, which keeps it";
const UNSEEN_VALUE = "only if the server holds another value";

class Change {
  readonly paths: readonly string[];
  readonly replaces: readonly string[];
  readonly unseen: readonly string[];
  readonly ended: string | undefined;
  readonly isForcedByRoutes: boolean;
  readonly context: PreviewContext<PropertyMap, PropertyMap>;
  /** By path: why its change replaces. */
  private readonly reasons: Record<string, string> = {};
  /** Unknowns that may replace it, and those that surely keep their value. */
  private readonly open: readonly string[];
  private readonly kept: readonly string[];

  constructor(
    private readonly definition: Definition,
    private readonly before: PropertyMap,
    private readonly after: PropertyMap,
    private readonly options: ChangeOptions,
  ) {
    const { now, missingRoutes, isPlanned, fateOf, hiddenPaths = [], replaceOnChanges, requested = [] } = options;
    const { references = {}, byValue = {}, when } = definition.replace;
    const found = diffInputs(definition, before, after, missingRoutes);
    const forced = diffInputs(definition, before, after);
    this.paths = [...new Set([...found.paths, ...hiddenPaths])];
    this.unseen = unseenOf(definition, found.paths, before, after);
    this.ended = isPlanned ? when?.(before) : undefined;
    this.context = { previous: before, inputs: omitUnknowns(after), now };
    const fates = new Map(found.open.map((path) => [path, fateOf?.(valueAt(before, path))]));
    const asked = replacedOnRequest(this.paths, replaceOnChanges);
    const moved = found.open.filter((path) => fates.get(path) === "replaced" && Object.hasOwn(byValue, path));
    this.replaces = [...new Set([...found.replaces, ...moved, ...asked, ...requested])];
    this.kept = found.open.filter((path) => fates.get(path) === "kept");
    this.open = found.open.filter((path) => !this.replaces.includes(path) && !this.kept.includes(path));
    this.isForcedByRoutes = found.isForcedByRoutes;
    for (const path of asked) this.reasons[path] = "replaceOnChanges";
    for (const path of found.replaces) {
      delete this.reasons[path];
      if (!forced.replaces.includes(path)) this.reasons[path] = "this server cannot change it";
      else if (containsUnknown(valueAt(after, path))) this.reasons[path] = references[path] ?? "";
    }
    for (const path of moved) this.reasons[path] = byValue[path] ?? "";
  }

  /** The paths that surely change. */
  get sure(): readonly string[] {
    return this.paths.filter((path) => !this.unseen.includes(path) && !this.kept.includes(path));
  }

  replacement(): Impact {
    const isRequested = this.options.requested !== undefined && this.replaces.length === 0 && this.ended === undefined;
    const note = isRequested ? "requested by `--replace` or `pulumi state taint`" : this.ended;
    return this.replacing(this.replaces, this.reasons, true, note);
  }

  /** What an update does; led by what it might replace. */
  update(): Impact[] {
    const { effects, unknowns = {} } = this.definition.impact;
    const reasons = Object.fromEntries(this.open.map((path) => [path, unknowns[path] ?? "if its value changes"]));
    const possible = this.open.length > 0 ? [this.replacing(this.open, reasons, false)] : [];
    const effectOf = (path: string) => effects.find(([prefix]) => matchesPath(path, prefix))?.[1] ?? "inPlace";
    const isSent = (path: string) => this.definition.secrets.writeOnly?.some((pattern) => matchesPath(path, pattern));
    const rest = this.paths.filter((path) => !this.open.includes(path));
    const isUncertain = (path: string) => this.unseen.includes(path) && !isSent(path);
    const kindOf = (path: string) =>
      this.kept.includes(path) ? "kept" : isUncertain(path) ? (`?${effectOf(path)}` as const) : effectOf(path);
    const groups = [...Map.groupBy(rest, kindOf)].map(([kind, paths]): Impact => {
      if (kind === "kept") return { ...this.impact("none", paths, true), note: KEPT };
      const certain = !kind.startsWith("?");
      const effect = kind.replace("?", "") as Impact["effect"];
      return { ...this.impact(effect, paths, certain), ...(!certain && { note: UNSEEN_VALUE }) };
    });
    return [...possible, ...groups];
  }

  private replacing(paths: readonly string[], reasons: Record<string, string>, certain: boolean, why?: string): Impact {
    const { replacement, loses, onReplace } = this.definition.impact;
    const notes = [why, onReplace?.(paths, this.context)].filter((note) => note !== undefined);
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
    reasons: Record<string, string> = {},
  ): Impact {
    const short = (path: string) => this.definition.impact.shortPath?.(path) ?? path;
    const { before, after, options } = this;
    const values = changedValues(this.definition, paths, before, after, options.secretInputs).map((value) => ({
      ...value,
      path: short(value.path),
    }));
    const given = paths.filter((path) => reasons[path]).map((path) => [short(path), reasons[path] as string] as const);
    return {
      effect,
      paths: [...new Set(paths.map(short))],
      certain,
      ...(values.length > 0 && { values }),
      ...(given.length > 0 && { reasons: Object.fromEntries(given) }),
    };
  }
}

/** What a create does. */
export function planCreate(
  { impact }: Definition,
  inputs: PropertyMap,
  { __import: id }: InternalProperties,
  now: number,
): Impact {
  const nothing = { paths: [], certain: true };
  if (id !== undefined) return { effect: "takeOver", ...nothing, note: `ID ${id}, and nothing changes on the server` };
  const note = impact.onCreate?.(omitUnknowns(inputs), now);
  return { effect: "create", ...nothing, ...(note !== undefined && { note }) };
}

/** What a delete does. @param isRetained Whether the object stays, by the resource option retainOnDelete. */
export function planDelete({ impact: { loses, onDelete } }: Definition, isRetained: boolean): Impact {
  const nothing = { paths: [], certain: true };
  if (isRetained) return { effect: "drop", ...nothing, note: "it stays on the server (retainOnDelete)" };
  return {
    effect: "delete",
    ...nothing,
    ...(loses !== null && { loses }),
    ...(onDelete !== null && { note: onDelete }),
  };
}

/** What the next update does where nothing differs, and the last run ended before all of it worked. */
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
