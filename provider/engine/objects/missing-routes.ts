/** Optional routes that a server lacks. State records them, since diff sends no request. */
import type { Context } from "../../definition/context";
import type { Definition } from "../../definition/definition";
import { OwnershipError } from "../../definition/ownership";
import { inputsOf } from "../../plan/diff";
import type { PropertyMap } from "../../schema/schema";

/**
 * Reads the object before a replacement that only missing routes cause.
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
