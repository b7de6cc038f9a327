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
  const found = await definition.find?.(inputs, ctx);
  if (!found) return undefined;
  ctx.log.warn(`Resuming ${definition.kind} ${found.id}: ${found.because}`);
  const seen = await definition.read(found.id, inputs, {}, ctx);
  if (!seen)
    throw new OwnershipError(
      `${definition.kind} ${found.id} was deleted while it was being resumed. Run \`pulumi up\` again.`,
    );
  // Only what the server surely holds need not be sent: the program may have changed since the run that was interrupted.
  const held = { ...seen, inputs: seen.confirmed ?? seen.inputs };
  const { paths } = diffInputs(definition, held.inputs, inputs);
  const ready = () => send(definition, found.id, held, inputs, paths, ctx);
  return { id: found.id, state: seen.state, marker: ctx.marker, ready };
}

/** Changes what exists already to what is declared. */
async function send(
  definition: Definition,
  id: string,
  seen: ReadResult<PropertyMap, PropertyMap>,
  inputs: PropertyMap,
  paths: readonly string[],
  ctx: Context,
): Promise<PropertyMap> {
  const previous = { ...seen.inputs, ...seen.state };
  const change = { inputs, previous, paths, unfinished: true };
  // What could not be sent must differ next time too: state then holds what the server does.
  const made = await definition.update(id, change, ctx).catch((error: unknown) => {
    throw new RolledBackError(error instanceof Error ? error.message : String(error), seen.inputs, seen.state);
  });
  return made.ready ? made.ready() : made.state;
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
  const seen = await definition.read(id, inputs, {}, ctx);
  if (!seen)
    throw new OwnershipError(
      `import: there is no ${definition.kind} ${id} in this workspace. Nothing was changed. Remove the option import to create a new one, or mend its id.`,
    );
  const { paths } = diffInputs(definition, seen.inputs, inputs);
  const hidden = paths.filter((path) => definition.secrets.writeOnly?.some((pattern) => matchesPath(path, pattern)));
  if (hidden.length === paths.length) {
    warnOfOwner(definition, id, seen.marker, ctx);
    // The marker found is from now on the one we know: a delete must not take it for a new owner's.
    const taken = { id, state: seen.state, marker: seen.marker };
    if (hidden.length === 0) return { ...taken, confirmed: confirmedAt(definition, seen, inputs, ctx) };
    ctx.log.warn(
      `import: ${hidden.join(", ")} differs, so the declared ${definition.secrets.writeOnly?.join(", ")} were sent.`,
    );
    return { ...taken, ready: () => send(definition, id, seen, inputs, paths, ctx) };
  }
  const lines = paths.map(
    (path) =>
      `  ${path}${isSecret(definition, path, inputs) ? "" : `: ${show(seen.inputs, path)} on the server, ${show(inputs, path)} declared`}`,
  );
  throw new OwnershipError(
    `import: ${definition.kind} ${id} differs from what is declared, so nothing was changed:\n${lines.join("\n")}\n` +
      "Make the declaration equal to the server first; after the import change it as you like.",
  );
}

/** What an import states: what the server does not show is not in it, so that the next run sends it. */
function confirmedAt(
  definition: Definition,
  seen: ReadResult<PropertyMap, PropertyMap>,
  inputs: PropertyMap,
  ctx: Context,
): PropertyMap {
  const { assumed = [] } = definition.schema;
  const declared = Object.fromEntries(assumed.filter((key) => key in inputs).map((key) => [key, inputs[key]]));
  const confirmed = { ...(seen.confirmed ?? inputs), ...declared };
  const { paths } = diffInputs(definition, confirmed, inputs);
  if (paths.length > 0)
    ctx.log.warn(
      `import: the server does not return ${paths.join(", ")}, so it could not be compared; the next \`pulumi up\` sends it.`,
    );
  return confirmed;
}

/** Two stacks that manage one object undo each other's changes, and neither would say so. */
function warnOfOwner({ kind }: Definition, id: string, marker: string | undefined, ctx: Context): void {
  const other = marker === undefined || marker === ctx.marker ? undefined : parseMarker(marker);
  if (!other) return;
  const stack = [other.owner, other.project, other.stack].join("/");
  ctx.log.warn(
    `import: ${kind} ${id} is managed by ${marker}. Two resources that manage one object undo each other's changes. Remove it from the other state:  pulumi state delete '${other.urn}' --stack ${stack}`,
  );
}

function show(bag: PropertyMap, path: string): string {
  const value = valueAtText(bag, path);
  return value === undefined ? "nothing" : JSON.stringify(value);
}

/** The value at a path in which a user's own key may hold dots, as labels do: the longest key that exists is taken. */
function valueAtText(value: unknown, path: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const key = Object.keys(value)
    .filter((name) => path === name || path.startsWith(`${name}.`))
    .sort((a, b) => b.length - a.length)[0];
  if (key === undefined) return undefined;
  const inner = (value as PropertyMap)[key];
  return path === key ? inner : valueAtText(inner, path.slice(key.length + 1));
}
