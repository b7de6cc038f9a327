/** Prepares the inputs that check returns: kept name, derived inputs, and failures as the engine shows them. Pure. */
import type { Definition } from "../definition/definition";
import type { CheckFailure } from "../definition/rule";
import type { RequestFacts } from "../plan/facts";
import { containsUnknown, UNKNOWN } from "../plan/property-values";
import { containerOf, nameInputOf } from "../schema/fields";
import { isValidId, quotedId } from "../schema/id";
import type { PropertyMap } from "../schema/schema";
import { UserError } from "../text/user-error";
import type { RunState } from "./run/run-state";

/**
 * Returns the inputs with the resource's current name when the program declares none: the default would follow every
 * rename of the resource and the stack, and replace the object. A name from a transform is respected.
 */
export function withKeptName(
  { schema }: Definition,
  inputs: PropertyMap,
  defaultName: unknown,
  previousName: unknown,
): PropertyMap {
  const nameInput = nameInputOf(schema);
  if (nameInput === undefined || previousName === undefined) return inputs;
  const name = inputs[nameInput];
  const isDeclared = name != null && (name !== defaultName || containsUnknown(name));
  return isDeclared ? inputs : { ...inputs, [nameInput]: previousName };
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

/** Returns the inputs that check computes from others; an unknown source value results in an unknown. */
export async function computedInputs(
  { schema }: Definition,
  inputs: PropertyMap,
  failures: CheckFailure[],
  { scope, trace }: Pick<RunState, "scope" | "trace">,
): Promise<PropertyMap> {
  const added: PropertyMap = {};
  for (const { path, computed } of schema.fields) {
    if (!computed || inputs[computed.from] === undefined) continue;
    const value = inputs[computed.from];
    try {
      const compute = async () => computed.compute(value, scope);
      added[path] = containsUnknown(value) ? UNKNOWN : await trace.span({ name: `compute ${path}` }, compute);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // In an upload, the same message names the input itself.
      const { from } = computed;
      const { message } = error;
      failures.push({ path: from, reason: message.startsWith(`${from} `) ? message.slice(from.length + 1) : message });
    }
  }
  return added;
}

/**
 * Returns a failure in the engine's form. It names no property, because the engine prints the whole value of a named one,
 * which may be or contain a secret.
 */
export const toEngineFailure = ({ path, reason }: CheckFailure): { property: string; reason: string } => ({
  property: "",
  reason: `${path} ${reason}`.trimStart(),
});

/** Validates the option `import` before any request: an invalid ID would change the route. */
export function importProblems({ kind, schema }: Definition, { import: id }: RequestFacts): CheckFailure[] {
  if (id === undefined || containsUnknown(id)) return [];
  const parts = containerOf(schema) === undefined ? [String(id)] : String(id).split("/", 2);
  if (parts.every(isValidId)) return [];
  return [{ path: "import", reason: `${quotedId(String(id))} is not a valid ${kind} ID; copy it from the server.` }];
}
