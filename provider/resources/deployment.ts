/**
 * Deployment: an agent server, run by the control plane (interface part A).
 *
 * create POST /v2/deployments · read GET · update PATCH · delete DELETE, then until it is gone · each change of what
 * runs is a revision, and create and update return when that revision serves.
 *
 * The surprising rule: in a PATCH both null and absent mean "keep", and a non-null revision field makes a revision even
 * when its value is unchanged. So an update sends only what changed.
 */
import type { Deployment as Answer } from "../api/control-plane/client";
import type { Context } from "../definition/context";
import { defineResource } from "../definition/definition";
import { type CreateResult, PartialStateError, type RetainedResource, type UpdateRequest } from "../definition/results";
import { resolvePlaceholders } from "../schema/unknown-secrets";
import { adopt } from "./deployment/adopt";
import { confirmedInputs } from "./deployment/confirmed";
import { findExisting } from "./deployment/create/find";
import { createOnce, deleteOnce, present, untilGone, updateOnce } from "./deployment/create/requests";
import { IMMUTABLE } from "./deployment/fields";
import { hasContent, impact } from "./deployment/impact";
import { type Inputs, inputs } from "./deployment/inputs";
import { below, markerIn, patchBody, secretValuesIn, toInputs, toState } from "./deployment/mapping";
import { missingPaths, notReturnedOf } from "./deployment/omitted-fields";
import { OPTIONAL_ROUTES } from "./deployment/optional-routes";
import { outputs, type State } from "./deployment/outputs";
import { projectOf, withProject } from "./deployment/project";
import { deployAgain, rollBack } from "./deployment/rollout/redeploy";
import { hasFailed, rollout } from "./deployment/rollout/rollout";
import { RolloutError } from "./deployment/rollout/rollout-error";
import { isUnfinished } from "./deployment/rollout/unfinished";
import { rules } from "./deployment/rules";
import { withLiveCommit } from "./deployment/source/commits";
import { assertSendable, digestOf, withSource } from "./deployment/source/upload";
import { assertGone, isLeaving } from "./shared/not-found";

export const deployment = defineResource<Inputs, State>("Deployment", {
  server: "controlPlane",
  schema: {
    inputs,
    discriminator: "source",
    outputs,
    nameFrom: "name",
    derived: [{ from: "sourcePath", to: "sourceDigest", compute: (folder) => digestOf(String(folder)) }],
    assumed: ["redeployTriggers"],
    follows: { url: ["sourceConfig.customUrl"] },
  },
  rules,
  unique: () => ["name"],
  secrets: { paths: ["secrets.*"] },
  replace: { on: IMMUTABLE },
  impact,
  timeouts: { create: "30m", update: "30m", delete: "10m" },
  adopt,
  optionalRoutes: OPTIONAL_ROUTES,

  find: findExisting,

  async create(wanted, ctx): Promise<CreateResult<State>> {
    await assertSendable(wanted);
    const marker = ctx.settings.ownerMarker ? ctx.marker : undefined;
    const answer = await createOnce(wanted, marker, ctx);
    ctx.log.protect(secretValuesIn(answer));
    ctx.clients.deploymentCache.changed(answer);
    const ready = async () => {
      const started = wanted.sourcePath === undefined ? answer : await sendSource(answer, wanted, ctx);
      const live = isEmpty(wanted) ? started : await rollout(started, wanted, ctx).catch(keepRemote(wanted));
      const state = { ...toState(live), __notReturned: missingPaths(live, wanted) };
      return withProject(state, wanted.name, ctx);
    };
    return { id: answer.id, state: toState(answer), marker, ready };
  },

  async read(id, declared, previous, ctx) {
    const answer = await ctx.clients.deploymentCache.byId(id);
    if (answer && !isLeaving(answer)) {
      ctx.log.protect(secretValuesIn(answer));
      const ours = previous.createdAt !== undefined;
      const state = await withLiveCommit(toState(answer, previous), answer, ctx);
      const tracingProjectId = (await projectOf(answer.name, ctx)) ?? previous.tracingProjectId;
      const written = (ours && declared ? withoutReported(declared, previous, answer) : declared) ?? ({} as Inputs);
      const missing = new Set(missingPaths(answer, written));
      const notReturned = ctx.notReturned?.filter((path) => missing.has(path));
      return {
        inputs: toInputs(answer, written, { ours, notReturned }),
        confirmed: confirmedInputs(answer, written),
        state: { ...state, tracingProjectId, ...(notReturned && { __notReturned: notReturned }) },
        marker: markerIn(answer),
        ...(ours && (await isUnfinished(answer, written, ctx)) && { unready: true }),
      };
    }
    if (!answer) await assertGone(id, previous.tenantId, ctx);
    return undefined;
  },

  async update(id, asked, ctx): Promise<CreateResult<State>> {
    const before = await present(id, asked.previous.tenantId, ctx);
    // Those of before a rotation too: the log of what ran then may show them.
    ctx.log.protect(secretValuesIn(before));
    const change = { ...asked, previous: withHeld(asked.previous, before, asked.inputs) };
    ctx.clients.deploymentCache.changed(before);
    const marker = markerIn(before) ?? ctx.owner ?? (ctx.settings.ownerMarker ? ctx.marker : undefined);
    const body = await bodyOf(change, before, marker, ctx);
    const isDone = (after: Answer) => isUploadKnown(body, before, after) && !patchBody(change, after, marker);
    const sent = body ? await updateOnce(id, body, before, isDone, ctx) : before;
    const after = sent.latestRevisionId === before.latestRevisionId ? await deployAgain(sent, change, ctx) : sent;
    ctx.clients.deploymentCache.changed(after);
    const held = toState(before, change.previous);
    const ready = async () => {
      const serving = await rollout(after, change.inputs, ctx)
        .catch((error) => rollBack(error, before, after, change, ctx))
        .catch(keepRemote(change.inputs, held));
      const notReturned = notReturnedOf(serving, change.inputs, body ?? {}, ctx.notReturned);
      return withProject({ ...toState(serving, held), __notReturned: notReturned }, after.name, ctx);
    };
    return {
      id,
      state: toState(after, held),
      ready,
      ...(body?.secrets && marker !== undefined && { marker }),
    };
  },

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const now = await ctx.clients.deploymentCache.byId(id);
    if (!now) return assertGone(id, previous.tenantId, ctx);
    ctx.log.protect(secretValuesIn(now));
    if (!isLeaving(now)) {
      const marker = markerIn(now);
      if (marker !== undefined && marker !== ctx.owner && marker !== ctx.marker) {
        return {
          warning: `Deployment ${id} ("${now.name}") now belongs to ${marker}; it was left in place and is only dropped from this stack's state.`,
        };
      }
      const left = await deleteOnce(now, ctx);
      if (left) return left;
    }
    ctx.clients.deploymentCache.changed(now);
    return untilGone(id, ctx, `deployment ${id} to be gone`);
  },
});

/** What was there before, with what the service holds in place of secrets that state never saw: a roll-back sends it. */
const withHeld = (previous: Inputs & Partial<State>, before: Answer, wanted: Inputs) =>
  resolvePlaceholders(resolvePlaceholders(previous, toInputs(before, previous)), wanted);

/** After a failed rollout state holds what the server held at its end, such as an unhealthy revision that is live. */
const keepRemote = (inputs: Inputs, held?: State) => (error: unknown) => {
  if (!(error instanceof RolloutError)) throw error;
  throw new PartialStateError(error.message, inputs, toState(error.failure.remote, held));
};

/** Created for content that comes later: there is nothing to wait for, whatever the server makes of it. */
const isEmpty = (wanted: Inputs) => /^internal_(docker|source)$/.test(wanted.source) && !hasContent(wanted);

/** What was declared. State of 0.1.0 held as imageVersion what the server reported, which is another output now. */
function withoutReported(declared: Inputs, { currentImageVersion }: Partial<State>, remote: Answer): Inputs {
  if (currentImageVersion !== undefined || remote.imageVersion == null) return declared;
  const { imageVersion: _, ...written } = declared;
  return written;
}

/** An upload may go to the same path each time: then only a new revision shows that the server was told of it. */
const isUploadKnown = (body: Pick<Answer, "sourceRevisionConfig"> | undefined, before: Answer, after: Answer) =>
  tarballOf(body) === undefined ||
  (tarballOf(after) === tarballOf(body) && after.latestRevisionId !== before.latestRevisionId);

const tarballOf = (held: Pick<Answer, "sourceRevisionConfig"> | undefined) =>
  held?.sourceRevisionConfig?.sourceTarballPath ?? undefined;

/**
 * A source is sent once the deployment exists, since its upload address belongs to it; this makes the first revision.
 * @throws PartialStateError without the digest of what did not arrive, so that the next run sends it.
 */
async function sendSource(made: Answer, wanted: Inputs, ctx: Context): Promise<Answer> {
  try {
    const body = await withSource(made.id, wanted, undefined, ctx);
    return await updateOnce(made.id, body, made, (after) => after.latestRevisionId !== made.latestRevisionId, ctx);
  } catch (error) {
    const { sourceDigest: _, ...held } = wanted;
    throw new PartialStateError(error instanceof Error ? error.message : String(error), held, toState(made));
  }
}

/** What is to be sent: what changed, and the source where that did, or where nothing shows that the last one arrived. */
async function bodyOf(change: UpdateRequest<Inputs, State>, before: Answer, marker: string | undefined, ctx: Context) {
  const body = patchBody(change, before, marker);
  if (change.inputs.sourcePath === undefined) return body;
  const isDue = below(change.paths, "sourceDigest") || before.latestRevisionId == null;
  if (!isDue && !(await isRetry(before, ctx))) return body;
  return withSource(before.id, change.inputs, body, ctx);
}

/** The newest revision failed, perhaps because its upload was lost: another attempt uploads again. */
async function isRetry(before: Answer, ctx: Context): Promise<boolean> {
  if (before.latestRevisionId === before.activeRevisionId || !(await hasFailed(before, ctx))) return false;
  ctx.log.warn("the latest revision had failed; uploading the source again and retrying it once.");
  return true;
}
