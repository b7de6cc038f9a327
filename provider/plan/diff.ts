/** Which inputs differ, by the definition alone, and which of them need a new object. Pure. */
import { type ChangedValue, shortenChange } from "../definition/changed-values";
import type { Definition } from "../definition/definition";
import { diffPaths } from "../schema/compare";
import { matchesPath, type PropertyMap, someAncestor, valueAt, variantFor } from "../schema/schema";
import { resolvePlaceholders } from "../schema/unknown-secrets";
import { containsUnknown } from "./property-values";
import { isSecret } from "./secrets";

export interface InputDiff {
  /** The inputs that differ. */
  paths: string[];
  /** Those of them that need a new object. */
  replaces: string[];
  /** Those that would need one, if a value that is not known yet turns out to be another one. */
  possibleReplaces: string[];
  /** Whether it is replaced only because the server lacks routes. */
  isForcedByRoutes: boolean;
}

/** @param missingRoutes What the server is known to lack. */
export function diffInputs(
  definition: Definition,
  before: PropertyMap,
  after: PropertyMap,
  missingRoutes: readonly string[] = [],
): InputDiff {
  const { schema, replace } = definition;
  const variant = variantFor(schema, after) ?? variantFor(schema, before);
  if (!variant) return { paths: [], replaces: [], possibleReplaces: [], isForcedByRoutes: false };
  const paths = diffPaths(variant, before, after);
  const isUnknownPath = (path: string) => isUnknownAt(before, path) || isUnknownAt(after, path);
  const matching = (patterns: readonly string[]) => {
    // Of an object that is not known as a whole, any part may be another one.
    const matches = (path: string) => (pattern: string) =>
      matchesPath(path, pattern) || (matchesPath(pattern, path) && isUnknownPath(path));
    return paths.filter((path) => patterns.some(matches(path)));
  };
  const references = Object.keys(replace.references ?? {});
  // An unknown never forces a replacement, but for the IDs of other resources: an unknown one means that one is new.
  const isReference = (path: string) => references.some((pattern) => matchesPath(path, pattern));
  const immutable = matching(replace.on);
  const missingRoutePaths = matching(missingRoutes.flatMap((route) => replace.withoutRoute?.[route] ?? []));
  const all = [...new Set([...immutable, ...missingRoutePaths])];
  const isCertain = (path: string) => isReference(path) || !isUnknownPath(path);
  return {
    paths,
    replaces: all.filter(isCertain),
    possibleReplaces: all.filter((path) => !isCertain(path)),
    isForcedByRoutes: missingRoutePaths.some(isCertain) && !immutable.some(isCertain),
  };
}

const isUnknownAt = (properties: PropertyMap, path: string) =>
  someAncestor(properties, path, (value) => typeof value === "string" && containsUnknown(value));

/**
 * Those of the paths whose change replaces the resource because the program says so.
 * @param replaceOnChanges As the resource option has them: `metadata.version`, `secrets["a.b"]`, `exportFields[*]`.
 */
export function replacedOnRequest(paths: readonly string[], replaceOnChanges: readonly string[] = []): string[] {
  const patterns = replaceOnChanges.map((path) =>
    path.replace(/\[(?:"([^"]*)"|([^\]]*))\]/g, ".$1$2").replace(/^\./, ""),
  );
  // A list is one path here, whichever of its items the program names.
  return paths.filter((path) => patterns.some((pattern) => matchesPath(path, pattern) || matchesPath(pattern, path)));
}

/**
 * Those of the paths that differ only because one side never saw the value. Which side that is depends on who asks: a
 * refresh compares the other way round.
 */
export function unverifiedPaths(
  definition: Definition,
  paths: readonly string[],
  before: PropertyMap,
  after: PropertyMap,
): string[] {
  if (paths.length === 0) return [];
  const verified = new Set(
    diffInputs(definition, resolvePlaceholders(before, after), resolvePlaceholders(after, before)).paths,
  );
  return paths.filter((path) => !verified.has(path));
}

/** The inputs that a state bag echoes: all that is not an output of the server. */
export function inputsOf(definition: Definition, state: PropertyMap): PropertyMap {
  const keys = Object.keys(variantFor(definition.schema, state)?.shape ?? {});
  return Object.fromEntries(keys.filter((key) => key in state).map((key) => [key, state[key]]));
}

/**
 * The changes among these paths whose values the definition wants shown, as short as a preview shows them.
 * @param secretInputs Top-level inputs that the program marks secret; their values stay hidden.
 */
export function changedValues(
  definition: Definition,
  paths: readonly string[],
  before: PropertyMap,
  after: PropertyMap,
  secretInputs: readonly string[] = [],
): ChangedValue[] {
  return paths.flatMap((path) => {
    const isShown = definition.impact.shows?.some((pattern) => matchesPath(path, pattern)) ?? false;
    const isSecretValue = secretInputs.includes(path.split(".")[0] ?? "") || isSecret(definition, path, after);
    const [from, to] = [plainText(valueAt(before, path)), plainText(valueAt(after, path))];
    return isShown && !isSecretValue && from !== undefined && to !== undefined
      ? [shortenChange({ path, before: from, after: to })]
      : [];
  });
}

/** Undefined for what has no short text, is not known yet, or is hidden by whoever wrote the preview. */
function plainText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value !== "string" || value === "" || containsUnknown(value) || HIDDEN_VALUES.has(value)
    ? undefined
    : value;
}
const HIDDEN_VALUES: ReadonlySet<string> = new Set(["[secret]"]);
