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
import { adopt } from "./assistant/adopt";
import { completeAssistant, toDeletedError } from "./assistant/complete";
import { ensureAssistant, markerOf, warnOfLeftovers } from "./assistant/create";
import { areLocal, type Inputs, inputs, outputs, type State } from "./assistant/fields";
import { warnOfGraph } from "./assistant/graph";
import { toAllInputs, toInputs, toState, withRemoved } from "./assistant/mapping";
import { assertNotDefault, findAssistant, IS_DEFAULT, removeAssistant } from "./assistant/on-server";
import { rules } from "./assistant/rules";
import { resolveEndpoint, waitForEndpoint } from "./shared/agent-server/endpoint";
import { ASSISTANT_KEYS, isOfSibling, markerPlace } from "./shared/agent-server/metadata";

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
  markerPlace: markerPlace(ASSISTANT_KEYS),

  async create(desired, ctx) {
    const endpoint = await waitForEndpoint(desired, ctx);
    const created = await ensureAssistant(desired, endpoint, ctx);
    const id = created.assistantId;
    // A new assistant has none of these. One of an earlier run may have what the program no longer declares.
    const expected = withRemoved({ description: "", context: {}, config: {} }, desired);
    ctx.record({ id, inputs: toInputs(created, expected), state: toState(created, endpoint) });
    const complete = await completeAssistant(created, { expected, marker: markerOf(desired, ctx), endpoint, ctx });
    await warnOfLeftovers(created, desired, endpoint, ctx);
    await warnOfGraph(id, desired, endpoint, ctx);
    return { id, inputs: desired, state: toState(complete, endpoint) };
  },

  async read(id, declared, previous, ctx) {
    const endpoint = await resolveEndpoint("assistants", { ...previous, ...declared }, ctx);
    const remote = endpoint && (await findAssistant(id, endpoint, ctx));
    if (!endpoint || !remote) return undefined;
    warnOfState(remote, previous, ctx);
    return {
      id,
      inputs: declared ? toInputs(remote, declared) : toAllInputs(remote),
      state: toState(remote, endpoint, previous),
      unmanageable: isDefaultAssistant(remote) ? IS_DEFAULT : undefined,
      isOfSibling: isOfSibling(ASSISTANT_KEYS, remote.metadata, ctx),
    };
  },

  async update(id, { inputs: desired, previous, paths, isUnfinished }, ctx) {
    if (areLocal(paths) && !isUnfinished) return { id, inputs: desired, state: toState({}, undefined, previous) };
    const endpoint = await resolveEndpoint("assistants", { ...previous, ...desired }, ctx);
    const remote = endpoint && (await findAssistant(id, endpoint, ctx));
    if (!endpoint || !remote) throw toDeletedError(id);
    assertNotDefault(remote);
    const expected = withRemoved(previous, desired);
    const target = { expected, marker: markerOf(desired, ctx), endpoint, ctx };
    const updated = await completeAssistant(remote, target);
    // It started from the changes of others, which preceded it.
    if (updated !== remote && !isUnfinished) warnOfState(remote, previous, ctx);
    if (paths.some((path) => /^(graphId|context|config)\b/.test(path))) await warnOfGraph(id, desired, endpoint, ctx);
    return { id, inputs: desired, state: toState(updated, endpoint, previous) };
  },

  async delete(id, previous, ctx) {
    const endpoint = await resolveEndpoint("assistants", previous, ctx);
    return endpoint && removeAssistant(id, endpoint, ctx, previous.deleteForeignCrons);
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
