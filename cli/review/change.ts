/** Determines the impact of a step of the engine, with the same plan as a preview of the provider. */
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

/** The change of one agentgraph resource. */
export interface Change {
  urn: string;
  name: string;
  kind: string;
  op: Op;
  /** Effects that are certain. */
  effects: ChangeEffect[];
  /** Effects that depend on values that are unknown until apply. */
  possible: ChangeEffect[];
  /** The impact in one line. */
  says: string;
  /** The impact as data. */
  impacts: readonly Impact[];
  properties: Property[];
  /** Warnings and errors of the resource. */
  warnings: string[];
}

/** Operations, the most dangerous first; `other` changes nothing on the server, such as a refresh. */
export const OPS = ["replace", "delete", "update", "create", "import", "other"] as const;
export type Op = (typeof OPS)[number];

const OURS = "pulumi-nodejs:dynamic/agentgraph:";
export const isOurs = ({ type }: Pick<Step, "type">) => type.startsWith(OURS);
const definitionOf = ({ type }: Step) => definitions.find(({ kind }) => type === `${OURS}${kind}`);
/** Operations that change nothing. */
const UNCHANGED: ReadonlySet<string> = new Set(["same", "read", "discard", "remove-pending-replace"]);
export const isUnchanged = ({ op }: Step) => UNCHANGED.has(op);

/** Returns the operation of a step. The engine reports the option `import` of a dynamic resource as a create. */
export function opOf({ op, after }: Step): Op {
  if (op === "read-replacement") return "create";
  if (op === "create" && after?.inputs.__import !== undefined) return "import";
  return OPS.find((known) => known === op) ?? "other";
}

/** Returns what happens to the resources whose outputs other resources use. */
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
  // A program may have logged the line: effects are never fewer than those computed.
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

/** Effect of each operation on a kind that this version does not know. */
const EFFECT_OF: Readonly<Record<Op, Effect>> = {
  replace: "replace",
  delete: "delete",
  update: "inPlace",
  create: "create",
  import: "takeOver",
  other: "none",
};

/** With retainOnDelete, a replacement keeps the old resource on the server. */
const retained = ({ loses, ...impact }: Impact): Impact =>
  loses === undefined ? impact : { ...impact, note: "the old one stays on the server (retainOnDelete)" };

/** Prefers the impact that the provider logged, since it knew every value, unless it is less severe than the computed one. */
function moreExact(computed: readonly Impact[], own: readonly Line[]): readonly Impact[] {
  const told = own.flatMap(({ severity, text }) => (severity === "error" ? [] : [parseImpacts(text)])).find(Boolean);
  return told && weightOf(told) === weightOf(computed) ? told : computed;
}

/** Identifies replacements and restarts, with what they lose. */
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
    // State of another version may not match the schema of the definition.
    return [plain];
  }
}

/** Returns the impact of an operation regardless of the inputs. */
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

/** Returns the paths of changed secrets, whose values only the engine knows. */
function pathsOfSecrets({ differing }: Step, before: PropertyMap, after: PropertyMap): string[] {
  const isHidden = (bag: PropertyMap, keys: string[]) => someAncestor(bag, keys, (value) => value === SECRET);
  const found = differing.filter(({ keys }) => isHidden(before, keys) || isHidden(after, keys));
  return found.map(({ keys }) => keys.join("."));
}

/** Returns the inputs for which the engine replaces the resource; none for an explicit request (`--replace`). */
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

/** Returns the possible effects. Replacing or deleting a kind that this version does not know may lose data. */
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
