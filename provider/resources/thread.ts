/**
 * Thread: a conversation on an agent server, which keeps its state across runs (API `1B`).
 *
 * create: POST /threads or POST /threads/{id}/copy · read: GET, or one search for several · update: PATCH of metadata
 * and ttl · delete: DELETE. Servers may lack the last two routes.
 *
 * Runs write to a thread all the time. So only declared metadata keys are compared, and the initial state of a thread
 * is never compared with its current one.
 */
import type { Thread } from "../api/agent-server/client";
import type { Context } from "../definition/context";
import { defineResource } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import type { Observation, RetainedResource } from "../definition/results";
import { assertGraphExists, assertThreadExists, endpointOfNew, isSamePlace } from "../objects/before-replace";
import { type AgentEndpoint, resolveEndpoint, waitForEndpoint } from "../objects/endpoint";
import { throwDeleted } from "../objects/messages";
import { markerPlace } from "../objects/metadata";
import { withServerKeys } from "../objects/server-keys";
import { UserError } from "../text/user-error";
import { adopt } from "./thread/adopt";
import { completeCopy, copyThread } from "./thread/copy";
import { createThread } from "./thread/create";
import { toConflictError } from "./thread/errors";
import { type Inputs, inputs, outputs, type State, THREAD, UPDATE_ROUTE } from "./thread/fields";
import { toAllInputs, toInputs, toState, toUpdateRequest } from "./thread/mapping";
import { type Attempt, createAttempt, foreignOwner, importFacts, isProven, otherThread } from "./thread/ownership";
import { deleteThread } from "./thread/remove";
import { completeThread, findThread, patchThread, UPDATE_UNSUPPORTED } from "./thread/requests";
import { rules } from "./thread/rules";
import { findSuperstepProblem } from "./thread/supersteps";
import { withTtl } from "./thread/ttl";

export const thread = defineResource<Inputs, State>("Thread", {
  description:
    "A conversation on the agent server of a deployment. It keeps its state across runs; state that runs add is never compared.",
  server: "controlPlane",
  schema: { inputs, outputs },
  rules,
  unique: ({ threadId }) => (threadId === undefined ? undefined : ["threadId", "deploymentId", "deploymentUrl"]),
  impact: {
    replacement: "replace",
    loses: "its history",
    onDelete: null,
  },
  timeouts: { create: "30m", update: "30m", delete: "10m" },
  adopt,
  optionalRoutes: [],
  markerPlace: markerPlace(THREAD.keys),

  async create(desired, ctx) {
    const attempt = createAttempt(desired, await waitForEndpoint(desired, ctx), ctx);
    return desired.copyFrom === undefined ? createThread(attempt) : copyThread(attempt);
  },

  async read(id, declared, previous, ctx) {
    const endpoint = await resolveEndpoint("threads", { ...previous, ...declared }, ctx);
    const found = endpoint && (await findThread(id, endpoint, ctx));
    if (!endpoint || !found) return undefined;
    const other = declared && otherThread(found, { ...previous, ...declared }, ctx);
    if (other !== undefined) {
      ctx.log.warn(`Thread ${id} at ${endpoint.server.url} leaves the state, because ${other}. It was not changed.`);
      return undefined;
    }
    const remote = !declared || declared.ttl ? await withTtl(found, endpoint) : found;
    if (!declared) return { id, inputs: toAllInputs(id, remote), state: toState(remote, endpoint, previous) };
    const isImported = previous.url === undefined;
    if (isImported && (declared.supersteps ?? declared.copyFrom) !== undefined) ctx.log.warn(HISTORY_NOT_COMPARED);
    // The ID of a thread never changes, but an import may name another one than the program declares.
    const hasOtherId =
      isImported && declared.threadId !== undefined && declared.threadId.toLowerCase() !== id.toLowerCase();
    // An import sent nothing yet, so a key that is absent is a difference.
    const metadata = isImported ? remote.metadata : withServerKeys(declared.metadata, remote.metadata);
    return {
      id,
      inputs: { ...toInputs({ ...remote, metadata }, declared), ...(hasOtherId && { threadId: id }) },
      state: toState(remote, endpoint, previous),
      ...(isImported ? importFacts(remote, ctx) : await findMissingRoutes(id, endpoint, ctx)),
    };
  },

  async update(id, { inputs: desired, previous, paths, isUnfinished }, ctx) {
    const change = toUpdateRequest(previous, desired);
    const isResumed = isUnfinished || paths.length === 0;
    if (!change && !isResumed) return { id, inputs: desired, state: toState({}, undefined, previous) };
    const endpoint = (await resolveEndpoint("threads", { ...previous, ...desired }, ctx)) ?? throwDeleted(THREAD, id);
    const thread = (await findThread(id, endpoint, ctx)) ?? throwDeleted(THREAD, id);
    const owner = foreignOwner(thread, previous, ctx);
    if (owner !== undefined)
      throw new OwnershipError(`Thread ${id} at ${endpoint.server.url} was not changed, because ${owner}.`);
    if (isResumed) return resumeUpdate(thread, createAttempt(desired, endpoint, ctx), previous);
    const result = await patchThread(id, change ?? {}, endpoint, ctx);
    if ("gone" in result) return throwDeleted(THREAD, id);
    if ("missing" in result) return failUpdateUnsupported(id, previous, endpoint, ctx);
    return { id, inputs: desired, state: toState(result.response, endpoint, previous), missingRoutes: [] };
  },

  async beforeReplace(id, { desired, previous }, ctx) {
    const endpoint = await endpointOfNew(desired, ctx);
    if (!endpoint) return;
    const { server } = endpoint;
    const { threadId, copyFrom, supersteps, metadata } = desired;
    if (copyFrom?.toLowerCase() === id.toLowerCase() && isSamePlace(copyFrom, endpoint, { id, url: previous.url }))
      throw new UserError(`copyFrom: thread ${id} cannot be a copy of itself, since it is deleted before.`);
    if (copyFrom !== undefined) await assertThreadExists("copyFrom", copyFrom, server);
    if (supersteps !== undefined && typeof metadata?.graph_id === "string") {
      await assertGraphExists("metadata.graph_id", metadata.graph_id, server);
      const problem = await findSuperstepProblem(desired, server);
      if (problem !== undefined) throw new UserError(problem);
    }
    if (threadId === undefined || isSamePlace(threadId, endpoint, { id, url: previous.url })) return;
    const attempt = createAttempt(desired, endpoint, ctx);
    const existing = await server.peekThread(attempt.id);
    if (existing && !isProven(existing, attempt)) throw toConflictError(existing, attempt);
  },

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const endpoint = await resolveEndpoint("threads", previous, ctx);
    return endpoint && deleteThread(id, previous, endpoint, ctx);
  },
});

/** Returns whether the server still lacks the route that it lacked: it may have been upgraded. An empty merge changes nothing. */
async function findMissingRoutes(id: string, endpoint: AgentEndpoint, ctx: Context) {
  const { missingRoutes } = ctx.recorded;
  if (missingRoutes.length === 0) return {};
  const result = await patchThread(id, { metadata: {} }, endpoint, ctx);
  return { missingRoutes: "missing" in result ? missingRoutes : [] };
}

/** Warning of an import. */
const HISTORY_NOT_COMPARED =
  "import: the server does not return the initial state of a thread, so supersteps and copyFrom were not compared.";

/** Resumes an update of an earlier run that ended before everything was confirmed: only the server knows what is missing. */
function resumeUpdate(
  thread: Thread,
  attempt: Attempt,
  previous: Inputs & Partial<State>,
): Promise<Observation<Inputs, State>> {
  const applyRemaining = attempt.desired.copyFrom === undefined ? completeThread : completeCopy;
  return applyRemaining(thread, attempt, previous);
}

/** Records that the route is missing and what the server holds, so that the next run replaces the thread. */
async function failUpdateUnsupported(
  id: string,
  previous: Inputs & Partial<State>,
  endpoint: AgentEndpoint,
  ctx: Context,
): Promise<never> {
  const remote = (await endpoint.server.findThread(id)) ?? throwDeleted(THREAD, id);
  ctx.record({ id, inputs: previous, state: toState(remote, endpoint, previous), missingRoutes: [UPDATE_ROUTE] });
  throw new UserError(UPDATE_UNSUPPORTED);
}
