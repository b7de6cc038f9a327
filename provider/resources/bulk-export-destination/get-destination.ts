/** What the service shows of a destination. The interface promises no route that does, so each may be missing. */
import type { Destination } from "../../api/tracing/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { HttpError } from "../../http/errors";
import { assertWorkspaceResponds, listIfSupported } from "../shared/idempotent-create";
import type { State } from "./fields";

/**
 * A look by id, else in the list. Where neither is there, an id that was shown before is gone once the workspace
 * answers; one that never was is taken to be there, as state says.
 */
export async function findDestination(
  id: string,
  previous: Partial<State>,
  ctx: Context,
  operation: "import" | "get" = "import",
): Promise<Destination | "gone" | "not shown"> {
  try {
    return await ctx.clients.tracing.getDestination(id);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.isUnsupportedRoute) throw error;
    const destinations = await listIfSupported(() => ctx.clients.tracing.listDestinations(), ctx);
    if (destinations) return destinations.find((destination) => destination.id === id) ?? "gone";
    if (previous.tenantId === undefined) throw operation === "get" ? toGetError(id, error) : toImportError(id, error);
    if (previous.createdAt === undefined) return "not shown";
    await assertWorkspaceResponds(ctx);
    return "gone";
  }
}

const toGetError = (id: string, { shortCode: brief }: HttpError) =>
  new OwnershipError(
    `get: this server cannot show destination ${id} (${brief}) and has no list of destinations. Write its ID and settings in the program instead.`,
  );

/** Nothing is known of it but the id that somebody wrote. */
const toImportError = (id: string, { shortCode: brief }: HttpError) =>
  new OwnershipError(
    `import: this service shows no destination ${id} (${brief}) and has no list of them, so it cannot be compared with what is declared. Nothing was changed. Remove the option import to create a new one.`,
  );
