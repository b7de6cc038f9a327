/** The outputs that a preview shows, as far as they are known before the operation. Pure. */
import type { Definition } from "../provider/definition/definition";
import type { PlannedChange } from "../provider/plan/plan-change";
import { outputsWith, stableOutputs } from "../provider/plan/planned-outputs";
import { containsUnknown, UNKNOWN } from "../provider/plan/property-values";
import type { PropertyMap } from "../provider/schema/schema";

/** Returns the outputs of a create: everything that the server adds is unknown. */
export function outputsOfCreate(definition: Definition, inputs: PropertyMap): PropertyMap {
  return withInputs(definition, unknownOutputs(definition), inputs);
}

/** Returns the outputs of an update. Those that no update changes stay known, so that dependents show no change. */
export function outputsOfUpdate(
  definition: Definition,
  before: PropertyMap,
  inputs: PropertyMap,
  { paths, mayReplace }: Pick<PlannedChange, "paths" | "mayReplace">,
): PropertyMap {
  const stable = stableOutputs(definition, paths, mayReplace).filter((key) => isKnown(before[key]));
  const known = Object.fromEntries(stable.map((key) => [key, before[key]]));
  return withInputs(definition, { ...unknownOutputs(definition), ...known }, inputs);
}

/** Adds the inputs. The ID of the object is an output too where the program does not request it. */
function withInputs({ schema }: Definition, outputs: PropertyMap, inputs: PropertyMap): PropertyMap {
  const idProperty = schema.idProperty;
  const all = { ...outputs, ...inputs };
  return idProperty === undefined ? all : { ...all, [idProperty]: inputs[idProperty] ?? outputs[idProperty] };
}

const isKnown = (value: unknown) => value !== undefined && value !== null && value !== "" && !containsUnknown(value);

const unknownOutputs = (definition: Definition): PropertyMap =>
  Object.fromEntries(outputsWith(definition, () => true).map((key) => [key, UNKNOWN]));
