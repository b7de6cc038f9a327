/** The outputs that a preview shows, as far as they are known before the operation. Pure. */
import type { z } from "zod";
import type { Definition } from "../definition/definition";
import { type FieldMetadata, isSameBranch, metadataOf, type PropertyMap } from "../schema/schema";
import { diffInputs } from "./diff";
import { containsUnknown, UNKNOWN } from "./property-values";

/** Returns the outputs of a create: everything that the server adds is unknown. */
export function outputsOfCreate(definition: Definition, inputs: PropertyMap): PropertyMap {
  return withInputs(definition, unknownOutputs(definition), inputs);
}

/** Returns the outputs of an update. Those that no update changes stay known, so that dependents show no change. */
export function outputsOfUpdate(definition: Definition, before: PropertyMap, inputs: PropertyMap): PropertyMap {
  const { paths, possibleReplaces } = diffInputs(definition, before, inputs);
  const stable = stableOutputs(definition, paths, possibleReplaces.length > 0).filter((key) => isKnown(before[key]));
  const known = Object.fromEntries(stable.map((key) => [key, before[key]]));
  return withInputs(definition, { ...unknownOutputs(definition), ...known }, inputs);
}

/** Adds the inputs. The ID of the object is an output too where the program does not request it. */
function withInputs({ schema }: Definition, outputs: PropertyMap, inputs: PropertyMap): PropertyMap {
  const idProperty = schema.idProperty;
  const all = { ...outputs, ...inputs };
  return idProperty === undefined ? all : { ...all, [idProperty]: inputs[idProperty] ?? outputs[idProperty] };
}

/** Returns the outputs that an update of these inputs does not change. @param mayReplace Nor a replacement. */
export function stableOutputs(definition: Definition, paths: readonly string[], mayReplace = false): string[] {
  const isStable = ({ stable }: FieldMetadata) => stable !== undefined && !isAmong(paths, stable.except ?? []);
  const replaced = mayReplace ? replacedOutputs(definition, paths) : [];
  return outputsWith(definition, isStable).filter((key) => !replaced.includes(key));
}

/** Returns the outputs that a replacement because of these inputs certainly changes. */
const replacedOutputs = (definition: Definition, paths: readonly string[]): string[] =>
  outputsWith(definition, ({ outlives }) => outlives === undefined || isAmong(paths, outlives.except));

/** Whether one of the paths is, contains or is part of one of these inputs. */
const isAmong = (paths: readonly string[], inputs: readonly string[]): boolean =>
  inputs.some((input) => paths.some((path) => isSameBranch(path, input)));

const isKnown = (value: unknown) => value !== undefined && value !== null && value !== "" && !containsUnknown(value);

const unknownOutputs = (definition: Definition): PropertyMap =>
  Object.fromEntries(outputsWith(definition, () => true).map((key) => [key, UNKNOWN]));

function outputsWith({ schema }: Definition, test: (metadata: FieldMetadata) => boolean): string[] {
  const { shape } = schema.outputs as unknown as z.ZodObject;
  const idProperty = schema.idProperty;
  return [
    ...Object.keys(shape).filter((key) => test(metadataOf(shape[key] as z.ZodType))),
    ...(idProperty !== undefined && !(idProperty in shape) && test({ stable: {} }) ? [idProperty] : []),
  ];
}

/** What this run does with the resource that an output belongs to. */
type OutputChange = "replaced" | "kept";

/** Returns what this run does with the resource whose output had this value; undefined when it is not known. */
export type OutputChangeOf = (value: unknown) => OutputChange | undefined;

/**
 * Tracks what a run does with resources whose outputs are inputs of others: the engine passes an unknown for all, and
 * the old value identifies the resource. See docs/internal/decisions.md.
 */
export class OutputChanges {
  private readonly byValue = new Map<unknown, OutputChange>();

  /** @param outputs The resource's outputs in state. @param paths The inputs that change. */
  note(definition: Definition, outputs: PropertyMap, paths: readonly string[], replaces: boolean | "possibly"): void {
    const mayReplace = replaces === "possibly";
    const keys = replaces === true ? replacedOutputs(definition, paths) : stableOutputs(definition, paths, mayReplace);
    for (const key of keys) {
      const value = outputs[key];
      if (typeof value !== "string") continue;
      if (replaces === true) this.byValue.set(value, "replaced");
      else if (!this.byValue.has(value)) this.byValue.set(value, "kept");
    }
  }

  readonly get = (value: unknown): OutputChange | undefined => this.byValue.get(value);
}
