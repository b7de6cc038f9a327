/** The outputs that a preview shows, as far as they are known before the operation. Pure. */
import { z } from "zod";
import type { Definition } from "../definition/definition";
import type { PropertyMap } from "../schema/schema";
import { diffInputs } from "./diff";
import { containsUnknown, UNKNOWN } from "./property-values";

/** Returns the outputs of a create: everything that the server adds is unknown. */
export function outputsOfCreate(definition: Definition, inputs: PropertyMap): PropertyMap {
  return { ...unknownOutputs(definition), ...inputs };
}

/** Returns the outputs of an update. Those that no update changes stay known, so that dependents show no change. */
export function outputsOfUpdate(
  definition: Definition,
  before: PropertyMap,
  inputs: PropertyMap,
  missingRoutes: readonly string[] = [],
): PropertyMap {
  const { paths } = diffInputs(definition, before, inputs, missingRoutes);
  const stable = stableOutputs(definition, paths).filter((key) => isKnown(before[key]));
  return {
    ...unknownOutputs(definition),
    ...Object.fromEntries(stable.map((key) => [key, before[key]])),
    ...inputs,
  };
}

/** Returns the outputs that an update of these inputs does not change. */
export function stableOutputs({ schema }: Definition, paths: readonly string[]): string[] {
  return schema.stable.filter((key) => !schema.follows?.[key]?.some((path) => paths.includes(path)));
}

const isKnown = (value: unknown) => value !== undefined && value !== null && value !== "" && !containsUnknown(value);

const unknownOutputs = (definition: Definition): PropertyMap =>
  Object.fromEntries(outputKeysOf(definition).map((key) => [key, UNKNOWN]));

/** Returns the names of the outputs. */
export const outputKeysOf = ({ schema }: Definition): string[] =>
  schema.outputs instanceof z.ZodObject ? Object.keys(schema.outputs.shape) : [];
