/**
 * Protects objects from deletions that a run must not perform. The engine deletes what left the program, although another
 * resource may have imported or resumed that very object; and for a replacement without diff, by `--replace` or
 * `pulumi state taint`, it creates the new object first, and that create may find the old one.
 */

import type { Context } from "../../definition/context";
import type { Definition } from "../../definition/definition";
import { aliasesOption, OwnershipError, REPLACE_HINT } from "../../definition/ownership";
import type { CheckFailure } from "../../definition/rule";
import { inputsOf } from "../../plan/diff";
import type { Facts } from "../../plan/facts";
import { containerOf } from "../../schema/fields";
import { normalizeUrl } from "../../schema/normal-form";
import type { PropertyMap } from "../../schema/schema";
import type { ManagedObject, ManagedObjects, NamedObject } from "../run/managed-objects";
import type { FoundById } from "../run/run-state";

/** @param properties The inputs that name what contains the object. */
export function namedObject(
  { kind, schema }: Definition,
  id: string,
  properties: PropertyMap,
  { urn = "" }: Facts,
): NamedObject {
  const textAt = (key = "") => (typeof properties[key] === "string" ? properties[key] : undefined);
  const container = containerOf(schema);
  const url = textAt(container?.url);
  return { kind, id, urn, container: textAt(container?.id), containerUrl: url && normalizeUrl(url) };
}

/**
 * Returns why an object is kept that the engine wants to delete; undefined when it may be deleted.
 * @param object The object, and the URN of its entry in state.
 * @throws OwnershipError when this run created, resumed or imported it for the same resource.
 */
export function keptObject(object: NamedObject, objects: ManagedObjects): string | undefined {
  const { kind, id, urn } = object;
  const problem = objects.readProblem();
  const managers = objects.managersOf(object);
  const own = managers.find((manager) => manager.urn === urn);
  if (own && own.how !== "kept") {
    throw new OwnershipError(
      `${kind} ${id} was created earlier in this run; refusing to delete it, because the engine mistook it for the resource being replaced. Nothing was lost.\n${REPLACE_HINT}\nThen run \`pulumi up\` again.`,
    );
  }
  if (own)
    return `${kind} ${id} was not deleted, because the program still declares it. Only an old entry of it was removed from state, which an import or an unfinished replacement leaves.`;
  const [other] = managers;
  if (other) return describeTwoEntries(object, other);
  if (problem === undefined) return undefined;
  throw new OwnershipError(
    `Could not determine whether another resource of this run manages ${kind} ${id} (${problem}). Nothing was deleted. Run the command again.`,
  );
}

/**
 * Notes that a resource takes an existing object, so that no other process of this run deletes it.
 * @throws OwnershipError when others could not know, or when another resource of this run manages the object.
 */
export function takeExisting(object: ManagedObject, objects: ManagedObjects): void {
  const { kind, id, urn } = object;
  const other = objects.managersOf(object).find((manager) => manager.urn !== urn);
  if (other)
    throw new OwnershipError(
      `${kind} ${id} is also managed by ${other.urn}, and two resources cannot manage the same object. No changes were made. Remove one of them from the program.`,
    );
  objects.note(object);
  const problem = unsharedProblem(kind, id, objects);
  if (problem === undefined) return;
  objects.release(urn);
  throw new OwnershipError(problem);
}

/** Notes that this run created an object, unless the resource has resumed or imported it. */
export function noteCreated(object: NamedObject, objects: ManagedObjects): void {
  if (!objects.isNoted(object.urn, object.id)) objects.note({ ...object, how: "created" });
}

/**
 * Returns why a program must not import an object, before anything changes.
 * @param found The object, if the engine has read it for the import. @param id The ID, if the import is still to come.
 */
export function importFailures(
  { kind }: Definition,
  found: FoundById | undefined,
  id: string | undefined,
  objects: ManagedObjects,
): CheckFailure[] {
  const imported = found?.id ?? id;
  if (imported === undefined) return [];
  const problem = found?.problem ?? unsharedProblem(kind, imported, objects);
  return problem === undefined ? [] : [{ path: "import", reason: problem }];
}

/** Returns why the other processes of this run would not know that a resource takes an object; undefined when they would. */
function unsharedProblem(kind: string, id: string, objects: ManagedObjects): string | undefined {
  const problem = objects.writeProblem();
  if (problem === undefined) return undefined;
  return `${kind} ${id} was not taken, because the other provider processes of this run would not know (${problem}), and an old entry of this stack's state could delete it. No changes were made. Set TMPDIR (on Windows, TEMP) to a folder on a local disk that only you can write to, and run the command again.`;
}

const TAKEN = {
  created: "this run created it as",
  resumed: "this run resumed it as",
  imported: "this run imported it as",
  kept: "the program still declares it as",
};

function describeTwoEntries({ kind, id, urn }: NamedObject, other: ManagedObject): string {
  const kept = `${kind} ${id} was not deleted, because ${TAKEN[other.how]} ${other.urn}.`;
  // An import by the command may leave no URN in state.
  if (urn === "") return kept;
  return (
    `${kept} The entry ${urn} was removed from this stack's state only.\n` +
    `If you renamed or moved the resource, use this option the next time:  ${aliasesOption(`/${urn}`, `/${other.urn}`)}\n` +
    "To delete the object, remove the other resource from the program, too."
  );
}

/**
 * Reads the object before a replacement that only missing routes cause: state records them, since diff sends no request.
 * @throws OwnershipError when the server now supports the update.
 */
export async function assertStillMissing(
  definition: Definition,
  id: string,
  state: PropertyMap,
  ctx: Context,
): Promise<void> {
  const remote = await definition.read(id, inputsOf(definition, state), state, ctx);
  if (remote?.missingRoutes?.length !== 0) return;
  throw new OwnershipError(
    `${definition.kind} ${id} was not replaced, because the server can now update it in place. No changes were made. Run \`pulumi up --refresh\` to update it in place.`,
  );
}
