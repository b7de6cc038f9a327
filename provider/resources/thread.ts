/**
 * Thread: a conversation on an agent server, which keeps its state across runs (interface part B).
 *
 * create POST /threads, or POST /threads/{id}/copy · read GET, or one search for many · update PATCH, of metadata and
 * ttl · delete DELETE; the last two only where the server has them.
 *
 * The surprising rule: runs write to a thread all the time, so only the metadata keys that are declared are looked at,
 * and the state that a thread began with is never compared with the one it has now.
 */
import type { Context } from "../definition/context";
import { defineResource } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import { type CreateResult, PartialStateError, type RetainedResource } from "../definition/results";
import { HttpError } from "../http/errors";
import { adopt } from "./thread/adopt";
import { complete, confirmedOf, patchThread, UNCHANGEABLE } from "./thread/complete";
import { completeCopy, copyThread } from "./thread/copy";
import { createThread } from "./thread/create";
import { type Place, placeOf, servingPlaceOf } from "./thread/endpoint";
import { type Inputs, inputs, outputs, type State } from "./thread/fields";
import { CHANGEABLE, CHANGES, FIXED } from "./thread/identity";
import { changeBody, everything, toInputs, toState } from "./thread/mapping";
import { attemptOf } from "./thread/ownership";
import { removed } from "./thread/remove";
import { rules } from "./thread/rules";

export const thread = defineResource<Inputs, State>("Thread", {
  server: "controlPlane",
  endpointFromInputs: ({ deploymentUrl }) => (deploymentUrl === undefined ? undefined : String(deploymentUrl)),
  schema: {
    inputs,
    outputs,
    foreignFields: { values: "is the state that a thread has by now: write what it begins with as supersteps." },
    container: { id: "deploymentId", url: "deploymentUrl" },
  },
  rules,
  unique: ({ threadId }) => (threadId === undefined ? undefined : ["threadId", "deploymentId", "deploymentUrl"]),
  secrets: { paths: [], when: { sensitive: ["metadata.*", "supersteps"] } },
  replace: {
    on: FIXED,
    references: { deploymentId: "its deployment is replaced", copyFrom: "the thread it copies is replaced" },
    byValue: { deploymentUrl: "its deployment is replaced" },
    withoutRoute: { [CHANGES]: CHANGEABLE },
  },
  impact: {
    effects: [
      ["sensitive", "none"],
      ["", "inPlace"],
    ],
    replacement: "replace",
    loses: "its history",
    onDelete: null,
    unknowns: { deploymentUrl: "if it is another server" },
  },
  timeouts: { create: "30m", update: "30m", delete: "10m" },
  adopt,
  optionalRoutes: [],

  async create(wanted, ctx): Promise<CreateResult<State>> {
    const place = await servingPlaceOf(wanted, ctx);
    return wanted.copyFrom === undefined ? createThread(wanted, place, ctx) : copyThread(wanted, place, ctx);
  },

  async read(id, declared, previous, ctx) {
    const place = await placeOf({ ...previous, ...declared }, ctx);
    const seen = place && (await place.server.findThread(id));
    if (!place || !seen) return place && assertThreadsAreThere(place);
    if (!declared) return { inputs: everything(id, seen), state: toState(seen, place, previous) };
    const isNew = previous.url === undefined;
    if (isNew && (declared.supersteps ?? declared.copyFrom) !== undefined) ctx.log.warn(UNCOMPARED);
    // An id is fixed once it is there; an import may name another one than is declared.
    const isOther = isNew && declared.threadId !== undefined && declared.threadId.toLowerCase() !== id.toLowerCase();
    return {
      inputs: { ...toInputs(seen, declared), ...(isOther && { threadId: id }) },
      state: toState(seen, place, previous),
    };
  },

  async update(id, { inputs: wanted, previous, paths, unfinished }, ctx): Promise<CreateResult<State>> {
    const change = changeBody(previous, wanted);
    const isResumed = unfinished || paths.length === 0;
    if (!change && !isResumed) return { id, state: stateIn(previous) };
    const place = (await placeOf({ ...previous, ...wanted }, ctx)) ?? gone(id);
    if (isResumed) return resumed(id, wanted, previous, place, ctx);
    const result = await patchThread(id, change ?? {}, place, { ctx });
    if ("gone" in result) return gone(id);
    if ("missing" in result) return unchangeable(id, previous, place);
    const seen = result.response;
    if (change?.ttl === null && seen.ttl) ctx.log.warn("ttl: this server cannot remove a TTL; the thread keeps it.");
    return { id, state: toState(seen, place, previous), missingRoutes: [] };
  },

  async stillMissing(id, previous, ctx) {
    const place = await placeOf(previous, ctx);
    if (!place) return ctx.missingRoutes;
    // Merging nothing changes nothing.
    const result = await patchThread(id, { metadata: {} }, place, { ctx });
    return "missing" in result ? ctx.missingRoutes : [];
  },

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const place = await placeOf(previous, ctx);
    if (!place || (await removed(id, place.server, ctx))) return undefined;
    return {
      warning: `This server has no way to delete thread ${id} at ${place.server.url}; it is only dropped from this stack's state. The server still holds its history: remove it there by other means, or let it expire.`,
    };
  },
});

/** Said at an import. */
const UNCOMPARED =
  "import: what the thread began with is not shown by its server, so supersteps and copyFrom were not compared.";

const stateIn = ({ url = "", tenantId, status = "idle", createdAt, updatedAt }: Partial<State>): State => ({
  url,
  tenantId,
  status,
  createdAt,
  updatedAt,
});

/** A proxy that knows no such server says 404 too: gone means that a server of threads said it. */
async function assertThreadsAreThere({ server }: Place): Promise<undefined> {
  await server.searchThreads({}, 1).catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    throw error.withHint(
      `Whether the thread is gone is not known, since no agent server answers at ${server.url}. State was left as it is.`,
    );
  });
}

/** An earlier run ended before all of it was confirmed: only the server knows what is missing. */
async function resumed(
  id: string,
  wanted: Inputs,
  previous: Inputs & Partial<State>,
  place: Place,
  ctx: Context,
): Promise<CreateResult<State>> {
  const thread = (await place.server.findThread(id)) ?? gone(id);
  const attempt = attemptOf(wanted, place, ctx);
  const bring = wanted.copyFrom === undefined ? complete : completeCopy;
  const ready = () => bring(thread, attempt, previous.metadata);
  return { id, state: toState(thread, place, previous), confirmed: confirmedOf(thread, wanted), ready };
}

/** State remembers that the route is missing, and holds what the server does: so the next run replaces the thread. */
async function unchangeable(id: string, previous: Inputs & Partial<State>, place: Place): Promise<CreateResult<State>> {
  const seen = (await place.server.findThread(id)) ?? gone(id);
  const state = toState(seen, place, previous);
  const failed = () => Promise.reject(new PartialStateError(UNCHANGEABLE, previous, state, [CHANGES]));
  return { id, state, ready: failed };
}

function gone(id: string): never {
  throw new OwnershipError(
    `Thread ${id} no longer exists on its server, so it cannot be changed. Run \`pulumi up --refresh\` to create it again.`,
  );
}
