/**
 * Tracks optional routes that servers lack. State records them, since diff sends no request; before anything is replaced
 * because of that record, the server is probed again.
 */
import type { Context } from "../definition/context";
import type { Definition } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import type { Facts } from "../plan/facts";
import type { PropertyMap } from "../schema/schema";

export class RouteMemory {
  private readonly byUrn = new Map<string | undefined, readonly string[]>();
  private readonly replacedForRoutes = new Set<string>();

  /** @param isCause Whether the resource is replaced only because of these routes. */
  note(id: string, { urn }: Facts, routes: readonly string[] | undefined, isCause: boolean): void {
    if (routes) this.byUrn.set(urn, routes);
    if (isCause) this.replacedForRoutes.add(id);
    else this.replacedForRoutes.delete(id);
  }

  /** Returns the recorded facts for the create of a replacement. */
  forCreate({ urn }: Facts): Facts {
    const routes = this.byUrn.get(urn);
    return routes ? { routes } : {};
  }

  /**
   * Probes the server before a replacement that only missing routes cause.
   * @throws OwnershipError when the server now supports the update.
   */
  async assertStillForced(definition: Definition, id: string, state: PropertyMap, ctx: Context): Promise<void> {
    if (!this.replacedForRoutes.has(id)) return;
    const missing = await stillMissing(definition, id, state, ctx);
    if (missing.length === ctx.missingRoutes.length) return;
    throw new OwnershipError(
      `${definition.kind} ${id} was not replaced, because the server can now update it in place. No changes were made. Run \`pulumi up --refresh\` to update it in place.`,
    );
  }
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
