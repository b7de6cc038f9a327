/**
 * What one process knows about routes that servers lack. State remembers them, since diff sends no request; before
 * anything is lost because of that memory, the server is asked again.
 */
import type { Context } from "../definition/context";
import type { Definition } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import type { InternalProperties } from "../plan/property-values";
import type { PropertyMap } from "../schema/schema";

export class RouteMemory {
  private readonly byUrn = new Map<string | undefined, readonly string[]>();
  private readonly replacedForRoutes = new Set<string>();

  /** @param isCause Whether the resource is replaced only because of these routes. */
  note(id: string, { __urn: urn }: InternalProperties, routes: readonly string[] | undefined, isCause: boolean): void {
    if (routes) this.byUrn.set(urn, routes);
    if (isCause) this.replacedForRoutes.add(id);
    else this.replacedForRoutes.delete(id);
  }

  /** What is known for the create that follows the delete of a replacement. */
  forCreate({ __urn: urn }: InternalProperties): InternalProperties {
    const routes = this.byUrn.get(urn);
    return routes ? { __routes: routes } : {};
  }

  /**
   * Asks again before a replacement that only missing routes cause.
   * @throws OwnershipError when the server can change the resource by now.
   */
  async assertStillForced(definition: Definition, id: string, state: PropertyMap, ctx: Context): Promise<void> {
    if (!this.replacedForRoutes.has(id)) return;
    const missing = await stillMissing(definition, id, state, ctx);
    if (missing.length === ctx.missingRoutes.length) return;
    throw new OwnershipError(
      `${definition.kind} ${id} was not replaced: its server can change it in place now, which it could not at the last attempt. Nothing was changed. Run \`pulumi up --refresh\`, which changes it in place.`,
    );
  }
}

/** The routes that state remembers and that the server still lacks. */
export async function stillMissing(
  definition: Definition,
  id: string,
  state: PropertyMap,
  ctx: Context,
): Promise<readonly string[]> {
  if (ctx.missingRoutes.length === 0 || !definition.stillMissing) return ctx.missingRoutes;
  return definition.stillMissing(id, state, ctx);
}

/** Hidden keys with the routes that a server lacks, or without that key where it lacks none. */
export function withRoutes(
  { __routes: _, ...internal }: InternalProperties,
  routes: readonly string[] = [],
): InternalProperties {
  return routes.length === 0 ? internal : { ...internal, __routes: routes };
}
