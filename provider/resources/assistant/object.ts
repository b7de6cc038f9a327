/** What the engine of objects (provider/objects/) needs to know of assistants. */
import { type Assistant, type AssistantBody, isDefaultAssistant } from "../../api/agent-server/assistants";
import { ignoreHttpError } from "../../http/errors";
import { objectKind } from "../../objects/defaults";
import type { ObjectKind } from "../../objects/kind";
import { assertGraphExists } from "../../objects/server/before-replace";
import { settleObject } from "../../objects/settle";
import { ASSISTANT, type Inputs, inputs, outputs, type State } from "./fields";
import { hasOtherCopy, toAllInputs, toChange, toInputs, withRemovedSettings } from "./mapping";
import { sendChange, sendCreate, verifyDeletion, warnOfGraph, warnOfState } from "./requests";

const OTHER_COPY =
  "context and config.configurable differ on the server, as after someone made an earlier version the latest. " +
  "The next `pulumi up` sets both.";

export const assistantObject: ObjectKind<Inputs, State, Assistant> = objectKind<Inputs, State, Assistant>({
  ...ASSISTANT,
  inputs,
  outputs,
  idInput: "assistantId",
  client: ({ assistants }) => assistants,
  // Runs by the name of the graph use it.
  forbidden: (remote) =>
    isDefaultAssistant(remote)
      ? "is the default assistant of its graph, which belongs to the server, so no resource manages it: declare " +
        "another assistant"
      : undefined,

  send: sendCreate,
  async settle(remote, attempt, settlement) {
    const { origin, state, paths = [], isUnfinished } = settlement;
    const { observed, updated } = await settleObject(assistantObject, remote, attempt, settlement);
    // It started from the changes of others, which preceded it.
    if (updated !== remote && !isUnfinished) warnOfState(remote, state, attempt.ctx);
    const isGraphConcerned = paths.some((path) => /^(graphId|context|config)\b/.test(path));
    if (origin !== "state" || isGraphConcerned) await warnOfGraph(observed.id, attempt).catch(ignoreHttpError);
    return observed;
  },
  update: (id, change, attempt) => sendChange(id, change as AssistantBody, attempt),
  toExpected: withRemovedSettings,
  toChange,

  toInputs,
  toAllInputs,
  async observe(remote, declared, { previous, ctx }) {
    warnOfState(remote, previous, ctx);
    return declared && hasOtherCopy(remote, declared) ? { unready: { warning: OTHER_COPY } } : {};
  },

  async verifyNew({ graphId }, { server }) {
    if (graphId !== undefined) await assertGraphExists("graphId", graphId, server);
  },
  beforeDelete: verifyDeletion,
  deletion: { unreachable: "If the server still exists, delete the assistant manually." },
});
