/** What a change of inputs comes to, by the definition alone: differences, replacements, what check adds and refuses. */

import type { ChangedValue } from "../definition/changed-values";
import { type Complaint, type Definition, secretsOf } from "../definition/definition";
import { differences } from "../schema/compare";
import { isValidId, quotedId } from "../schema/id";
import { type Bag, branchesOf, branchFor, isWithin, own, someOnTheWay, valueAt } from "../schema/schema";
import { fillUnseen, UNSEEN } from "../schema/unknown-secrets";
import { UserError } from "../text/user-error";
import { type Hidden, holdsUnknown, knownParts, type split, UNKNOWN } from "./property-values";

/**
 * The inputs with the name that the resource has, where the program writes none: its default would follow every rename
 * of the resource, the stack or the template, and so replace what it names. A transform may have written another one.
 */
export function withKeptName({ named }: Definition, inputs: Bag, byDefault: unknown, kept: unknown): Bag {
  if (named === undefined || kept === undefined || byDefault === undefined) return inputs;
  return inputs[named] === byDefault && !holdsUnknown(byDefault) ? { ...inputs, [named]: kept } : inputs;
}

/** What these inputs leave to no other resource of the program, in one text; undefined where it is not known yet. */
export function claimOf({ unique }: Definition, inputs: Bag): string | undefined {
  const values = unique?.(inputs)?.map((key) => inputs[key] ?? null);
  return values === undefined || holdsUnknown(values) ? undefined : JSON.stringify(values);
}

/** Two resources of one program are to be the same object: the second could never be created. */
export function duplicateOf({ kind, unique }: Definition, inputs: Bag, urn: string): Complaint {
  const [path = ""] = unique?.(inputs) ?? [];
  return {
    path,
    reason: `is also that of ${urn}, and two resources cannot be one ${kind}. Change it, or remove one of the two.`,
  };
}

/** The inputs that are computed from others; a value that is not known makes an unknown. */
export async function computedInputs(definition: Definition, inputs: Bag, failures: Complaint[]): Promise<Bag> {
  const added: Bag = {};
  for (const { from, to, compute } of definition.computed ?? []) {
    const value = inputs[from];
    if (value === undefined) continue;
    try {
      added[to] = holdsUnknown(value) ? UNKNOWN : await compute(value);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failures.push({ path: from, reason: error.message });
    }
  }
  return added;
}

/**
 * The paths that differ, and those of them that need a new object.
 * @param missingRoutes What the server is known to lack.
 */
export function compare(
  definition: Definition,
  before: Bag,
  after: Bag,
  missingRoutes: readonly string[] = [],
): { paths: string[]; replaces: string[] } {
  const branch = branchFor(definition, after) ?? branchFor(definition, before);
  if (!branch) return { paths: [], replaces: [] };
  const paths = differences(branch, before, after);
  const without = missingRoutes.flatMap((route) => definition.replaceWithout?.[route] ?? []);
  const fixed = [...definition.replaceOn, ...without];
  const replaces = paths.filter((path) => fixed.some((pattern) => isWithin(path, pattern)));
  return { paths, replaces: replaces.filter((path) => !isOpen(definition, path, before, after)) };
}

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

/** An unknown never forces a replacement, but for the ids of other resources: an unknown one means that one is new. */
function isOpen(definition: Definition, path: string, before: Bag, after: Bag): boolean {
  const unknown = (bag: Bag) => someOnTheWay(bag, path, (value) => typeof value === "string" && holdsUnknown(value));
  const reference = definition.references?.some((pattern) => isWithin(path, pattern));
  return !reference && (unknown(before) || unknown(after));
}

/** The inputs that a state bag echoes: all that is not an output of the server. */
export function inputsOf(definition: Definition, state: Bag): Bag {
  const keys = Object.keys(branchFor(definition, state)?.shape ?? {});
  return Object.fromEntries(keys.filter((key) => key in state).map((key) => [key, state[key]]));
}

/** Whether a path is that of a secret, or leads to one. */
export function isSecret(definition: Definition, path: string, inputs: Bag): boolean {
  return secretsOf(definition, inputs).some((pattern) => isWithin(path, pattern) || isWithin(pattern, path));
}

/**
 * The changes among these paths whose values the definition wants shown.
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
    const isShown = definition.shows?.some((pattern) => isWithin(path, pattern)) ?? false;
    const isHidden = secretInputs.includes(path.split(".")[0] ?? "") || isSecret(definition, path, after);
    const [from, to] = [plainText(valueAt(before, path)), plainText(valueAt(after, path))];
    return isShown && !isHidden && from !== undefined && to !== undefined ? [{ path, before: from, after: to }] : [];
  });
}

/** Undefined for what has no short text, is not known yet, or is hidden by whoever wrote the preview. */
function plainText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value !== "string" || value === "" || holdsUnknown(value) || HIDDEN.has(value) ? undefined : value;
}
const HIDDEN: ReadonlySet<string> = new Set(["[secret]"]);

/** The texts of all secrets in what a call brings: those of the definition, and inputs that the program marks secret. */
export function secretValues(definition: Definition, { visible, hidden }: ReturnType<typeof split>): string[] {
  const marked = (hidden.__secretInputs ?? []).map((key) => visible[key]);
  const defined = secretsOf(definition, visible).flatMap((path) => valuesAt(visible, path.split(".")));
  return [...marked, ...defined].flatMap(textsIn).filter((text) => !holdsUnknown(text) && text !== UNSEEN);
}

function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (key === undefined) return [value];
  if (typeof value !== "object" || value === null) return [];
  const names = key === "*" ? Object.keys(value) : [key];
  return names.flatMap((name) => valuesAt((value as Bag)[name], rest));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * The engine prints the value of the property that a failure names: `<nil>` for one that lies deeper, and all of it
 * for a misspelt `secret`. So only an input of ours at the top is named; for others the reason begins with the path.
 */
export function failureOf(
  definition: Definition,
  { path, reason }: Complaint,
  given: Bag,
): { property: string; reason: string } {
  const { inputs, discriminator } = definition;
  // The engine prints the value of a property beside the reason, and `{<nil>}` where it is missing.
  const named =
    own(given, path) !== undefined &&
    branchesOf(inputs, discriminator).some((branch) => Object.hasOwn(branch.shape, path)) &&
    !isSecret(definition, path, given);
  return named ? { property: path, reason } : { property: "", reason: `${path} ${reason}` };
}

/** What making it does at once on the live service; an import by file knows no URN, and makes nothing. */
export function openingOf(definition: Definition, inputs: Bag, hidden: Hidden, now: number): string | undefined {
  if (hidden.__import) return `imported, not created: ${hidden.__import}; nothing changes on the server`;
  return hidden.__urn === undefined ? undefined : definition.opening?.(knownParts(inputs), now);
}

/** What the next up does where the last one ended before all worked, and nothing differs. */
export const unfinishedOf = ({ unfinished }: Definition, previous: Bag): string =>
  (typeof unfinished === "function" ? unfinished(previous) : unfinished) ??
  "continues what the last `pulumi up` started";

/** What is wrong with the option import, before anything is asked: such an ID would lead to another route. */
export function importProblems({ kind, container }: Definition, { __import: id }: Hidden): Complaint[] {
  if (id === undefined || holdsUnknown(id)) return [];
  const parts = container === undefined ? [String(id)] : String(id).split("/", 2);
  if (parts.every(isValidId)) return [];
  return [
    { path: "import", reason: `${quotedId(String(id))} is not a valid ID of a ${kind}; copy it from the server.` },
  ];
}
