/** What the engine of objects (provider/objects/) needs to know of assistants. */
import { type Assistant, isDefaultAssistant } from "../../api/agent-server/assistants";
import { collectAll } from "../../api/pagination";
import { inPlaceOf } from "../../http/errors";
import type { ObjectKind } from "../../objects/kind";
import { idDerivation } from "../../objects/metadata/identity";
import { foundById } from "../../objects/ownership";
import { assertGraphExists } from "../../objects/server/before-replace";
import { findOnServer } from "../../objects/server/endpoint";
import { ASSISTANT, type Inputs, inputs, type State } from "./fields";
import { warnOfGraph } from "./graph";
import { hasOtherCopy, toAllInputs, toInputs, toState, withRemovedSettings } from "./mapping";
import { completeAssistant, explainFailure, sendCreate, verifyDeletion, warnOfState } from "./requests";

/** Returns the ID that an assistant is created with, which is also its ownership marker. */
export const deriveAssistantId = idDerivation<Inputs>(inputs);

/** A new assistant has none of these. One of an earlier run may have what the program no longer declares. */
const NEW = { description: "", context: {}, config: {} };

const OTHER_COPY =
  "context and config.configurable differ on the server, as after someone made an earlier version the latest. The next `pulumi up` sets both.";

export const assistantObject: ObjectKind<Inputs, State, Assistant> = {
  ...ASSISTANT,
  inputs,
  idInput: "assistantId",
  deriveId: deriveAssistantId,
  idOf: ({ assistantId }) => assistantId,
  // Runs by the name of the graph use it.
  forbidden: (remote) =>
    isDefaultAssistant(remote)
      ? "is the default assistant of its graph, which belongs to the server, so no resource manages it: declare another assistant"
      : undefined,

  read: (id, endpoint, ctx) => findOnServer(() => endpoint.server.assistants.find(id), endpoint, ctx),
  search: (metadata, { server }) => collectAll(server.assistants.list({ metadata }), () => true),
  remove: (id, { server }) => server.assistants.delete(id),

  async find(attempt) {
    const { server, id } = attempt;
    const found = await server.assistants.peek(id).catch(inPlaceOf(({ isRejection }) => isRejection, undefined));
    return foundById(assistantObject, found, attempt);
  },
  send: sendCreate,
  explain: explainFailure,

  async settle(remote, attempt, { origin, previous, state, paths = [], isUnfinished }) {
    const { desired, ctx } = attempt;
    const { assistantId: id } = remote;
    const expected = withRemovedSettings(previous ?? NEW, desired);
    if (origin !== "state")
      ctx.record({ id, inputs: toInputs(remote, expected), state: toState(remote, attempt, state) });
    const updated = await completeAssistant(remote, expected, attempt);
    // It started from the changes of others, which preceded it.
    if (updated !== remote && !isUnfinished) warnOfState(remote, state, ctx);
    const isGraphConcerned = paths.some((path) => /^(graphId|context|config)\b/.test(path));
    if (origin !== "state" || isGraphConcerned) await warnOfGraph(id, attempt);
    return { id, inputs: desired, state: toState(updated, attempt, state) };
  },

  toState,
  async observe(remote, declared, { previous, ctx }) {
    warnOfState(remote, previous, ctx);
    if (!declared) return { inputs: toAllInputs(remote) };
    const unready = hasOtherCopy(remote, declared) && { warning: OTHER_COPY };
    return { inputs: toInputs(remote, declared), ...(unready && { unready }) };
  },

  async verifyNew({ graphId }, { server }) {
    if (graphId !== undefined) await assertGraphExists("graphId", graphId, server);
  },
  beforeDelete: verifyDeletion,
  deletion: { unreachable: "If the server still exists, delete the assistant manually." },
};
