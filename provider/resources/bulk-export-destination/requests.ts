/** The requests about one destination, except the one that creates it. The interface guarantees none of their routes. */
import type { Destination } from "../../api/tracing/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { HttpError } from "../../http/errors";
import { assertSameId, assertWorkspaceResponds } from "../exports/idempotent-create";
import type { Inputs, State } from "./fields";
import { throwExplained } from "./rejections";

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
  const { tracing } = ctx.clients;
  const { destination, isListed, rejection } = await tracing.showDestination(id);
  if (destination) return assertSameId(destination, id);
  const wasReturned = previous.createdAt !== undefined;
  // Nothing depends on why neither route returns it: it stays in state.
  if (!isListed && previous.tenantId !== undefined && !wasReturned) return "not returned";
  const found = await tracing.findDestinationAgain(id);
  if (found) return found;
  if (isListed) return "gone";
  if (previous.tenantId === undefined)
    throw operation === "get" ? toGetError(id, rejection) : toImportError(id, rejection);
  await assertWorkspaceResponds(ctx);
  return "gone";
}

/** Stores other credentials in a destination; undefined when it is gone. @throws UnsupportedError */
export const rotateCredentials = (
  id: string,
  credentials: Inputs["credentials"],
  previous: Partial<State>,
  ctx: Context,
): Promise<Destination | undefined> =>
  ctx.clients.tracing.profile
    .send("destinations-patch", {
      send: () => ctx.clients.tracing.rotateCredentials(id, credentials),
      exists: createExistenceCheck(id, previous, ctx),
    })
    .catch(throwExplained);

/** @throws UnsupportedError when the server cannot delete destinations. */
export const removeDestination = (id: string, previous: Partial<State>, ctx: Context): Promise<void> =>
  ctx.clients.tracing.profile.remove("destinations-delete", {
    send: () => ctx.clients.tracing.deleteDestination(id),
    exists: createExistenceCheck(id, previous, ctx),
  });

const createExistenceCheck = (id: string, previous: Partial<State>, ctx: Context) => async () =>
  (await findDestination(id, previous, ctx)) !== "gone";

const toGetError = (id: string, { shortCode = "404" }: Partial<HttpError> = {}) =>
  new OwnershipError(
    `get: this server cannot show destination ${id} (${shortCode}) and has no list of destinations. Write its ID and settings in the program instead.`,
  );

/** Returns the error of an import when only the ID is known. */
const toImportError = (id: string, { shortCode = "404" }: Partial<HttpError> = {}) =>
  new OwnershipError(
    `import: this server cannot show destination ${id} (${shortCode}) and has no list of destinations, so it cannot be compared with the program. No changes were made. Remove the import option to create a new one.`,
  );
