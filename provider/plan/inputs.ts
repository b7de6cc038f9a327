/** Prepares the inputs that check returns: kept name, derived inputs, and failures as the engine shows them. Pure. */
import type { CheckFailure, Definition } from "../definition/definition";
import { isValidId, quotedId } from "../schema/id";
import { getOwn, type PropertyMap, variantsOf } from "../schema/schema";
import { UserError } from "../text/user-error";
import type { RequestFacts } from "./facts";
import { containsUnknown, UNKNOWN } from "./property-values";
import { isSecret } from "./secrets";

/**
 * Returns the inputs with the resource's current name when the program declares none: the default would follow every
 * rename of the resource, the stack or the template, and replace the object. A name from a transform is respected.
 */
export function withKeptName(
  { schema: { nameFrom } }: Definition,
  inputs: PropertyMap,
  defaultName: unknown,
  previousName: unknown,
): PropertyMap {
  if (nameFrom === undefined || previousName === undefined || defaultName === undefined) return inputs;
  return inputs[nameFrom] === defaultName && !containsUnknown(defaultName)
    ? { ...inputs, [nameFrom]: previousName }
    : inputs;
}

/** Returns a key of the values that must be unique in the program; undefined when they are not known yet. */
export function uniqueClaim({ unique }: Definition, inputs: PropertyMap): string | undefined {
  const values = unique?.(inputs)?.map((key) => inputs[key] ?? null);
  return values === undefined || containsUnknown(values) ? undefined : JSON.stringify(values);
}

/** Returns the failure for two resources of a program that would be the same object. */
export function duplicateOf({ kind, unique }: Definition, inputs: PropertyMap, urn: string): CheckFailure {
  const [path = ""] = unique?.(inputs) ?? [];
  return {
    path,
    reason: `is also used by ${urn}, and two resources cannot manage the same ${kind}. Change it or remove one of them.`,
  };
}

/** Computes the derived inputs; an unknown source value results in an unknown. */
export async function computedInputs(
  definition: Definition,
  inputs: PropertyMap,
  failures: CheckFailure[],
): Promise<PropertyMap> {
  const added: PropertyMap = {};
  for (const { from, to, compute } of definition.schema.derived ?? []) {
    const value = inputs[from];
    if (value === undefined) continue;
    try {
      added[to] = containsUnknown(value) ? UNKNOWN : await compute(value);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failures.push({ path: from, reason: error.message });
    }
  }
  return added;
}

/**
 * Returns a failure in the engine's form. The engine prints the value of the named property: `<nil>` for a nested one,
 * and a misspelled `secret` in full. So only known top-level inputs are named; other reasons begin with the path.
 */
export function toEngineFailure(
  definition: Definition,
  { path, reason }: CheckFailure,
  declared: PropertyMap,
): { property: string; reason: string } {
  const { inputs, discriminator } = definition.schema;
  const isNamed =
    getOwn(declared, path) !== undefined &&
    variantsOf(inputs, discriminator).some((variant) => Object.hasOwn(variant.shape, path)) &&
    !isSecret(definition, path, declared);
  return isNamed ? { property: path, reason } : { property: "", reason: `${path} ${reason}` };
}

/** Validates the option `import` before any request: an invalid ID would change the route. */
export function importProblems(
  { kind, schema: { container } }: Definition,
  { import: id }: RequestFacts,
): CheckFailure[] {
  if (id === undefined || containsUnknown(id)) return [];
  const parts = container === undefined ? [String(id)] : String(id).split("/", 2);
  if (parts.every(isValidId)) return [];
  return [{ path: "import", reason: `${quotedId(String(id))} is not a valid ${kind} ID; copy it from the server.` }];
}
