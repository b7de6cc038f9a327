/**
 * Deployment: an agent server, run by the control plane (interface part A).
 *
 * create POST /v2/deployments · read GET · update PATCH · delete DELETE, then until it is gone · each change of what
 * runs is a revision, and create and update return when that revision serves.
 *
 * The surprising rule: in a PATCH both null and absent mean "keep", and a non-null revision field makes a revision even
 * when its value is unchanged. So an update sends only what changed.
 */
import type { Deployment as Answer, DeploymentBody } from "../api/control-plane";
import {
  type Change,
  type Context,
  defineResource,
  type Found,
  type LeftBehind,
  type Made,
  RevertedError,
} from "../definition";
import { RequestError } from "../http/errors";
import { type Inputs, inputs } from "./deployment/inputs";
import { outputs, type State } from "./deployment/outputs";
import { assertSameWorkspace, bornInThisRun, IMMUTABLE, recognise } from "./deployment/recognise";
import { hasFailed, RolloutError, rollout, sameContent } from "./deployment/rollout";
import { rules } from "./deployment/rules";
import {
  below,
  createBody,
  isLeaving,
  isMasked,
  markerIn,
  patchBody,
  toInputs,
  toState,
} from "./deployment/server-side";

/** What a change of a path does to the live service, for the preview; the first that fits. */
const EFFECTS: [prefix: string, effect: string][] = [
  ["sourceRevisionConfig", "new revision"],
  ["secrets", "new revision"],
  ["sourceConfig.resourceSpec", "new revision"],
  ["redeployTriggers", "new revision"],
  ["secretReferences", "takes effect with the next revision"],
  ["sourceConfig.installCommand", "takes effect with the next revision"],
  ["sourceConfig.buildCommand", "takes effect with the next revision"],
  ["waitFor", "changes nothing on the service"],
  ["rollbackOnFailure", "changes nothing on the service"],
  ["", "in place"],
];

export const deployment = defineResource<Inputs, State>("Deployment", {
  inputs,
  discriminator: "source",
  outputs,
  named: "name",
  rules,
  replaceOn: IMMUTABLE,
  secrets: ["secrets.*"],
  minutes: { create: 30, update: 30, delete: 10 },

  explain(changes, replaces) {
    if (replaces.length > 0) return `REPLACED, its database and threads are lost: ${shortNames(replaces)}`;
    const byEffect = Map.groupBy(
      changes,
      (path) => EFFECTS.find(([prefix]) => prefix === "" || below([path], prefix))?.[1] ?? "",
    );
    return [...byEffect].map(([effect, paths]) => `${effect}: ${shortNames(paths)}`).join("; ");
  },

  async find(wanted, ctx): Promise<Found | undefined> {
    const taken = await ctx.directory.byName(wanted.name);
    if (!taken) return undefined;
    if (isLeaving(taken))
      return untilGone(taken.id, ctx, `the old deployment ${taken.id} to free the name "${wanted.name}"`);
    return recognise(taken, wanted, ctx);
  },

  async create(wanted, ctx): Promise<Made<State>> {
    const marker = ctx.settings.ownerMarker ? ctx.marker : undefined;
    const answer = await createOnce(wanted, marker, ctx);
    ctx.directory.changed(answer);
    return {
      id: answer.id,
      state: toState(answer),
      marker,
      ready: async () => toState(await rollout(answer, wanted, ctx)),
    };
  },

  async read(id, declared, previous, ctx) {
    const answer = await ctx.directory.byId(id);
    if (answer && !isLeaving(answer)) {
      return { inputs: toInputs(answer, declared), state: toState(answer), marker: markerIn(answer) };
    }
    if (!answer) await assertSameWorkspace(previous.tenantId, ctx);
    return undefined;
  },

  async update(id, change, ctx): Promise<Made<State>> {
    const before = await ctx.controlPlane.getDeployment(id);
    ctx.directory.changed(before);
    const marker = markerIn(before) ?? ctx.owner ?? (ctx.settings.ownerMarker ? ctx.marker : undefined);
    const body = patchBody(change, before, marker);
    const left = (after: Answer) => patchBody(change, after, marker);
    const sent = body ? await updateOnce(id, body, before, left, ctx) : before;
    const after = sent.latestRevisionId === before.latestRevisionId ? await deployAgain(sent, change, ctx) : sent;
    ctx.directory.changed(after);
    const ready = async () =>
      toState(await rollout(after, change.inputs, ctx).catch((error) => fallBack(error, before, after, change, ctx)));
    return { id, state: toState(after), ready };
  },

  async delete(id, previous, ctx): Promise<LeftBehind | undefined> {
    const now = await ctx.directory.byId(id);
    if (!now) return assertSameWorkspace(previous.tenantId, ctx);
    if (!isLeaving(now)) {
      const marker = markerIn(now);
      if (marker !== undefined && marker !== ctx.owner) {
        return {
          warning: `Deployment ${id} ("${now.name}") now belongs to ${marker}; it was left in place and is only dropped from this stack's state.`,
        };
      }
      const left = await deleteOnce(now, ctx);
      if (left) return left;
    }
    ctx.directory.changed(now);
    return untilGone(id, ctx, `deployment ${id} to be gone`);
  },
});

const shortNames = (paths: readonly string[]) =>
  paths.map((path) => path.replace(/^source(Revision)?Config\./, "")).join(", ");

/** A create whose answer was lost is settled by a look-up, never by a blind second POST. */
async function createOnce(wanted: Inputs, marker: string | undefined, ctx: Context): Promise<Answer> {
  try {
    return await ctx.controlPlane.createDeployment(createBody(wanted, marker));
  } catch (error) {
    if (!(error instanceof RequestError) || !error.mayHaveActed) throw error;
    const made = await ctx.directory.searchName(wanted.name);
    if (!made) throw error;
    if (marker === undefined || isMasked(made) ? bornInThisRun(made, ctx) : markerIn(made) === marker) return made;
    throw error;
  }
}

/**
 * An update whose answer was lost is settled by a look: it was done when nothing of it is left to be sent. Where secrets
 * are masked only a new revision tells.
 */
async function updateOnce(
  id: string,
  body: DeploymentBody,
  before: Answer,
  left: (after: Answer) => DeploymentBody | undefined,
  ctx: Context,
): Promise<Answer> {
  try {
    return await ctx.controlPlane.updateDeployment(id, body);
  } catch (error) {
    if (!(error instanceof RequestError) || !error.mayHaveActed) throw error;
    const after = await ctx.controlPlane.getDeployment(id);
    const done = isMasked(after) ? after.latestRevisionId !== before.latestRevisionId : left(after) === undefined;
    if (!done) throw error;
    return after;
  }
}

/** Nothing sent made a revision, but one is wanted: a trigger changed, or the last one failed and this run resumes it. */
async function deployAgain(
  now: Answer,
  { inputs: wanted, paths }: Change<Inputs, State>,
  ctx: Context,
): Promise<Answer> {
  const triggered = below(paths, "redeployTriggers");
  const resumes = paths.length === 0 && (await hasFailed(now, ctx));
  if (!triggered && !resumes) return now;
  if (resumes) ctx.warn("the newest revision had failed; this is one new attempt with the same content.");
  return redeploy(now, now.latestRevisionId, wanted, ctx);
}

/** Deploys a revision's content again: by its own route, or where that is missing by an unchanged field. */
async function redeploy(
  now: Answer,
  revisionId: string | null | undefined,
  content: Inputs,
  ctx: Context,
): Promise<Answer> {
  if (revisionId != null) {
    try {
      return await ctx.controlPlane.redeployRevision(now.id, revisionId);
    } catch (error) {
      if (!(error instanceof RequestError) || !error.maybeMissingRoute) throw error;
    }
  }
  const body = sameContent(content) ?? sameContent(now);
  return body ? ctx.controlPlane.updateDeployment(now.id, body) : now;
}

/** `rollbackOnFailure`: the last good revision serves again, and the update still fails. */
async function fallBack(
  error: unknown,
  before: Answer,
  after: Answer,
  { inputs: wanted, previous }: Change<Inputs, State>,
  ctx: Context,
): Promise<Answer> {
  const started = after.latestRevisionId !== before.latestRevisionId;
  if (!(error instanceof RolloutError) || !wanted.rollbackOnFailure || !started || before.activeRevisionId == null)
    throw error;
  ctx.progress(`the revision failed: deploying ${before.activeRevisionId} again`);
  try {
    const restored = await rollout(await redeploy(after, before.activeRevisionId, previous, ctx), previous, ctx);
    throw new RevertedError(
      `${error.message}\nRolled back: the content of revision ${before.activeRevisionId} serves again, as revision ${restored.latestRevisionId}.`,
      previous,
      toState(restored),
    );
  } catch (second) {
    if (second instanceof RevertedError) throw second;
    throw new RolloutError(
      `${error.message}\nThe roll-back to revision ${before.activeRevisionId} failed too: ${second instanceof Error ? second.message : second}`,
    );
  }
}

async function deleteOnce(now: Answer, ctx: Context): Promise<LeftBehind | undefined> {
  try {
    await ctx.controlPlane.deleteDeployment(now.id);
  } catch (error) {
    if (!(error instanceof RequestError) || !error.maybeMissingRoute) throw error;
    const still = await ctx.controlPlane.getDeployment(now.id).catch(absent);
    if (!still || isLeaving(still)) return undefined;
    return {
      warning: `This service has no way to delete a deployment, so ${now.id} ("${now.name}") still runs there; it is only dropped from this stack's state. Remove it by hand.`,
    };
  }
  return undefined;
}

async function untilGone(id: string, ctx: Context, what: string): Promise<undefined> {
  await ctx.waitUntil({
    what,
    look: async () => {
      const now = await ctx.controlPlane.getDeployment(id).catch(absent);
      return now ? { pending: now.status } : { done: true };
    },
  });
}

function absent(error: unknown): undefined {
  if (error instanceof RequestError && error.isNotFound) return undefined;
  throw error;
}
