/** Making what is already there ours: an interrupted run's object, or one that `import` names. */
import { type Context, type Definition, type Made, RevertedError } from "./definition";
import { OwnershipError } from "./ownership";
import { compare, isSecret } from "./plan";
import type { Bag } from "./schema";

/** Goes on with what an interrupted run of this very resource left behind. */
export async function resume(definition: Definition, inputs: Bag, ctx: Context): Promise<Made<Bag> | undefined> {
  const found = await definition.find?.(inputs, ctx);
  if (!found) return undefined;
  ctx.warn(`Resuming ${definition.kind} ${found.id}: ${found.because}`);
  const seen = await definition.read(found.id, inputs, {}, ctx);
  if (!seen) throw new Error(`${definition.kind} ${found.id} is gone again. Run \`pulumi up\` once more.`);
  const { paths } = compare(definition, seen.inputs, inputs);
  const previous = { ...seen.inputs, ...seen.state };
  return {
    id: found.id,
    state: seen.state,
    marker: ctx.marker,
    ready: async () => {
      // What could not be sent must differ next time too: state then holds what the server does.
      const made = await definition
        .update(found.id, { inputs, previous, paths, unfinished: true }, ctx)
        .catch((error: unknown) => {
          throw new RevertedError(error instanceof Error ? error.message : String(error), seen.inputs, seen.state);
        });
      return made.ready ? made.ready() : made.state;
    },
  };
}

/** `import`: takes an object over when it equals what is declared; else lists the differences and changes nothing. */
export async function takeOver(definition: Definition, id: string, inputs: Bag, ctx: Context): Promise<Made<Bag>> {
  const seen = await definition.read(id, inputs, {}, ctx);
  if (!seen)
    throw new OwnershipError(
      `import: there is no ${definition.kind} ${id} in this workspace. Nothing was changed. Remove the option import to create a new one, or mend its id.`,
    );
  const { paths } = compare(definition, seen.inputs, inputs);
  // The marker found is from now on the one we know: a delete must not take it for a new owner's.
  if (paths.length === 0) return { id, state: seen.state, marker: seen.marker };
  const lines = paths.map(
    (path) =>
      `  ${path}${isSecret(definition, path, inputs) ? "" : `: ${show(seen.inputs, path)} on the server, ${show(inputs, path)} declared`}`,
  );
  throw new OwnershipError(
    `import: ${definition.kind} ${id} differs from what is declared, so nothing was changed:\n${lines.join("\n")}\n` +
      "Make the declaration equal to the server first; after the import change it as you like.",
  );
}

function show(bag: Bag, path: string): string {
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
  const inner = (value as Bag)[key];
  return path === key ? inner : valueAtText(inner, path.slice(key.length + 1));
}
