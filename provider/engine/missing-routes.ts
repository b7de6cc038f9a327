/** Optional routes that a server lacks. State records them, since diff sends no request. */
import type { Context } from "../definition/context";
import type { Definition } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import type { Facts } from "../plan/facts";
import type { PropertyMap } from "../schema/schema";

/**
 * Probes the server before a replacement that only missing routes cause.
 * @throws OwnershipError when the server now supports the update.
 */
export async function assertStillMissing(
  definition: Definition,
  id: string,
  state: PropertyMap,
  ctx: Context,
): Promise<void> {
  const missing = await stillMissing(definition, id, state, ctx);
  if (missing.length === ctx.missingRoutes.length) return;
  throw new OwnershipError(
    `${definition.kind} ${id} was not replaced, because the server can now update it in place. No changes were made. Run \`pulumi up --refresh\` to update it in place.`,
  );
}

/** Returns the routes recorded in state that the server still lacks. */
export async function stillMissing(
  definition: Definition,
  id: string,
  state: PropertyMap,
  ctx: Context,
): Promise<readonly string[]> {
  if (ctx.missingRoutes.length === 0 || !definition.stillMissing) return ctx.missingRoutes;
  return definition.stillMissing(id, state, ctx);
}

/** Returns facts with the missing routes; without them when there are none. */
export function withRoutes({ routes: _, ...facts }: Facts, routes: readonly string[] = []): Facts {
  return routes.length === 0 ? facts : { ...facts, routes };
}
