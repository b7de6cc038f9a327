/** Requests that act once, whatever becomes of their answers: each lost answer is settled by a look. */
import type { Deployment as Answer, DeploymentBody } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import { OwnershipError } from "../../../definition/ownership";
import type { RetainedResource } from "../../../definition/results";
import { HttpError } from "../../../http/errors";
import { NEXT_UP, undetermined } from "../../shared/idempotent-create";
import { assertGone, isLeaving } from "../../shared/not-found";
import { sendRemoval } from "../../shared/optional-route";
import type { Inputs } from "../inputs";
import { createBody, isMasked, markerIn } from "../mapping";
import { bornInThisRun } from "./adoption";
import { explainRejection } from "./rejections";

/** The deployment as it is now. @throws OwnershipError when somebody deleted it, with what to do. */
export async function present(id: string, tenantId: string | undefined, ctx: Context): Promise<Answer> {
  const now = await ctx.clients.controlPlane.getDeployment(id).catch(absent);
  if (now && !isLeaving(now)) return now;
  if (!now) await assertGone(id, tenantId, ctx);
  throw new OwnershipError(
    `Deployment ${id} ${now ? "is being deleted" : "no longer exists"} on the service, so it cannot be changed. Run \`pulumi up --refresh\` to create it again.`,
  );
}

/** A create whose answer was lost is settled by a look-up, never by a blind second POST. */
export async function createOnce(wanted: Inputs, marker: string | undefined, ctx: Context): Promise<Answer> {
  try {
    return await ctx.clients.controlPlane.createDeployment(createBody(wanted, marker));
  } catch (error) {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw await explainRejection(error, ctx);
    const made = await ctx.clients.deploymentCache.searchName(wanted.name).catch((failure: unknown) => {
      throw undetermined(error, failure);
    });
    if (!made)
      throw error.withHint(`No deployment has the name "${wanted.name}", so it was probably not created. ${NEXT_UP}`);
    if (marker === undefined || isMasked(made) ? bornInThisRun(made, ctx) : markerIn(made) === marker) return made;
    throw error;
  }
}

/**
 * An update whose answer was lost is settled by a look: it was done when the service holds it. Where secrets
 * are masked only a new revision tells.
 */
export async function updateOnce(
  id: string,
  body: DeploymentBody,
  before: Answer,
  isDone: (after: Answer) => boolean,
  ctx: Context,
): Promise<Answer> {
  try {
    return await ctx.clients.controlPlane.updateDeployment(id, body);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
    const after = await ctx.clients.controlPlane.getDeployment(id);
    const done = isMasked(after) ? after.latestRevisionId !== before.latestRevisionId : isDone(after);
    if (!done) throw error;
    return after;
  }
}

export async function deleteOnce(now: Answer, ctx: Context): Promise<RetainedResource | undefined> {
  const result = await sendRemoval({
    send: () => ctx.clients.controlPlane.deleteDeployment(now.id),
    exists: async () => {
      const still = await ctx.clients.controlPlane.getDeployment(now.id).catch(absent);
      return still !== undefined && !isLeaving(still);
    },
    clock: ctx.clock,
  });
  if (!("missing" in result)) return undefined;
  ctx.clients.deploymentCache.undeletable.add(now.id);
  return {
    warning: `This service has no way to delete a deployment, so ${now.id} ("${now.name}") still runs there; it is only dropped from this stack's state. Remove it by hand.`,
  };
}

/** From so many at once on, their looks are shared. */
const SHARED_FROM = 5;
/** How many deployments this process waits to see gone. */
let leaving = 0;

/** The first look is its own, later ones among many ask the list who is still there. Only a 404 on the object means gone. */
export async function untilGone(id: string, ctx: Context, what: string): Promise<undefined> {
  let looks = 0;
  const listed = () => (looks++ > 0 && leaving >= SHARED_FROM ? ctx.clients.deploymentCache.look(id) : undefined);
  leaving += 1;
  try {
    await ctx.waitUntil({
      what,
      poll: async () => {
        const now = (await listed()) ?? (await ctx.clients.controlPlane.getDeployment(id).catch(absent));
        return now ? { pending: now.status } : { done: true };
      },
    });
  } finally {
    leaving -= 1;
  }
}

function absent(error: unknown): undefined {
  if (error instanceof HttpError && error.isNotFound) return undefined;
  throw error;
}
