/** What check makes of the inputs: the kept name, derived inputs, and failures as the engine shows them. Pure. */
import type { CheckFailure, Definition } from "../definition/definition";
import { isValidId, quotedId } from "../schema/id";
import { getOwn, type PropertyMap, variantsOf } from "../schema/schema";
import { UserError } from "../text/user-error";
import { containsUnknown, type InternalProperties, UNKNOWN } from "./property-values";
import { isSecret } from "./secrets";

/**
 * The inputs with the name that the resource has, where the program writes none: its default would follow every rename
 * of the resource, the stack or the template, and so replace what it names. A transform may have written another one.
 */
export function withKeptName(
  { schema: { nameFrom: isNamed } }: Definition,
  inputs: PropertyMap,
  defaultName: unknown,
  previousName: unknown,
): PropertyMap {
  if (isNamed === undefined || previousName === undefined || defaultName === undefined) return inputs;
  return inputs[isNamed] === defaultName && !containsUnknown(defaultName)
    ? { ...inputs, [isNamed]: previousName }
    : inputs;
}

/** What these inputs leave to no other resource of the program, in one text; undefined where it is not known yet. */
export function uniqueClaim({ unique }: Definition, inputs: PropertyMap): string | undefined {
  const values = unique?.(inputs)?.map((key) => inputs[key] ?? null);
  return values === undefined || containsUnknown(values) ? undefined : JSON.stringify(values);
}

/** Two resources of one program are to be the same object: the second could never be created. */
export function duplicateOf({ kind, unique }: Definition, inputs: PropertyMap, urn: string): CheckFailure {
  const [path = ""] = unique?.(inputs) ?? [];
  return {
    path,
    reason: `is also that of ${urn}, and two resources cannot be one ${kind}. Change it, or remove one of the two.`,
  };
}

/** The inputs that are computed from others; a value that is not known makes an unknown. */
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
 * The engine prints the value of the property that a failure names: `<nil>` for one that lies deeper, and all of it
 * for a misspelt `secret`. So only an input of ours at the top is named; for others the reason begins with the path.
 */
export function toEngineFailure(
  definition: Definition,
  { path, reason }: CheckFailure,
  declared: PropertyMap,
): { property: string; reason: string } {
  const { inputs, discriminator } = definition.schema;
  // The engine prints the value of a property beside the reason, and `{<nil>}` where it is missing.
  const isNamed =
    getOwn(declared, path) !== undefined &&
    variantsOf(inputs, discriminator).some((variant) => Object.hasOwn(variant.shape, path)) &&
    !isSecret(definition, path, declared);
  return isNamed ? { property: path, reason } : { property: "", reason: `${path} ${reason}` };
}

/** What is wrong with the option import, before anything is asked: such an ID would lead to another route. */
export function importProblems(
  { kind, schema: { container } }: Definition,
  { __import: id }: InternalProperties,
): CheckFailure[] {
  if (id === undefined || containsUnknown(id)) return [];
  const parts = container === undefined ? [String(id)] : String(id).split("/", 2);
  if (parts.every(isValidId)) return [];
  return [
    { path: "import", reason: `${quotedId(String(id))} is not a valid ID of a ${kind}; copy it from the server.` },
  ];
}
