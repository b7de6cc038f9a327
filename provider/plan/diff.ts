/** Which inputs differ, by the definition alone, and which of them need a new object. Pure. */
import { type ChangedValue, shortenChange } from "../definition/changed-values";
import type { Definition } from "../definition/definition";
import { differences } from "../schema/compare";
import { type Bag, branchFor, isWithin, someOnTheWay, valueAt } from "../schema/schema";
import { fillUnseen } from "../schema/unknown-secrets";
import { holdsUnknown } from "./property-values";
import { isSecret } from "./secrets";

export interface Differences {
  /** The inputs that differ. */
  paths: string[];
  /** Those of them that need a new object. */
  replaces: string[];
  /** Those that would need one, if a value that is not known yet turns out to be another one. */
  open: string[];
  /** Whether it is replaced only because the server lacks routes. */
  isForcedByRoutes: boolean;
}

/** @param missingRoutes What the server is known to lack. */
export function compare(
  definition: Definition,
  before: Bag,
  after: Bag,
  missingRoutes: readonly string[] = [],
): Differences {
  const { schema, replace } = definition;
  const branch = branchFor(schema, after) ?? branchFor(schema, before);
  if (!branch) return { paths: [], replaces: [], open: [], isForcedByRoutes: false };
  const paths = differences(branch, before, after);
  const isOpen = (path: string) => isUnknownAt(before, path) || isUnknownAt(after, path);
  const within = (patterns: readonly string[]) => {
    // Of an object that is not known as a whole, any part may be another one.
    const hits = (path: string) => (pattern: string) =>
      isWithin(path, pattern) || (isWithin(pattern, path) && isOpen(path));
    return paths.filter((path) => patterns.some(hits(path)));
  };
  const references = Object.keys(replace.references ?? {});
  // An unknown never forces a replacement, but for the IDs of other resources: an unknown one means that one is new.
  const isReference = (path: string) => references.some((pattern) => isWithin(path, pattern));
  const fixed = within(replace.on);
  const byRoutes = within(missingRoutes.flatMap((route) => replace.withoutRoute?.[route] ?? []));
  const all = [...new Set([...fixed, ...byRoutes])];
  const isSure = (path: string) => isReference(path) || !isOpen(path);
  return {
    paths,
    replaces: all.filter(isSure),
    open: all.filter((path) => !isSure(path)),
    isForcedByRoutes: byRoutes.some(isSure) && !fixed.some(isSure),
  };
}

const isUnknownAt = (bag: Bag, path: string) =>
  someOnTheWay(bag, path, (value) => typeof value === "string" && holdsUnknown(value));

/**
 * Those of the paths whose change replaces the resource because the program says so.
 * @param replaceOnChanges As the resource option has them: `metadata.version`, `secrets["a.b"]`, `exportFields[*]`.
 */
export function replacedOnRequest(paths: readonly string[], replaceOnChanges: readonly string[] = []): string[] {
  const patterns = replaceOnChanges.map((path) =>
    path.replace(/\[(?:"([^"]*)"|([^\]]*))\]/g, ".$1$2").replace(/^\./, ""),
  );
  // A list is one path here, whichever of its items the program names.
  return paths.filter((path) => patterns.some((pattern) => isWithin(path, pattern) || isWithin(pattern, path)));
}

/**
 * Those of the paths that differ only because one side never saw the value. Which side that is depends on who asks: a
 * refresh compares the other way round.
 */
export function unseenOf(definition: Definition, paths: readonly string[], before: Bag, after: Bag): string[] {
  if (paths.length === 0) return [];
  const sure = new Set(compare(definition, fillUnseen(before, after), fillUnseen(after, before)).paths);
  return paths.filter((path) => !sure.has(path));
}

/** The inputs that a state bag echoes: all that is not an output of the server. */
export function inputsOf(definition: Definition, state: Bag): Bag {
  const keys = Object.keys(branchFor(definition.schema, state)?.shape ?? {});
  return Object.fromEntries(keys.filter((key) => key in state).map((key) => [key, state[key]]));
}

/**
 * The changes among these paths whose values the definition wants shown, as short as a preview shows them.
 * @param secretInputs Top-level inputs that the program marks secret; their values stay hidden.
 */
export function changedValues(
  definition: Definition,
  paths: readonly string[],
  before: Bag,
  after: Bag,
  secretInputs: readonly string[] = [],
): ChangedValue[] {
  return paths.flatMap((path) => {
    const isShown = definition.impact.shows?.some((pattern) => isWithin(path, pattern)) ?? false;
    const isHidden = secretInputs.includes(path.split(".")[0] ?? "") || isSecret(definition, path, after);
    const [from, to] = [plainText(valueAt(before, path)), plainText(valueAt(after, path))];
    return isShown && !isHidden && from !== undefined && to !== undefined
      ? [shortenChange({ path, before: from, after: to })]
      : [];
  });
}

/** Undefined for what has no short text, is not known yet, or is hidden by whoever wrote the preview. */
function plainText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value !== "string" || value === "" || holdsUnknown(value) || HIDDEN.has(value) ? undefined : value;
}
const HIDDEN: ReadonlySet<string> = new Set(["[secret]"]);
