/** What the workspace already holds when a deployment is to be created. */
import { IncompleteListError } from "../../api/pagination";
import type { Context, Found } from "../../definition";
import { isLeaving } from "../../gone";
import { PlainError } from "../../http/errors";
import type { Inputs } from "./inputs";
import { untilGone } from "./once";
import { recognise } from "./recognise";

/**
 * What an interrupted run of this very resource left under the wanted name; undefined when the name is free.
 * @throws OwnershipError when somebody else has the name. @throws PlainError when the server does not list everything.
 */
export async function findExisting(wanted: Inputs, ctx: Context): Promise<Found | undefined> {
  const taken = await ctx.directory.byName(wanted.name).catch((error: unknown) => {
    if (!(error instanceof IncompleteListError)) throw error;
    throw new PlainError(
      `${error.message}\nCould not determine whether the name "${wanted.name}" is taken. Nothing was created.`,
    );
  });
  if (!taken) return undefined;
  if (isLeaving(taken))
    return untilGone(taken.id, ctx, `the old deployment ${taken.id} to free the name "${wanted.name}"`);
  return recognise(taken, wanted, ctx);
}
