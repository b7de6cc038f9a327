/**
 * Assistant: a stored configuration of one graph of an agent server, with versions (API `2B.Assistant`).
 *
 * create: POST /assistants, which does nothing if the ID is taken · read: GET, or one search for several · update: PATCH ·
 * delete: DELETE, after a look at its crons.
 *
 * Every PATCH makes a version, so each is preceded by a GET, and sent only if something differs. The assistants that a
 * server makes for its graphs are never changed or deleted.
 */
import { defineResource } from "../definition/definition";
import { verbsOf } from "../objects/verbs";
import { adopt } from "./assistant/adopt";
import { type Inputs, inputs, outputs, type State } from "./assistant/fields";
import { assistantObject } from "./assistant/object";
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
  updatedBy: "assistants-patch",
  ...verbsOf(assistantObject),
});
