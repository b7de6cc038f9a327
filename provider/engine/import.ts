/** Making what is already there ours: an interrupted run's object, or one that `import` names. */
import type { Context } from "../definition/context";
import type { Definition } from "../definition/definition";
import { OwnershipError, parseMarker } from "../definition/ownership";
import { type CreateResult, type ReadResult, RolledBackError } from "../definition/results";
import { diffInputs } from "../plan/diff";
import { isSecret } from "../plan/secrets";
import { matchesPath, type PropertyMap } from "../schema/schema";

/** Continues with what an interrupted run of this resource left behind. */
export async function resumeInterrupted(
  definition: Definition,
  inputs: PropertyMap,
  ctx: Context,
): Promise<CreateResult<PropertyMap> | undefined> {
  const existing = await definition.find?.(inputs, ctx);
  if (!existing) return undefined;
  ctx.log.warn(`Resuming ${definition.kind} ${existing.id}: ${existing.because}`);
  const remote = await definition.read(existing.id, inputs, {}, ctx);
  if (!remote)
    throw new OwnershipError(
      `${definition.kind} ${existing.id} was deleted while it was being resumed. Run \`pulumi up\` again.`,
    );
  // Only what the server surely holds need not be sent: the program may have changed since the run that was interrupted.
  const confirmed = { ...remote, inputs: remote.confirmed ?? remote.inputs };
  const { paths } = diffInputs(definition, confirmed.inputs, inputs);
  const ready = () => applyDeclared(definition, existing.id, confirmed, inputs, paths, ctx);
  return { id: existing.id, state: remote.state, marker: ctx.marker, ready };
}

/** Changes what exists already to what is declared. */
async function applyDeclared(
  definition: Definition,
  id: string,
  remote: ReadResult<PropertyMap, PropertyMap>,
  inputs: PropertyMap,
  paths: readonly string[],
  ctx: Context,
): Promise<PropertyMap> {
  const previous = { ...remote.inputs, ...remote.state };
  const change = { inputs, previous, paths, unfinished: true };
  // What could not be sent must differ next time too: state then holds what the server does.
  const result = await definition.update(id, change, ctx).catch((error: unknown) => {
    throw new RolledBackError(error instanceof Error ? error.message : String(error), remote.inputs, remote.state);
  });
  return result.ready ? result.ready() : result.state;
}

/**
 * `import`: takes an object over when it equals what is declared; else lists the differences and changes nothing. What
 * the server never shows cannot be made equal to it, and is sent.
 */
export async function importExisting(
  definition: Definition,
  id: string,
  inputs: PropertyMap,
  ctx: Context,
): Promise<CreateResult<PropertyMap>> {
  const remote = await definition.read(id, inputs, {}, ctx);
  if (!remote)
    throw new OwnershipError(
      `import: there is no ${definition.kind} ${id} in this workspace. Nothing was changed. Remove the option import to create a new one, or mend its id.`,
    );
  const { paths } = diffInputs(definition, remote.inputs, inputs);
  const writeOnlyPaths = paths.filter((path) =>
    definition.secrets.writeOnly?.some((pattern) => matchesPath(path, pattern)),
  );
  if (writeOnlyPaths.length === paths.length) {
    warnIfManagedElsewhere(definition, id, remote.marker, ctx);
    // The marker found is from now on the one we know: a delete must not take it for a new owner's.
    const imported = { id, state: remote.state, marker: remote.marker };
    if (writeOnlyPaths.length === 0) return { ...imported, confirmed: confirmedAt(definition, remote, inputs, ctx) };
    ctx.log.warn(
      `import: ${writeOnlyPaths.join(", ")} differs, so the declared ${definition.secrets.writeOnly?.join(", ")} were sent.`,
    );
    return { ...imported, ready: () => applyDeclared(definition, id, remote, inputs, paths, ctx) };
  }
  const lines = paths.map(
    (path) =>
      `  ${path}${isSecret(definition, path, inputs) ? "" : `: ${formatValue(remote.inputs, path)} on the server, ${formatValue(inputs, path)} declared`}`,
  );
  throw new OwnershipError(
    `import: ${definition.kind} ${id} differs from what is declared, so nothing was changed:\n${lines.join("\n")}\n` +
      "Make the declaration equal to the server first; after the import change it as you like.",
  );
}

/** What an import states: what the server does not show is not in it, so that the next run sends it. */
function confirmedAt(
  definition: Definition,
  remote: ReadResult<PropertyMap, PropertyMap>,
  inputs: PropertyMap,
  ctx: Context,
): PropertyMap {
  const { assumed = [] } = definition.schema;
  const declared = Object.fromEntries(assumed.filter((key) => key in inputs).map((key) => [key, inputs[key]]));
  const confirmed = { ...(remote.confirmed ?? inputs), ...declared };
  const { paths } = diffInputs(definition, confirmed, inputs);
  if (paths.length > 0)
    ctx.log.warn(
      `import: the server does not return ${paths.join(", ")}, so it could not be compared; the next \`pulumi up\` sends it.`,
    );
  return confirmed;
}

/** Two stacks that manage one object undo each other's changes, and neither would say so. */
function warnIfManagedElsewhere({ kind }: Definition, id: string, marker: string | undefined, ctx: Context): void {
  const other = marker === undefined || marker === ctx.marker ? undefined : parseMarker(marker);
  if (!other) return;
  const stack = [other.owner, other.project, other.stack].join("/");
  ctx.log.warn(
    `import: ${kind} ${id} is managed by ${marker}. Two resources that manage one object undo each other's changes. Remove it from the other state:  pulumi state delete '${other.urn}' --stack ${stack}`,
  );
}

function formatValue(properties: PropertyMap, path: string): string {
  const value = valueAtDottedPath(properties, path);
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** The value at a path in which a user's own key may hold dots, as labels do: the longest key that exists is taken. */
function valueAtDottedPath(value: unknown, path: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const key = Object.keys(value)
    .filter((name) => path === name || path.startsWith(`${name}.`))
    .sort((a, b) => b.length - a.length)[0];
  if (key === undefined) return undefined;
  const child = (value as PropertyMap)[key];
  return path === key ? child : valueAtDottedPath(child, path.slice(key.length + 1));
}
