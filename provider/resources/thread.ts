/**
 * Thread: a conversation on an agent server, which keeps its state across runs (API `1B`).
 *
 * create: POST /threads or POST /threads/{id}/copy · read: GET, or one search for several · update: PATCH of metadata
 * and ttl · delete: DELETE. Servers may lack the last two routes.
 *
 * Runs write to a thread all the time. So only declared metadata keys are compared, and the initial state of a thread
 * is never compared with its current one.
 */
import type { Context } from "../definition/context";
import { defineResource } from "../definition/definition";
import type { Observation, RetainedResource } from "../definition/results";
import { UserError } from "../text/user-error";
import {
  assertGraphExists,
  assertThreadExists,
  endpointOfNew,
  isSamePlace,
} from "./shared/agent-server/before-replace";
import { type AgentEndpoint, resolveEndpoint, waitForEndpoint } from "./shared/agent-server/endpoint";
import { throwDeleted } from "./shared/agent-server/messages";
import { markerPlace } from "./shared/agent-server/metadata";
import { adopt } from "./thread/adopt";
import { completeCopy, copyThread } from "./thread/copy";
import { createThread } from "./thread/create";
import { type Inputs, inputs, outputs, type State, THREAD, UPDATE_ROUTE } from "./thread/fields";
import { toAllInputs, toInputs, toState, toUpdateRequest } from "./thread/mapping";
import { type Attempt, createAttempt, importFacts, isProven, toConflictError } from "./thread/ownership";
import { completeThread, findThread, patchThread, removeThread, UPDATE_UNSUPPORTED } from "./thread/requests";
import { rules } from "./thread/rules";

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
    const remote = endpoint && (await findThread(id, endpoint, ctx));
    if (!endpoint || !remote) return undefined;
    if (!declared) return { id, inputs: toAllInputs(id, remote), state: toState(remote, endpoint, previous) };
    const isImported = previous.url === undefined;
    if (isImported && (declared.supersteps ?? declared.copyFrom) !== undefined) ctx.log.warn(HISTORY_NOT_COMPARED);
    // The ID of a thread never changes, but an import may name another one than the program declares.
    const hasOtherId =
      isImported && declared.threadId !== undefined && declared.threadId.toLowerCase() !== id.toLowerCase();
    return {
      id,
      inputs: { ...toInputs(remote, declared), ...(hasOtherId && { threadId: id }) },
      state: toState(remote, endpoint, previous),
      ...(isImported ? importFacts(remote, ctx) : await findMissingRoutes(id, endpoint, ctx)),
    };
  },

  async update(id, { inputs: desired, previous, paths, isUnfinished }, ctx) {
    const change = toUpdateRequest(previous, desired);
    const isResumed = isUnfinished || paths.length === 0;
    if (!change && !isResumed) return { id, inputs: desired, state: toState({}, undefined, previous) };
    const endpoint = (await resolveEndpoint("threads", { ...previous, ...desired }, ctx)) ?? throwDeleted(THREAD, id);
    if (isResumed) return resumeUpdate(id, createAttempt(desired, endpoint, ctx), previous);
    const result = await patchThread(id, change ?? {}, endpoint, ctx);
    if ("gone" in result) return throwDeleted(THREAD, id);
    if ("missing" in result) return failUpdateUnsupported(id, previous, endpoint, ctx);
    const remote = result.response;
    if (change?.ttl === null && remote.ttl) ctx.log.warn("ttl: this server cannot remove a TTL; the thread keeps it.");
    return { id, inputs: desired, state: toState(remote, endpoint, previous), missingRoutes: [] };
  },

  async beforeReplace(id, { desired, previous }, ctx) {
    const endpoint = await endpointOfNew(desired, ctx);
    if (!endpoint) return;
    const { server } = endpoint;
    const { threadId, copyFrom, supersteps, metadata } = desired;
    if (copyFrom?.toLowerCase() === id.toLowerCase() && isSamePlace(copyFrom, endpoint, { id, url: previous.url }))
      throw new UserError(`copyFrom: thread ${id} cannot be a copy of itself, since it is deleted before.`);
    if (copyFrom !== undefined) await assertThreadExists("copyFrom", copyFrom, server);
    if (supersteps !== undefined && typeof metadata?.graph_id === "string")
      await assertGraphExists("metadata.graph_id", metadata.graph_id, server);
    if (threadId === undefined || isSamePlace(threadId, endpoint, { id, url: previous.url })) return;
    const attempt = createAttempt(desired, endpoint, ctx);
    const existing = await server.peekThread(attempt.id);
    if (existing && !isProven(existing, attempt)) throw toConflictError(existing, attempt);
  },

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const endpoint = await resolveEndpoint("threads", previous, ctx);
    const removal = endpoint ? await removeThread(id, endpoint, ctx) : "gone";
    if (!endpoint || removal === "gone") return undefined;
    const { url } = endpoint.server;
    return {
      warning:
        removal === "unreachable"
          ? `Thread ${id} was not deleted, because no agent server is responding at ${url} (404). It was removed from this stack's state only. If the server still exists, it still stores the thread's history: delete it manually.`
          : `Thread ${id} was not deleted, because the server at ${url} does not support deletion. It was removed from this stack's state only. The server still stores its history: delete it manually or let it expire.`,
    };
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
async function resumeUpdate(
  id: string,
  attempt: Attempt,
  previous: Inputs & Partial<State>,
): Promise<Observation<Inputs, State>> {
  const thread = (await findThread(id, attempt, attempt.ctx)) ?? throwDeleted(THREAD, id);
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
