/** Imports the objects that the resource option `import` names. */
import type { Context, Observation } from "../../definition/context";
import type { Definition } from "../../definition/definition";
import { describeSibling, isSameMarker, isSameStack, OwnershipError, parseMarker } from "../../definition/ownership";
import { diffInputs } from "../../plan/diff";
import type { RequestFacts } from "../../plan/facts";
import { isSecret } from "../../plan/property-values";
import { type Field, fieldAt, pathsOf } from "../../schema/fields";
import { type PropertyMap, splitPath, valueAt } from "../../schema/schema";

/** Returns the ID that a create imports; not one that the program still names of an object that is replaced. */
export function importedId({ import: id }: RequestFacts, replacedId: string | undefined): string | undefined {
  return id?.split("/").at(-1) === replacedId ? undefined : id;
}

const isSent = ({ writeOnly }: Field) => writeOnly === "sent";

/** @returns The object, and write-only paths that may differ. @throws OwnershipError with the differences. */
export async function findImportable(
  definition: Definition,
  id: string,
  inputs: PropertyMap,
  ctx: Context,
): Promise<{ remote: Observation; writeOnlyPaths: readonly string[] }> {
  const remote = await definition.read(id, inputs, {}, ctx);
  if (!remote)
    throw new OwnershipError(
      `import: no ${definition.kind} with ID ${id} exists in this workspace. No changes were made. Remove the ` +
        "import option to create a new one, or correct the ID.",
    );
  const problem = importProblem(definition, id, remote, ctx);
  if (problem !== undefined) throw new OwnershipError(`import: ${problem}`);
  const { paths } = diffInputs(definition, remote.inputs, inputs);
  const writeOnlyPaths = paths.filter((path) => fieldAt(definition.schema, path, isSent));
  if (writeOnlyPaths.length === paths.length) return { remote, writeOnlyPaths };
  const isHidden = (path: string) => isSecret(definition, path, inputs, ctx.recorded.secretInputs);
  const lines = paths.map((path) => {
    if (isHidden(path) || fieldAt(definition.schema, path, ({ open }) => open)) return `  ${path}`;
    const valueIn = (bag: PropertyMap) => JSON.stringify(valueAt(bag, splitPath(path, bag))) ?? "nothing";
    return `  ${path}: server has ${valueIn(remote.inputs)}, program has ${valueIn(inputs)}`;
  });
  throw new OwnershipError(
    `import: ${definition.kind} ${id} differs from the program, so no changes were made:\n${lines.join("\n")}\n` +
      "Make the program match these values, import, and then make your changes.",
  );
}

/** Imports an object if it equals the declared inputs; otherwise changes nothing. Write-only inputs are sent. */
export async function importExisting(
  definition: Definition,
  id: string,
  inputs: PropertyMap,
  ctx: Context,
): Promise<Observation> {
  const { remote, writeOnlyPaths: paths } = await findImportable(definition, id, inputs, ctx);
  ctx.noteExisting(id, "imported");
  for (const warning of importWarnings(definition, remote, ctx)) ctx.log.warn(warning);
  // The marker found is recorded, so that a delete does not mistake it for another owner's.
  const imported = { id, inputs: remote.inputs, state: remote.state, marker: remote.marker };
  if (paths.length === 0) {
    const { unready } = remote;
    if (unready?.warning !== undefined) ctx.log.warn(`import: ${unready.warning}`);
    return { ...imported, inputs: confirmedAt(definition, remote, inputs, ctx), ...(unready && { unready }) };
  }
  ctx.log.warn(
    `import: ${paths.join(", ")} differs, so the declared ${pathsOf(definition.schema, isSent).join(", ")} ` +
      "were applied.",
  );
  ctx.record(imported);
  const { inputs: previous, state } = remote;
  return definition.update(id, { inputs, previous, state, paths, isUnfinished: true }, ctx);
}

/** Returns the inputs that an import confirms; the next run sends those that the server does not return. */
function confirmedAt(definition: Definition, remote: Observation, inputs: PropertyMap, ctx: Context): PropertyMap {
  const assumed = pathsOf(definition.schema, ({ writeOnly, open }) => writeOnly === "assumed" || open);
  const declared = Object.fromEntries(assumed.filter((key) => key in inputs).map((key) => [key, inputs[key]]));
  const confirmed = { ...(remote.confirmed ?? inputs), ...declared };
  const { paths } = diffInputs(definition, confirmed, inputs);
  if (paths.length > 0)
    ctx.log.warn(
      `import: the server does not return ${paths.join(", ")}, so the import could not compare it. The next ` +
        "`pulumi up` applies it.",
    );
  return confirmed;
}

/**
 * Returns why an object is not imported: nobody may manage it, or another resource of this very stack does. An alias
 * keeps the entry of that one in state, and the import would add a second one.
 */
export function importProblem(
  { kind, markerPlace = "its ownership marker" }: Definition,
  id: string,
  { marker, isOfSibling = false, unmanageable }: Observation,
  ctx: Context,
): string | undefined {
  if (unmanageable !== undefined) return `${kind} ${id} ${unmanageable}. No changes were made.`;
  const isNamed = marker !== undefined && isSameStack(marker, ctx.marker) && !isSameMarker(marker, ctx.marker);
  if (!isNamed && !isOfSibling) return undefined;
  return `${kind} ${id} ${describeSibling(isNamed ? marker : undefined, ctx.marker, markerPlace)}`;
}

/** Returns what to warn of at an import: what the program cannot be compared with, and another stack's management. */
export function importWarnings(definition: Definition, remote: Observation, ctx: Context): string[] {
  const { omission } = remote;
  const omitted = omission === undefined ? undefined : `import: ${omission}`;
  return [omitted, managedElsewhere(definition, remote, ctx)].filter((text) => text !== undefined);
}

const DELETED_FOR_BOTH =
  "Two resources that manage one object revert each other's changes, and the destroy of one deletes it for both.";

function managedElsewhere(
  { kind, markerPlace = "its ownership marker" }: Definition,
  { id, marker, isOfOtherStack = false, isMarkerHidden = false }: Observation,
  ctx: Context,
): string | undefined {
  if (isMarkerHidden)
    return (
      `import: ${kind} ${id} has ${markerPlace}, whose value the server does not show, so another stack may ` +
      `manage it. ${DELETED_FOR_BOTH}`
    );
  if (isOfOtherStack)
    return (
      `import: ${kind} ${id} is already managed by another stack, as ${markerPlace} shows. ${DELETED_FOR_BOTH} ` +
      "Remove it from the state of that stack, or do not import it."
    );
  const isOther = marker !== undefined && !isSameMarker(marker, ctx.marker) && !isSameStack(marker, ctx.marker);
  const other = isOther ? parseMarker(marker) : undefined;
  if (!other) return undefined;
  const stack = [other.owner, other.project, other.stack].join("/");
  return (
    `import: ${kind} ${id} is already managed by ${marker}. Two resources that manage one object revert each ` +
    `other's changes. Remove it from the other state:  pulumi state delete '${other.urn}' --stack ${stack}`
  );
}
