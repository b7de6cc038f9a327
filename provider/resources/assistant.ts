/**
 * Assistant: a stored configuration of one graph of an agent server, with versions (API `2B.Assistant`).
 *
 * create: POST /assistants, which does nothing if the ID is taken · read: GET, or one search for several · update: PATCH ·
 * delete: DELETE, after a look at its crons.
 *
 * Every PATCH makes a version, so each is preceded by a GET, and sent only if something differs. The assistants that a
 * server makes for its graphs are never changed or deleted.
 */
import { type Assistant, isDefaultAssistant } from "../api/agent-server/assistants";
import type { Context } from "../definition/context";
import { defineResource } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import { assertGraphExists, endpointOfNew, isSamePlace } from "../objects/before-replace";
import { resolveEndpoint, waitForEndpoint } from "../objects/endpoint";
import { throwDeleted } from "../objects/messages";
import { markerFacts, markerPlace } from "../objects/metadata";
import { adopt } from "./assistant/adopt";
import { ASSISTANT, areLocal, type Inputs, inputs, outputs, type State } from "./assistant/fields";
import { warnOfGraph } from "./assistant/graph";
import { toAllInputs, toInputs, toState, withRemoved } from "./assistant/mapping";
import {
  assertNotDefault,
  createAttempt,
  IS_DEFAULT,
  IS_SUCCESSOR,
  isOwn,
  isSuccessor,
  toConflictError,
  warnOfLeftovers,
} from "./assistant/ownership";
import { completeAssistant, ensureAssistant, findAssistant, removeAssistant } from "./assistant/requests";
import { rules } from "./assistant/rules";

const INTERRUPTS_RUNS = "its unfinished runs are interrupted";

export const assistant = defineResource<Inputs, State>("Assistant", {
  description:
    "A stored configuration of one graph of a deployment, such as its model and prompt. Each change makes one new version, which runs use from then on.",
  server: "controlPlane",
  schema: { inputs, outputs },
  rules,
  unique: ({ assistantId }) =>
    assistantId === undefined ? undefined : ["assistantId", "deploymentId", "deploymentUrl"],
  impact: {
    replacement: "replace",
    loses: "its versions and crons",
    onDelete: INTERRUPTS_RUNS,
    onCreate: (_context, replacing) => (replacing ? INTERRUPTS_RUNS : undefined),
  },
  timeouts: { create: "30m", update: "30m", delete: "10m" },
  adopt,
  optionalRoutes: [],
  markerPlace: markerPlace(ASSISTANT.keys),

  async create(desired, ctx) {
    const attempt = createAttempt(desired, await waitForEndpoint(desired, ctx), ctx);
    const created = await ensureAssistant(attempt);
    const id = created.assistantId;
    // A new assistant has none of these. One of an earlier run may have what the program no longer declares.
    const expected = withRemoved({ description: "", context: {}, config: {} }, desired);
    ctx.record({ id, inputs: toInputs(created, expected), state: toState(created, attempt) });
    const complete = await completeAssistant(created, expected, attempt);
    await warnOfLeftovers(created, attempt);
    await warnOfGraph(id, attempt);
    return { id, inputs: desired, state: toState(complete, attempt) };
  },

  async read(id, declared, previous, ctx) {
    const endpoint = await resolveEndpoint("assistants", { ...previous, ...declared }, ctx);
    const remote = endpoint && (await findAssistant(id, endpoint, ctx));
    if (!endpoint || !remote) return undefined;
    if (isSuccessor(remote, previous, ctx)) {
      ctx.log.warn(`Assistant ${id} at ${endpoint.server.url} ${IS_SUCCESSOR}. It is left alone.`);
      return undefined;
    }
    warnOfState(remote, previous, ctx);
    const isImported = previous.url === undefined;
    return {
      id,
      inputs: declared ? toInputs(remote, declared) : toAllInputs(remote),
      state: toState(remote, endpoint, previous),
      unmanageable: isDefaultAssistant(remote) ? IS_DEFAULT : undefined,
      ...(isImported && markerFacts(ASSISTANT.keys, remote.metadata, ctx)),
    };
  },

  async update(id, { inputs: desired, previous, paths, isUnfinished }, ctx) {
    if (areLocal(paths) && !isUnfinished) return { id, inputs: desired, state: toState({}, undefined, previous) };
    const endpoint = await resolveEndpoint("assistants", { ...previous, ...desired }, ctx);
    const remote = endpoint && (await findAssistant(id, endpoint, ctx));
    if (!endpoint || !remote) return throwDeleted(ASSISTANT, id);
    assertNotDefault(remote);
    if (isSuccessor(remote, previous, ctx))
      throw new OwnershipError(`Assistant ${id} at ${endpoint.server.url} ${IS_SUCCESSOR}. No changes were made.`);
    const attempt = createAttempt(desired, endpoint, ctx);
    const updated = await completeAssistant(remote, withRemoved(previous, desired), attempt);
    // It started from the changes of others, which preceded it.
    if (updated !== remote && !isUnfinished) warnOfState(remote, previous, ctx);
    if (paths.some((path) => /^(graphId|context|config)\b/.test(path))) await warnOfGraph(id, attempt);
    return { id, inputs: desired, state: toState(updated, endpoint, previous) };
  },

  async beforeReplace(id, { desired, previous }, ctx) {
    const endpoint = await endpointOfNew(desired, ctx);
    if (!endpoint) return;
    const { server } = endpoint;
    const { assistantId, graphId } = desired;
    if (graphId !== undefined) await assertGraphExists("graphId", graphId, server);
    if (assistantId === undefined || isSamePlace(assistantId, endpoint, { id, url: previous.url })) return;
    const attempt = createAttempt(desired as Inputs, endpoint, ctx);
    const existing = await server.assistants.get(assistantId.toLowerCase());
    if (existing && !isOwn(existing, attempt)) throw toConflictError(existing, attempt);
  },

  async delete(id, previous, ctx) {
    const endpoint = await resolveEndpoint("assistants", previous, ctx);
    return endpoint && removeAssistant(id, endpoint, ctx, previous);
  },
});

/** Warns of what others have changed: the assistant itself, or the graphs of its deployment. */
function warnOfState(
  { assistantId, graphId, version, isGraphMissing }: Assistant,
  previous: Partial<State>,
  ctx: Context,
) {
  if (isGraphMissing)
    ctx.log.warn(
      `graphId: the agent server no longer has the graph "${graphId}", so assistant ${assistantId} cannot run. It still exists, and stays in state.`,
    );
  if (previous.version === undefined || version == null || version === previous.version) return;
  ctx.log.warn(`changed outside: version ${version}, last applied ${previous.version}.`);
}
