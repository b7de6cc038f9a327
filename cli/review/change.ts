/** Determines the impact of a step of the engine, with the same plan as a preview of the provider. */

import type { Definition, ServerProfile } from "../../provider/definition/definition";
import type { Move } from "../../provider/definition/moves";
import { kindOfToken, parseUrn } from "../../provider/definition/type-token";
import { diffInputs } from "../../provider/plan/diff";
import { splitFacts } from "../../provider/plan/facts";
import { planCreate } from "../../provider/plan/impact";
import { movesWithContainer, planChange } from "../../provider/plan/plan-change";
import { type OutputChangeOf, OutputChanges } from "../../provider/plan/planned-outputs";
import { containsUnknown } from "../../provider/plan/property-values";
import { type Effect, type Impact, parseImpacts, renderImpacts } from "../../provider/plan/render";
import type { PropertyMap } from "../../provider/schema/schema";
import type { AtStake } from "../conversations/at-stake";
import { checksOf, hasUnverifiedRevision } from "./checks";
import type { ChangeEffect } from "./fail-on";
import type { Links } from "./links";
import { planDelete } from "./plan-delete";
import type { Diagnostic, Preview, Step } from "./preview/preview-json";
import { definitionOf, isAgentgraph, type Op, opOf } from "./preview/step";
import { changedSecretPaths, type Property, propertiesOf, replacementCauses } from "./properties";

/** What becomes of the conversations of a deployment that is replaced or deleted. */
export interface Conversations {
  /** `moved` to the new deployment, or `kept` in a backup, by the input `keepConversations`. */
  outcome: "lost" | "moved" | "kept";
  /** Absent where they are unknown, or were not asked for. */
  counts?: AtStake;
  /** Why they are unknown. */
  unknown?: string;
}

/** The change of one agentgraph resource. */
export interface Change extends Links {
  urn: string;
  name: string;
  kind: string;
  op: Op;
  /** Effects that are certain. */
  effects: ChangeEffect[];
  /** Effects that depend on values that are unknown until apply. */
  possible: ChangeEffect[];
  /** The impact in one line. */
  summary: string;
  /** The impact as data. */
  impacts: readonly Impact[];
  /** Titles of the checks that follow (`verify`), in their order. */
  checks: string[];
  /** Of a deployment that is replaced or deleted. */
  conversations?: Conversations;
  properties: Property[];
  /** Warnings and errors of the resource. */
  warnings: string[];
}

/** Returns what happens to the resources whose outputs other resources use. */
export function outputChangesIn(steps: readonly Step[]): OutputChangeOf {
  const changes = new OutputChanges();
  for (const step of steps.filter(isAgentgraph)) {
    const [definition, op] = [definitionOf(step), opOf(step)];
    if (!definition || !step.before || !step.after || (op !== "update" && op !== "replace")) continue;
    const [before, after] = [splitFacts(step.before.outputs).properties, splitFacts(step.after.inputs).properties];
    const { paths, possibleReplaces } = diffInputs(definition, before, after);
    const isPossible = possibleReplaces.length > 0 && "possibly";
    changes.note(definition, { properties: before, facts: {} }, paths, op === "replace" || isPossible);
  }
  return changes.get;
}

interface ReviewOptions {
  /** Milliseconds since the epoch. */
  now: number;
  outputChangeOf?: OutputChangeOf;
  moveFrom?: (id: unknown) => Move | undefined;
}

export function changeOf(step: Step, { diagnostics: allDiagnostics }: Preview, options: ReviewOptions): Change {
  const diagnostics = allDiagnostics.filter(({ urn }) => urn === step.urn);
  const properties = propertiesOf(step);
  const computed = impactsOf(step, options);
  const isChange = step.op === "update" || step.op === "replace";
  const impacts = isChange ? preferLogged(computed, diagnostics) : computed;
  const isProblem = ({ severity }: Diagnostic) => severity === "warning" || severity === "error";
  const warnings = diagnostics.filter((line) => isProblem(line) && parseImpacts(line.text) === undefined);
  // A program may have logged the line: effects are never fewer than those computed.
  const all = [...computed, ...impacts];
  const facts = { op: opOf(step), impacts: all, properties, hasWarning: warnings.length > 0 };
  const effects = effectsOf(facts, step);
  return {
    urn: step.urn,
    name: parseUrn(step.urn).name,
    kind: kindOfToken(step.type) ?? step.type,
    op: facts.op,
    effects,
    possible: possibleEffectsOf(all, step).filter((effect) => !effects.includes(effect)),
    summary: renderImpacts(impacts),
    impacts,
    checks: checksOf(step, all),
    properties,
    warnings: [...new Set(warnings.map(({ text }) => text))],
  };
}

function impactsOf(step: Step, options: ReviewOptions): readonly Impact[] {
  const definition = definitionOf(step);
  const op = opOf(step);
  const { properties: visible, facts } = splitFacts(step.after?.inputs ?? {});
  if (!definition) return [{ effect: EFFECT_BY_OP[op], paths: [], certain: true }];
  if (step.op === "import")
    return [planImport(step), ...(step.before ? computedImpacts(definition, step, visible, options) : [])];
  if (op === "create" || op === "import") return [planCreate(definition, visible, facts, options.now)];
  if (op === "delete") return [planDelete(definition, step.before?.inputs ?? {}, step.before?.isRetained ?? false)];
  if (op === "other") return [{ effect: "none", paths: [], certain: true, note: step.op }];
  const computed = computedImpacts(definition, step, visible, options);
  return step.before?.isRetained ? computed.map(retained) : computed;
}

/** The impact of a native import. The engine previews the update that follows, so without one nothing changes. */
const planImport = ({ id, before }: Step): Impact => ({
  effect: "takeOver",
  paths: [],
  certain: true,
  note: `ID ${id}${before ? "" : ", and nothing changes on the server"}`,
});

/** Effect of each operation on a kind that this version does not know. */
const EFFECT_BY_OP: Readonly<Record<Op, Effect>> = {
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

/**
 * Prefers the impact that the provider logged, since it knew every value, unless it is less severe than the computed
 * one.
 */
function preferLogged(computed: readonly Impact[], diagnostics: readonly Diagnostic[]): readonly Impact[] {
  const logged = diagnostics
    .flatMap(({ severity, text }) => (severity === "error" ? [] : [parseImpacts(text)]))
    .find(Boolean);
  return logged && severityKey(logged) === severityKey(computed) ? logged : computed;
}

/** Identifies replacements and restarts, with what they lose. */
const severityKey = (impacts: readonly Impact[]) => {
  const destructive = impacts.filter(({ effect }) => effect === "replace" || effect === "restart");
  return JSON.stringify(destructive.map(({ effect, certain, loses }) => [effect, certain, loses ?? null]));
};

function computedImpacts(
  definition: Definition,
  step: Step,
  after: PropertyMap,
  options: ReviewOptions,
): readonly Impact[] {
  const fallback = defaultImpact(definition, step.op === "import" ? "other" : opOf(step));
  try {
    const { changes } = planStep(definition, step, after, options);
    return changes.length > 0 ? changes : [fallback];
  } catch {
    // State of another version may not match the schema of the definition.
    return [fallback];
  }
}

/** Returns the impact of an operation regardless of the inputs. */
function defaultImpact({ impact: { replacement, loses } }: Definition, op: Op): Impact {
  if (op !== "replace") return { effect: EFFECT_BY_OP[op], paths: [], certain: true };
  return { effect: replacement, paths: [], certain: true, ...(loses !== null && { loses }) };
}

/** The profile of a platform that changes in place whatever some platform does. */
const movingProfile = ({ schema }: Definition): ServerProfile =>
  Object.fromEntries(
    schema.fields.flatMap(({ where }) => (where && "replaces" in where.change ? [[where.feature, true]] : [])),
  );

function planStep(definition: Definition, step: Step, after: PropertyMap, reviewOptions: ReviewOptions) {
  const { properties: before, facts } = splitFacts(step.before?.outputs ?? {});
  const { serverValues, unconfirmed, unready: isUnfinished = false } = facts;
  const hiddenPaths = changedSecretPaths(step, before, after);
  const known = { isUnfinished, serverValues, unconfirmed, hiddenPaths };
  const options = { ...reviewOptions, isRequestedByProgram: true, ...known };
  const plan = planChange(definition, before, after, options);
  // The provider knows the platform, and with it the engine.
  if (step.op === "update" && plan.replace)
    return planChange(definition, before, after, { ...options, profile: movingProfile(definition) });
  if (step.op !== "replace" || plan.replace || movesWithContainer(definition, before, after, options)) return plan;
  return planChange(definition, before, after, {
    ...options,
    forcedReplacePaths: replacementCauses(step, hiddenPaths),
  });
}

const FAIL_ON_EFFECTS: Readonly<Partial<Record<Effect, readonly ChangeEffect[]>>> = {
  create: ["create"],
  takeOver: ["create"],
  newRevision: ["revision"],
  newVersion: ["version"],
  delete: ["delete"],
  drop: ["delete"],
  replace: ["replace"],
  restart: ["replace", "restart"],
};

const effectsIn = (impacts: readonly Impact[], step: Step): ChangeEffect[] => [
  ...impacts.flatMap(({ effect, loses }) => [
    ...(loses === undefined ? [] : (["data-loss"] as const)),
    ...(FAIL_ON_EFFECTS[effect] ?? []),
  ]),
  ...(hasUnverifiedRevision(step, impacts) ? (["unverified"] as const) : []),
];

/** Returns the possible effects. Replacing or deleting a kind that this version does not know may lose data. */
function possibleEffectsOf(impacts: readonly Impact[], step: Step): ChangeEffect[] {
  const isUnknownKind = !definitionOf(step) && (step.op === "replace" || step.op === "delete");
  const possible = impacts.filter(({ certain }) => !certain);
  return [...new Set<ChangeEffect>([...(isUnknownKind ? (["data-loss"] as const) : []), ...effectsIn(possible, step)])];
}

function effectsOf(
  { op, impacts, properties, hasWarning }: Pick<Change, "op" | "impacts" | "properties"> & { hasWarning: boolean },
  step: Step,
): ChangeEffect[] {
  const isUpdate = op === "update" || (op === "import" && step.before !== undefined);
  const inputs = splitFacts(step.after?.inputs ?? {}).properties;
  const hasUnknowns = containsUnknown(inputs) || impacts.some(({ certain }) => !certain);
  const facts: [ChangeEffect, boolean][] = [
    ["update", isUpdate],
    ["secret", isUpdate && properties.some(({ isSecret }) => isSecret)],
    ["unknown", op !== "delete" && hasUnknowns],
    ["warning", hasWarning],
  ];
  const certain = impacts.filter((impact) => impact.certain);
  return [...new Set([...effectsIn(certain, step), ...facts.flatMap(([effect, holds]) => (holds ? [effect] : []))])];
}
