/**
 * Cron: runs of an assistant on a schedule (API `2B.Cron`).
 *
 * create: POST /runs/crons or POST /threads/{id}/runs/crons, after a search · read: GET, or one search for several ·
 * update: PATCH · delete: DELETE. Only some servers have crons.
 *
 * The server assigns the ID, and each POST makes another cron, which fires as well. So the marker in the metadata is
 * searched before a create and after a lost response, and several crons with one marker are all left alone.
 */
import { NO_CRONS, NoCronsError } from "../api/agent-server/crons";
import type { Context } from "../definition/context";
import { defineResource } from "../definition/definition";
import type { RetainedResource } from "../definition/results";
import { assertAssistantExists, assertThreadExists, endpointOfNew } from "../objects/before-replace";
import { type AgentEndpoint, resolveEndpoint, waitForEndpoint } from "../objects/endpoint";
import { throwDeleted } from "../objects/messages";
import { markerFacts, markerPlace } from "../objects/metadata";
import { parseTimestamp } from "../schema/timestamp";
import { adopt } from "./cron/adopt";
import { createCron } from "./cron/create";
import { CRON, type Inputs, inputs, outputs, type State } from "./cron/fields";
import { toAllInputs, toInputs, toState } from "./cron/mapping";
import { warnOfOthers, warnOfOthersOnce } from "./cron/own-crons";
import { createAttempt, isCopy } from "./cron/ownership";
import { applyRemaining, findCron, NoCronRoutesError, removeCron, sendChange } from "./cron/requests";
import { rules } from "./cron/rules";

const RUNS_CONTINUE = "runs that it started continue";

export const cron = defineResource<Inputs, State>("Cron", {
  description:
    "A schedule on which the agent server of a deployment starts runs of an assistant. It has no history; a replacement skips a time that falls into it, and runs that it started continue.",
  server: "controlPlane",
  schema: { inputs, outputs },
  rules,
  impact: {
    replacement: "replace",
    loses: null,
    onDelete: RUNS_CONTINUE,
    onCreate: (_context, replacing) => (replacing ? RUNS_CONTINUE : undefined),
    warn: (_paths, { inputs: { endTime }, now }) => {
      const end = parseTimestamp(endTime);
      return end !== undefined && Number(end) / 1000 <= now
        ? { path: "endTime", reason: "has passed, so the cron never fires." }
        : undefined;
    },
  },
  timeouts: { create: "30m", update: "10m", delete: "10m" },
  adopt,
  optionalRoutes: [],
  markerPlace: markerPlace(CRON.keys),

  async create(desired, ctx) {
    return createCron(createAttempt(desired, await waitForEndpoint(desired, ctx), ctx));
  },

  async read(id, declared, previous, ctx) {
    const endpoint = await resolveEndpoint("crons", { ...previous, ...declared }, ctx);
    const remote = endpoint && (await findCron(id, endpoint, ctx).catch(undefinedIfNone));
    if (!endpoint || !remote) return undefined;
    const state = toState(remote, endpoint, previous);
    if (!declared) return { id, inputs: toAllInputs(remote), state };
    const isImported = previous.url === undefined;
    if (!isImported) await warnOfOthersOnce(id, createAttempt(declared, endpoint, ctx));
    return {
      id,
      inputs: toInputs(remote, declared),
      state,
      ...(isImported && !isCopy(remote) && markerFacts(CRON.keys, remote.metadata, ctx)),
    };
  },

  async update(id, { inputs: desired, previous, paths, isUnfinished }, ctx) {
    const endpoint = (await resolveEndpoint("crons", { ...previous, ...desired }, ctx)) ?? throwDeleted(CRON, id);
    const attempt = createAttempt(desired, endpoint, ctx);
    if (isUnfinished || paths.length === 0) {
      const remote = (await findCron(id, endpoint, ctx)) ?? throwDeleted(CRON, id);
      ctx.record({ id, inputs: toInputs(remote, desired), state: toState(remote, endpoint, previous) });
      return applyRemaining(remote, attempt, previous);
    }
    const state = toState({ cronId: id }, endpoint, previous);
    ctx.record({ id, inputs: previous, state });
    const remote = await sendChange(id, previous, attempt);
    return { id, inputs: desired, state: remote ? toState(remote, endpoint, previous) : state };
  },

  async beforeReplace(_id, { desired }, ctx) {
    const endpoint = await endpointOfNew(desired, ctx);
    if (!endpoint) return;
    const { server } = endpoint;
    if ((await server.crons.areSupported()) === false) throw new NoCronsError(NO_CRONS);
    const { assistantId, threadId } = desired;
    if (assistantId !== undefined) await assertAssistantExists("assistantId", assistantId, server);
    if (threadId !== undefined) await assertThreadExists("threadId", threadId, server);
  },

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const endpoint = await resolveEndpoint("crons", previous, ctx);
    const removal = endpoint && (await removeFrom(id, endpoint, ctx));
    if (!endpoint) return undefined;
    const attempt = createAttempt(previous, endpoint, ctx);
    if (removal === "gone") {
      await warnOfOthers(id, `Cron ${id} was deleted.`, attempt);
      return { info: "Runs that the cron started continue, also those that are still queued." };
    }
    const { url } = endpoint.server;
    const reason =
      removal === "unreachable"
        ? `no agent server is responding at ${url} (404)`
        : `the server at ${url} does not support it`;
    return {
      warning: `Cron ${id} was not deleted, because ${reason}. It was removed from this stack's state only. If it still exists, it still fires: delete it manually.`,
    };
  },
});

/** A server that says that it has no crons does not have this one. Missing routes prove nothing. */
function undefinedIfNone(error: unknown): undefined {
  if (!(error instanceof NoCronsError)) throw error;
}

async function removeFrom(id: string, endpoint: AgentEndpoint, ctx: Context) {
  try {
    return await removeCron(id, endpoint, ctx);
  } catch (error) {
    if (error instanceof NoCronsError) return "gone";
    if (error instanceof NoCronRoutesError) return "unsupported";
    throw error;
  }
}
