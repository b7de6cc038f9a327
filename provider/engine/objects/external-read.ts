/** Reads resources that a program references but does not manage (`Deployment.get`), with all remote values. */
import { z } from "zod";
import type { Context } from "../../definition/context";
import type { Definition } from "../../definition/definition";
import type { Observation } from "../../definition/results";
import { parseUrn } from "../../definition/urn";
import { containerOf } from "../../schema/fields";
import { childOf, type PropertyMap, unwrap, variantFor } from "../../schema/schema";
import { UserError } from "../../text/user-error";

/**
 * @param state The inputs from the program that identify the parent; on a refresh, the state.
 * @param isFirst Whether the program reads it, rather than a refresh, which drops missing resources from state.
 * @throws UserError when the program reads a resource that does not exist: the engine would continue silently.
 */
export async function readExternal(
  definition: Definition,
  id: string,
  state: PropertyMap,
  isFirst: boolean,
  ctx: Context,
): Promise<Observation | undefined> {
  const remote = await definition.read(id, undefined, state, ctx);
  if (!remote && isFirst) throw new UserError(notFound(definition, id, ctx));
  if (!remote) return undefined;
  const container = containerOf(definition.schema);
  const containerInputs = Object.entries(state).filter(([key]) => key === container?.id || key === container?.url);
  const inputs = { ...Object.fromEntries(containerInputs), ...remote.inputs };
  return { ...remote, inputs: knownFields(variantFor(definition.schema, inputs), inputs) as PropertyMap };
}

const notFound = ({ kind }: Definition, id: string, { urn }: Context) =>
  `${kind} "${parseUrn(urn).name}" (get): ${id} was not found. Check the ID, and that the settings point to the right server and workspace.`;

/** Returns the fields of a value that the schema contains; null means that a field is absent. */
function knownFields(schema: z.ZodType | undefined, value: unknown): unknown {
  const object = schema && unwrap(schema);
  if (!(object instanceof z.ZodObject) || typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).flatMap(([key, part]) => {
    const field = childOf(object, key);
    return field && part != null ? [[key, knownFields(field, part)]] : [];
  });
  return Object.fromEntries(fields);
}
