/** How changes belong together: what one of them causes, and a deletion and a creation that are probably one renamed resource. */
import { isDeepStrictEqual } from "node:util";
import { parseUrn } from "../../provider/definition/type-token";
import { splitFacts } from "../../provider/plan/facts";
import type { PropertyMap } from "../../provider/schema/schema";
import { codeSpan } from "../shared/markdown";
import type { Step } from "./preview-json";
import { definitionOf, opOf } from "./step";

export interface Links {
  /** URN of the deletion or replacement that causes this one. */
  causedBy?: string;
  /** Of a deletion: name of the created resource that equals it, and may be the same one under a new name. */
  renamedTo?: string;
}

/** Returns the links of each change, by its URN. */
export function linksOf(steps: readonly Step[]): (urn: string) => Links {
  const ending = steps.filter((step) => ["delete", "replace"].includes(opOf(step)));
  const causes = new Map(ending.map((step) => [step.urn, causeOf(step, ending)]));
  const renamed = renamesIn(steps);
  /** Follows the chain to its beginning: a cron is named below the deployment, as its assistant is. */
  const rootOf = (urn: string, seen = [urn]): string | undefined => {
    const cause = causes.get(urn);
    return cause === undefined || seen.includes(cause) ? undefined : (rootOf(cause, [...seen, cause]) ?? cause);
  };
  return (urn) => {
    const [causedBy, renamedTo] = [rootOf(urn), renamed.get(urn)];
    return { ...(causedBy !== undefined && { causedBy }), ...(renamedTo !== undefined && { renamedTo }) };
  };
}

const before = (step: Step): PropertyMap => splitFacts(step.before?.outputs ?? {}).properties;

/** Returns the URN of what ends with the object that an input names. */
function causeOf(step: Step, ending: readonly Step[]): string | undefined {
  const definition = definitionOf(step);
  if (!definition) return undefined;
  const values = before(step);
  for (const { path, reference } of definition.schema.fields) {
    const value = reference && !path.includes(".") ? values[path] : undefined;
    if (!reference || value == null) continue;
    const named = ending.find(
      (other) =>
        definitionOf(other)?.kind === reference.kind &&
        (reference.output === "id" ? other.id : before(other)[reference.output]) === value,
    );
    if (named && named !== step) return named.urn;
  }
  return undefined;
}

/** Returns the name of the only created resource that equals a deleted one, by the URN of that. */
function renamesIn(steps: readonly Step[]): Map<string, string> {
  const [deleted, created] = (["delete", "create"] as const).map((op) => steps.filter((step) => opOf(step) === op));
  const pairs = (deleted ?? []).flatMap((from) =>
    (created ?? []).filter((to) => isSame(from, to)).map((to) => ({ from: from.urn, to: to.urn })),
  );
  const isOnly = (pair: (typeof pairs)[number]) =>
    pairs.filter(({ from, to }) => from === pair.from || to === pair.to).length === 1;
  return new Map(pairs.filter(isOnly).map(({ from, to }) => [from, parseUrn(to).name]));
}

/** Whether two resources differ in nothing but names, and in what they refer to, which may be renamed as well. */
function isSame(from: Step, to: Step): boolean {
  const definition = definitionOf(from);
  if (!definition || definitionOf(to)?.kind !== definition.kind) return false;
  const { fields, nameInput } = definition.schema;
  const references = fields.filter(({ reference }) => reference).map(({ path }) => path);
  const ignored = new Set([nameInput, ...references]);
  const own = ({ inputs }: { inputs: PropertyMap } = { inputs: {} }) =>
    Object.fromEntries(Object.entries(splitFacts(inputs).properties).filter(([key]) => !ignored.has(key)));
  return isDeepStrictEqual(own(from.before), own(to.after));
}

/** Returns what to do if a deleted resource is only renamed. */
export function renameHint({ name, renamedTo }: Links & { name: string }): string {
  if (renamedTo === undefined) return "";
  const option = codeSpan(`aliases: [{ name: ${JSON.stringify(name)} }]`);
  return `. Renamed to ${codeSpan(renamedTo)}? Add ${option} to its options, and nothing is lost`;
}
