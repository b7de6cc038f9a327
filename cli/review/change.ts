/** A step of the engine -> what happens to the service, in the words of the definition that explains the same in a preview. */
import { definitions } from "../../provider/definitions";
import { changedValues, compare, openingOf, unfinishedOf, unseenOf } from "../../provider/plan/diff";
import { holdsUnknown, knownParts, split } from "../../provider/plan/property-values";
import { type Bag, someOnTheWay } from "../../provider/schema/schema";
import { type Effect, ofKind } from "./fail-on";
import { type Line, nameIn, type Preview, SECRET, type Step } from "./preview-json";
import { type Property, propertiesOf } from "./properties";

/** What happens to one resource of ours. */
export interface Change {
  urn: string;
  name: string;
  kind: string;
  op: Op;
  effects: Effect[];
  /** In one line, what happens to the service. */
  says: string;
  properties: Property[];
  /** What the preview warns of, or failed with. */
  warnings: string[];
}

/** What a person calls it; `other` is an operation that changes nothing on the service, such as a refresh. */
export const OPS = ["replace", "delete", "update", "create", "import", "other"] as const;
export type Op = (typeof OPS)[number];

const OURS = "pulumi-nodejs:dynamic/agentgraph:";
export const isOurs = ({ type }: Pick<Step, "type">) => type.startsWith(OURS);
/** What the engine does by itself to `read` and `refresh` shows no intent of the program. */
const UNCHANGED: ReadonlySet<string> = new Set(["same", "read", "discard", "remove-pending-replace"]);
export const isUnchanged = ({ op }: Step) => UNCHANGED.has(op);

/** The option `import` of our resources is unknown to the engine, which sees a create. */
export function opOf({ op, after }: Step): Op {
  if (op === "read-replacement") return "create";
  if (op === "create" && after?.inputs.__import !== undefined) return "import";
  return OPS.find((known) => known === op) ?? "other";
}

/** @param now Milliseconds since the epoch. */
export function changeOf(step: Step, { lines }: Preview, now: number): Change {
  const kind = step.type.slice(OURS.length);
  const own = lines.filter(({ urn }) => urn === step.urn);
  const op = opOf(step);
  const properties = propertiesOf(step);
  const told = sentence(step, kind, own, now);
  const isLoud = ({ severity }: Line) => severity === "warning" || severity === "error";
  const warnings = own.filter((line) => isLoud(line) && !EXPLANATION.test(line.text));
  const change = { urn: step.urn, name: nameIn(step.urn), kind, op, says: told, properties };
  return {
    ...change,
    warnings: warnings.map(({ text }) => text),
    effects: effectsOf(change, step, warnings.length > 0),
  };
}

function sentence(step: Step, kind: string, own: readonly Line[], now: number): string {
  switch (opOf(step)) {
    case "create":
    case "import":
      return created(step, kind, now);
    case "delete":
      return step.before?.isRetained
        ? "only dropped from this stack's state; it stays on the service (retainOnDelete)"
        : (ofKind(kind)?.deleted ?? "deleted");
    case "update":
    case "replace":
      return onRow(explained(step, kind, now), own);
    default:
      return `${step.op}; nothing is done to the service`;
  }
}

function created(step: Step, kind: string, now: number): string {
  const definition = definitions.find((known) => known.kind === kind);
  const { visible, hidden } = split(step.after?.inputs ?? {});
  const opening = definition && openingOf(definition, visible, { ...hidden, __urn: step.urn }, now);
  if (opening === undefined) return "created";
  return hidden.__import ? opening : `created; ${opening}`;
}

const HARSH = /^(REPLACED|restarts )/;
/** The forms that an explanation has. A program may write lines of its own to the row. */
const EXPLANATION =
  /^(REPLACED[,:]|restarts the (export|schedule)\b|(new revision|takes effect with the next revision|in place|changes nothing on the (service|server)): )/;

/** What stands on the resource's row is what the provider said with all values at hand: it is more exact. */
function onRow(computed: string, own: readonly Line[]): string {
  const said = own.find(({ severity, text }) => severity !== "error" && EXPLANATION.test(text))?.text;
  return said !== undefined && HARSH.test(said) === HARSH.test(computed) ? said : computed;
}

function explained(step: Step, kind: string, now: number): string {
  const definition = definitions.find((known) => known.kind === kind);
  const plain = step.op === "replace" ? "REPLACED" : "updated";
  if (!definition) return plain;
  const [before, after] = [split(step.before?.outputs ?? {}), split(step.after?.inputs ?? {})];
  try {
    const seen = compare(definition, before.visible, after.visible, before.hidden.__routes);
    const hidden = hiddenPaths(step, before.visible, after.visible);
    const paths = [...new Set([...seen.paths, ...hidden])];
    const spent = step.before ? definition.spent?.(before.visible) : undefined;
    const unseen = unseenOf(definition, seen.paths, before.visible, after.visible);
    const values = changedValues(definition, paths, before.visible, after.visible);
    const outlook = { previous: before.visible, inputs: knownParts(after.visible), now, spent, unseen, values };
    if (paths.length === 0 && step.op === "update" && before.hidden.__unready)
      return unfinishedOf(definition, before.visible);
    return definition.explain(paths, replacing(step, seen.replaces, hidden, spent), outlook) || plain;
  } catch {
    // A state of another version may not have the form that the definition expects.
    return plain;
  }
}

/** Differences that only the engine could see, since what it shows of both values is that they are secret. */
function hiddenPaths({ differing }: Step, before: Bag, after: Bag): string[] {
  const isHidden = (bag: Bag, keys: string[]) => someOnTheWay(bag, keys, (value) => value === SECRET);
  const found = differing.filter(({ keys }) => isHidden(before, keys) || isHidden(after, keys));
  return found.map(({ keys }) => keys.join("."));
}

/** Why it is replaced: by the definition, by an option of the resource, or because somebody asked for it. */
function replacing(step: Step, own: readonly string[], hidden: readonly string[], spent?: string): readonly string[] {
  if (step.op !== "replace") return step.before ? [] : ["it is new"];
  if (own.length > 0 || spent !== undefined) return own;
  const keys = step.replaceKeys.filter((key) => key !== "id");
  const asked = [...new Set([...keys, ...hidden.filter((path) => keys.includes(path.split(".")[0] ?? ""))])];
  return asked.length > 0 ? asked : ["it was asked for (--replace, or state taint)"];
}

function effectsOf(
  { op, kind, says, properties }: Pick<Change, "op" | "kind" | "says" | "properties">,
  { before, after }: Step,
  hasWarning: boolean,
): Effect[] {
  const isGone = op === "replace" || (op === "delete" && !before?.isRetained);
  const isOpen = /\bonly where the service holds\b/.test(says) || holdsUnknown(split(after?.inputs ?? {}).visible);
  const facts: [Effect, boolean][] = [
    ["data-loss", isGone && ofKind(kind)?.holdsData === true && !before?.isRetained],
    ["delete", op === "delete"],
    ["replace", op === "replace"],
    ["restart", op === "replace" && ofKind(kind)?.isExport === true],
    ["revision", /(^|; )new revision: /.test(says)],
    ["create", op === "create" || op === "import"],
    ["update", op === "update"],
    ["secret", op === "update" && properties.some(({ isSecret }) => isSecret)],
    ["unknown", op !== "delete" && isOpen],
    ["warning", hasWarning],
  ];
  return facts.flatMap(([effect, holds]) => (holds ? [effect] : []));
}
