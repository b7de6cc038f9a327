/** Reads a destination. The interface guarantees none of the routes for it, so each may be missing. */
import type { Destination } from "../../api/tracing/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { HttpError } from "../../http/errors";
import { assertWorkspaceResponds, listIfSupported } from "../shared/idempotent-create";
import type { State } from "./fields";

/**
 * Reads a destination by ID, or else from the list. When the server has neither route, a destination that was returned
 * before counts as deleted once the workspace responds; one that was never returned counts as existing.
 */
export async function findDestination(
  id: string,
  previous: Partial<State>,
  ctx: Context,
  operation: "import" | "get" = "import",
): Promise<Destination | "gone" | "not returned"> {
  try {
    return await ctx.clients.tracing.getDestination(id);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
    const destinations = await listIfSupported(() => ctx.clients.tracing.listDestinations(), ctx);
    if (destinations) return destinations.find((destination) => destination.id === id) ?? "gone";
    if (previous.tenantId === undefined) throw operation === "get" ? toGetError(id, error) : toImportError(id, error);
    if (previous.createdAt === undefined) return "not returned";
    await assertWorkspaceResponds(ctx);
    return "gone";
  }
}

const toGetError = (id: string, { shortCode }: HttpError) =>
  new OwnershipError(
    `get: this server cannot show destination ${id} (${shortCode}) and has no list of destinations. Write its ID and settings in the program instead.`,
  );

/** Returns the error of an import when only the ID is known. */
const toImportError = (id: string, { shortCode }: HttpError) =>
  new OwnershipError(
    `import: this server cannot show destination ${id} (${shortCode}) and has no list of destinations, so it cannot be compared with the program. No changes were made. Remove the import option to create a new one.`,
  );
