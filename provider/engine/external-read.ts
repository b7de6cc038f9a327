/** Reading what a program refers to and does not manage (`Deployment.get`): all that the server holds is returned. */
import { z } from "zod";
import type { Context } from "../definition/context";
import type { Definition } from "../definition/definition";
import type { ReadResult } from "../definition/results";
import { childOf, type PropertyMap, unwrap, variantFor } from "../schema/schema";
import { UserError } from "../text/user-error";

/**
 * @param state What the program says of it: the inputs that name what holds it. A later refresh passes its state.
 * @param isFirst Whether the program asks, and not a refresh, which drops from state what is gone.
 * @throws UserError when the program requests what does not exist: the engine would continue silently.
 */
export async function readExternal(
  definition: Definition,
  id: string,
  state: PropertyMap,
  isFirst: boolean,
  ctx: Context,
): Promise<ReadResult<PropertyMap, PropertyMap> | undefined> {
  const remote = await definition.read(id, undefined, state, ctx);
  if (!remote && isFirst) throw new UserError(notFound(definition, id, ctx));
  if (!remote) return undefined;
  const { container } = definition.schema;
  const containerInputs = Object.entries(state).filter(([key]) => key === container?.id || key === container?.url);
  const inputs = { ...Object.fromEntries(containerInputs), ...remote.inputs };
  return { ...remote, inputs: knownFields(variantFor(definition.schema, inputs), inputs) as PropertyMap };
}

const notFound = ({ kind }: Definition, id: string, { urn }: Context) =>
  `${kind} "${urn.split("::").at(-1)}" (get): ${id} was not found. Check the ID, and that the settings name the right server and workspace.`;

/** What a schema knows of a value: null is how a server says that a field is absent. */
function knownFields(schema: z.ZodType | undefined, value: unknown): unknown {
  const object = schema && unwrap(schema);
  if (!(object instanceof z.ZodObject) || typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).flatMap(([key, part]) => {
    const field = childOf(object, key);
    return field && part != null ? [[key, knownFields(field, part)]] : [];
  });
  return Object.fromEntries(fields);
}
