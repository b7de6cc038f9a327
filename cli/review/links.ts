/**
 * How changes belong together: what one of them causes, and a deletion and a creation that are probably one renamed
 * resource.
 */
import { isDeepStrictEqual } from "node:util";
import type { Definition } from "../../provider/definition/definition";
import { aliasesOption } from "../../provider/definition/ownership";
import { parseUrn } from "../../provider/definition/type-token";
import { splitFacts } from "../../provider/plan/facts";
import { UNKNOWN } from "../../provider/plan/property-values";
import type { PropertyMap } from "../../provider/schema/schema";
import { codeSpan } from "../shared/text/markdown";
import type { Step } from "./preview/preview-json";
import { definitionOf, opOf } from "./preview/step";

export interface Links {
  /** URN of the deletion or replacement that causes this one. */
  causedBy?: string;
  /** Of a deletion: name of the created resource that equals it, and may be the same one under a new name. */
  renamedTo?: string;
  /** The resource option by which that one continues the deleted one. */
  renameOption?: string;
}

/** Returns the links of each change, by its URN. */
export function linksOf(steps: readonly Step[]): (urn: string) => Links {
  const ending = steps.filter((step) => ["delete", "replace"].includes(opOf(step)));
  const causes = new Map(ending.map((step) => [step.urn, causesOf(step, ending)]));
  const renamed = renamesIn(steps, causes);
  /** Follows the chain to its beginning: a cron is named below the deployment, as its assistant is. */
  const rootOf = (urn: string, seen = [urn]): string | undefined => {
    const [cause] = causes.get(urn)?.values() ?? [];
    return cause === undefined || seen.includes(cause) ? undefined : (rootOf(cause, [...seen, cause]) ?? cause);
  };
  return (urn) => {
    const [causedBy, to] = [rootOf(urn), renamed.get(urn)];
    const rename = to && { renamedTo: parseUrn(to).name, renameOption: aliasesOption(`/${urn}`, `/${to}`) };
    return { ...(causedBy !== undefined && { causedBy }), ...rename };
  };
}

const before = (step: Step): PropertyMap => splitFacts(step.before?.outputs ?? {}).properties;

/** The URN of what ends with the object that an input names, by the input. */
type Causes = ReadonlyMap<string, string>;

const referencesOf = ({ schema }: Definition) =>
  schema.fields.flatMap(({ path, reference }) => (reference && !path.includes(".") ? [{ path, reference }] : []));

function causesOf(step: Step, ending: readonly Step[]): Causes {
  const definition = definitionOf(step);
  if (!definition) return new Map();
  const values = before(step);
  const causes = referencesOf(definition).flatMap(({ path, reference: { kind, output } }) => {
    const value = values[path];
    if (value == null) return [];
    const isNamed = (other: Step) =>
      definitionOf(other)?.kind === kind && (output === "id" ? other.id : before(other)[output]) === value;
    const named = ending.find(isNamed);
    return named && named !== step ? [[path, named.urn] as const] : [];
  });
  return new Map(causes);
}

interface Rename {
  from: string;
  to: string;
  /** Inputs that name other objects than before, which must be renamed as well. */
  changed: readonly string[];
}

/** Returns the URN of the only created resource as which an alias would keep a deleted one, by the URN of that. */
function renamesIn(steps: readonly Step[], causes: ReadonlyMap<string, Causes>): Map<string, string> {
  const created = steps.filter((step) => opOf(step) === "create");
  const deleted = steps.filter((step) => opOf(step) === "delete");
  const pairs = deleted.flatMap((from) => created.flatMap((to) => renameOf(from, to) ?? []));
  const isOnly = (pair: Rename) => pairs.filter(({ from, to }) => from === pair.from || to === pair.to).length === 1;
  const renames = new Map(pairs.filter(isOnly).map((pair) => [pair.from, pair]));
  // An alias of an object whose deployment ends would only replace it.
  const isKept = ({ from, changed }: Rename, seen: readonly string[] = []): boolean =>
    changed.every((path) => {
      const target = renames.get(causes.get(from)?.get(path) ?? "");
      return target !== undefined && !seen.includes(target.from) && isKept(target, [...seen, from]);
    });
  return new Map([...renames.values()].filter((rename) => isKept(rename)).map(({ from, to }) => [from, to]));
}

/** Returns how one resource continues as another whose inputs are the same, except its name and what it refers to. */
function renameOf(from: Step, to: Step): Rename | undefined {
  const definition = definitionOf(from);
  if (!definition || definitionOf(to)?.kind !== definition.kind) return undefined;
  const inputsOf = (state: Step["before"]) => splitFacts(state?.inputs ?? {}).properties;
  const [old, now] = [inputsOf(from.before), inputsOf(to.after)];
  const isRenamed = (path: string) => now[path] === UNKNOWN && path in old;
  const changed = referencesOf(definition).flatMap(({ path }) => (isRenamed(path) ? [path] : []));
  const { nameInput = "" } = definition.schema;
  // A default name stays as it is.
  const names = now[nameInput] === parseUrn(to.urn).name ? [nameInput] : [];
  const own = (inputs: PropertyMap) =>
    Object.fromEntries(Object.entries(inputs).filter(([key]) => ![...changed, ...names].includes(key)));
  return isDeepStrictEqual(own(old), own(now)) ? { from: from.urn, to: to.urn, changed } : undefined;
}

/** Returns what to do if a deleted resource is only renamed. */
export function renameHint({ urn, renamedTo, renameOption }: Links & { urn: string }): string {
  if (renamedTo === undefined || renameOption === undefined) return "";
  const isInside = urn.split("::")[2]?.includes("$") ?? false;
  const where = isInside ? "its options, or an alias to those of its renamed component" : "its options";
  return `. Renamed to ${codeSpan(renamedTo)}? Add ${codeSpan(renameOption)} to ${where}, and nothing is lost`;
}
