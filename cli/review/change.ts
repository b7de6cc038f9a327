/** A step of the engine -> what happens to the service, by the same plan that the provider shows in a preview. */
import type { Definition } from "../../provider/definition/definition";
import type { Effect, Impact, OutputChangeOf } from "../../provider/definition/impact";
import { definitions } from "../../provider/definitions";
import { diffInputs } from "../../provider/plan/diff";
import { OutputChanges } from "../../provider/plan/output-changes";
import { planChange, planCreate, planDelete } from "../../provider/plan/plan-change";
import { containsUnknown, splitInternal } from "../../provider/plan/property-values";
import { parseImpacts, renderImpacts } from "../../provider/plan/render";
import { type PropertyMap, someAncestor } from "../../provider/schema/schema";
import type { ChangeEffect } from "./fail-on";
import { type Line, nameIn, type Preview, SECRET, type Step } from "./preview-json";
import { type Property, propertiesOf } from "./properties";

/** What happens to one resource of ours. */
export interface Change {
  urn: string;
  name: string;
  kind: string;
  op: Op;
  /** What surely happens. */
  effects: ChangeEffect[];
  /** What happens if values that are not known yet turn out to be others. */
  possible: ChangeEffect[];
  /** In one line, what happens to the service. */
  says: string;
  /** The same as data. */
  impacts: readonly Impact[];
  properties: Property[];
  /** What the preview warns of, or failed with. */
  warnings: string[];
}

/** What a person calls it; `other` is an operation that changes nothing on the service, such as a refresh. */
export const OPS = ["replace", "delete", "update", "create", "import", "other"] as const;
export type Op = (typeof OPS)[number];

const OURS = "pulumi-nodejs:dynamic/agentgraph:";
export const isOurs = ({ type }: Pick<Step, "type">) => type.startsWith(OURS);
const definitionOf = ({ type }: Step) => definitions.find(({ kind }) => type === `${OURS}${kind}`);
/** What the engine does by itself to `read` and `refresh` shows no intent of the program. */
const UNCHANGED: ReadonlySet<string> = new Set(["same", "read", "discard", "remove-pending-replace"]);
export const isUnchanged = ({ op }: Step) => UNCHANGED.has(op);

/** The option `import` of our resources is unknown to the engine, which sees a create. */
export function opOf({ op, after }: Step): Op {
  if (op === "read-replacement") return "create";
  if (op === "create" && after?.inputs.__import !== undefined) return "import";
  return OPS.find((known) => known === op) ?? "other";
}

/** What becomes of resources whose outputs others refer to. */
export function outputChangesIn(steps: readonly Step[]): OutputChangeOf {
  const changes = new OutputChanges();
  for (const step of steps.filter(isOurs)) {
    const [definition, op] = [definitionOf(step), opOf(step)];
    if (!definition || !step.before || !step.after || (op !== "update" && op !== "replace")) continue;
    const [before, after] = [
      splitInternal(step.before.outputs).properties,
      splitInternal(step.after.inputs).properties,
    ];
    changes.note(definition, before, op === "replace" ? undefined : diffInputs(definition, before, after).paths);
  }
  return changes.get;
}

interface Known {
  /** Milliseconds since the epoch. */
  now: number;
  outputChangeOf?: OutputChangeOf;
}

export function changeOf(step: Step, { lines }: Preview, known: Known): Change {
  const own = lines.filter(({ urn }) => urn === step.urn);
  const properties = propertiesOf(step);
  const computed = impactsOf(step, known);
  const isChange = step.op === "update" || step.op === "replace";
  const impacts = isChange ? moreExact(computed, own) : computed;
  const isLoud = ({ severity }: Line) => severity === "warning" || severity === "error";
  const warnings = own.filter((line) => isLoud(line) && parseImpacts(line.text) === undefined);
  // A program may have written the row: what is counted is never less than what was computed.
  const all = [...computed, ...impacts];
  const facts = { op: opOf(step), impacts: all, properties, hasWarning: warnings.length > 0 };
  const effects = effectsOf(facts, step);
  return {
    urn: step.urn,
    name: nameIn(step.urn),
    kind: step.type.slice(OURS.length),
    op: facts.op,
    effects,
    possible: possibleEffectsOf(all, step).filter((effect) => !effects.includes(effect)),
    says: renderImpacts(impacts),
    impacts,
    properties,
    warnings: warnings.map(({ text }) => text),
  };
}

function impactsOf(step: Step, known: Known): readonly Impact[] {
  const definition = definitionOf(step);
  const op = opOf(step);
  const { properties: visible, internal: hidden } = splitInternal(step.after?.inputs ?? {});
  if (!definition) return [{ effect: EFFECT_OF[op], paths: [], certain: true }];
  if (op === "create" || op === "import") return [planCreate(definition, visible, hidden, known.now)];
  if (op === "delete") return [planDelete(definition, step.before?.isRetained ?? false)];
  if (op === "other") return [{ effect: "none", paths: [], certain: true, note: step.op }];
  const computed = computedImpacts(definition, step, visible, known);
  return step.before?.isRetained ? computed.map(retained) : computed;
}

/** What an operation on a kind comes to that this version does not know. */
const EFFECT_OF: Readonly<Record<Op, Effect>> = {
  replace: "replace",
  delete: "delete",
  update: "inPlace",
  create: "create",
  import: "takeOver",
  other: "none",
};

/** With retainOnDelete the old object of a replacement stays. */
const retained = ({ loses, ...impact }: Impact): Impact =>
  loses === undefined ? impact : { ...impact, note: "the old one stays on the server (retainOnDelete)" };

/** The provider's own line on the row knew every value; it is believed where it makes as much of the change. */
function moreExact(computed: readonly Impact[], own: readonly Line[]): readonly Impact[] {
  const told = own.flatMap(({ severity, text }) => (severity === "error" ? [] : [parseImpacts(text)])).find(Boolean);
  return told && weightOf(told) === weightOf(computed) ? told : computed;
}

/** What is surely replaced or restarted and what may be, each with what is lost. */
const weightOf = (impacts: readonly Impact[]) => {
  const harsh = impacts.filter(({ effect }) => effect === "replace" || effect === "restart");
  return JSON.stringify(harsh.map(({ effect, certain, loses }) => [effect, certain, loses ?? null]));
};

function computedImpacts(definition: Definition, step: Step, after: PropertyMap, known: Known): readonly Impact[] {
  const plain = plainImpact(definition, opOf(step));
  try {
    const { changes } = planned(definition, step, splitInternal(step.before?.outputs ?? {}).properties, after, known);
    return changes.length > 0 ? changes : [plain];
  } catch {
    // A state of another version may not have the form that the definition expects.
    return [plain];
  }
}

/** What an operation comes to whatever the inputs are. */
function plainImpact({ impact: { replacement, loses } }: Definition, op: Op): Impact {
  if (op !== "replace") return { effect: EFFECT_OF[op], paths: [], certain: true };
  return { effect: replacement, paths: [], certain: true, ...(loses !== null && { loses }) };
}

function planned(definition: Definition, step: Step, before: PropertyMap, after: PropertyMap, known: Known) {
  const { __routes: missingRoutes, __unready: isUnfinished = false } = splitInternal(
    step.before?.outputs ?? {},
  ).internal;
  const hiddenPaths = pathsOfSecrets(step, before, after);
  const options = { ...known, isRequestedByProgram: true, isUnfinished, missingRoutes, hiddenPaths };
  const plan = planChange(definition, before, after, options);
  if (step.op !== "replace" || plan.replace) return plan;
  return planChange(definition, before, after, { ...options, forcedReplacePaths: causes(step, hiddenPaths) });
}

/** Differences that only the engine could see, since what it shows of both values is that they are secret. */
function pathsOfSecrets({ differing }: Step, before: PropertyMap, after: PropertyMap): string[] {
  const isHidden = (bag: PropertyMap, keys: string[]) => someAncestor(bag, keys, (value) => value === SECRET);
  const found = differing.filter(({ keys }) => isHidden(before, keys) || isHidden(after, keys));
  return found.map(({ keys }) => keys.join("."));
}

/** The inputs for which the engine replaces it although the definition does not; none where somebody asked for it. */
function causes({ replaceKeys }: Step, hidden: readonly string[]): string[] {
  const keys = replaceKeys.filter((key) => key !== "id" && key !== "");
  return [...new Set([...keys, ...hidden.filter((path) => keys.includes(path.split(".")[0] ?? ""))])];
}

const FAIL_ON: Readonly<Partial<Record<Effect, readonly ChangeEffect[]>>> = {
  create: ["create"],
  takeOver: ["create"],
  newRevision: ["revision"],
  delete: ["delete"],
  drop: ["delete"],
  replace: ["replace"],
  restart: ["replace", "restart"],
};

const effectsIn = (impacts: readonly Impact[]): ChangeEffect[] =>
  impacts.flatMap(({ effect, loses }) => [
    ...(loses === undefined ? [] : (["data-loss"] as const)),
    ...(FAIL_ON[effect] ?? []),
  ]);

/** Of a kind that this version does not know nobody can say that it holds no data. */
function possibleEffectsOf(impacts: readonly Impact[], step: Step): ChangeEffect[] {
  const isUnknownKind = !definitionOf(step) && (step.op === "replace" || step.op === "delete");
  const found = effectsIn(impacts.filter(({ certain }) => !certain));
  return [...new Set<ChangeEffect>([...(isUnknownKind ? (["data-loss"] as const) : []), ...found])];
}

function effectsOf(
  { op, impacts, properties, hasWarning }: Pick<Change, "op" | "impacts" | "properties"> & { hasWarning: boolean },
  { after }: Step,
): ChangeEffect[] {
  const isOpen =
    containsUnknown(splitInternal(after?.inputs ?? {}).properties) || impacts.some(({ certain }) => !certain);
  const facts: [ChangeEffect, boolean][] = [
    ["update", op === "update"],
    ["secret", op === "update" && properties.some(({ isSecret }) => isSecret)],
    ["unknown", op !== "delete" && isOpen],
    ["warning", hasWarning],
  ];
  const certain = effectsIn(impacts.filter((impact) => impact.certain));
  return [...new Set([...certain, ...facts.flatMap(([effect, holds]) => (holds ? [effect] : []))])];
}
