/** Prepares the inputs that check returns: kept name and derived inputs. Pure. */
import type { Definition } from "../definition/definition";
import type { CheckFailure } from "../definition/rules";
import type { RequestFacts } from "../plan/facts";
import { containsUnknown, UNKNOWN } from "../plan/property-values";
import { isValidId, quotedId } from "../schema/id";
import type { PropertyMap } from "../schema/schema";
import { UserError } from "../text/user-error";
import type { ManagedObjects } from "./run/managed-objects";
import type { FoundById, RunState } from "./run/run-state";

/**
 * Returns the inputs with the name of the object when the program declares none: what another input calls it, or the
 * current one, because the default would follow every rename, and replace the object.
 */
export function withKeptName(
  { schema }: Definition,
  inputs: PropertyMap,
  defaultName: unknown,
  previousName: unknown,
): PropertyMap {
  const { nameInput, namingInput } = schema;
  if (nameInput === undefined) return inputs;
  const name = inputs[nameInput];
  const source = namingInput && inputs[namingInput.input];
  if ((source == null && previousName === undefined) || isDeclaredName(name, defaultName)) return inputs;
  const derived = containsUnknown(source) ? UNKNOWN : namingInput?.nameOf(source);
  return { ...inputs, [nameInput]: source == null ? previousName : (derived ?? name) };
}

const isDeclaredName = (name: unknown, defaultName: unknown): boolean =>
  name != null && (name !== defaultName || containsUnknown(name));

/** Returns the failure for a declared name that another input would determine. */
export function nameConflict({ schema }: Definition, inputs: PropertyMap, defaultName: unknown): CheckFailure[] {
  const { nameInput = "", namingInput } = schema;
  const source = namingInput && inputs[namingInput.input];
  if (source == null || !isDeclaredName(inputs[nameInput], defaultName)) return [];
  return [{ path: nameInput, reason: `cannot be combined with ${namingInput?.input}; specify one of the two.` }];
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
    reason:
      `is also used by ${urn}, and two resources cannot manage the same ${kind}. ` + "Change it or remove one of them.",
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
      const result = containsUnknown(value) ? UNKNOWN : await trace.span({ name: `compute ${path}` }, compute);
      if (result !== undefined) added[path] = result;
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

/** Returns why a program must not import an object, before any request. @param isNew Whether it is to come. */
export function importFailures(
  { kind, schema }: Definition,
  { import: id }: RequestFacts,
  { isNew, found, objects }: { isNew: boolean; found: FoundById | undefined; objects: ManagedObjects },
): CheckFailure[] {
  const parts = schema.container === undefined ? [String(id)] : String(id).split("/", 2);
  const isInvalid = id !== undefined && !containsUnknown(id) && !parts.every(isValidId);
  const invalid = `${quotedId(String(id))} is not a valid ${kind} ID; copy it from the server.`;
  const imported = found?.id ?? (isNew ? id : undefined);
  const unshared = imported === undefined ? undefined : objects.unsharedProblem(kind, imported);
  const reasons = [isInvalid ? invalid : undefined, found?.problem ?? unshared];
  return reasons.flatMap((reason) => (reason === undefined ? [] : [{ path: "import", reason }]));
}
