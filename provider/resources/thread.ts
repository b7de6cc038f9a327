/**
 * Thread: a conversation on an agent server, which keeps its state across runs (API `1B`).
 *
 * create: POST /threads or POST /threads/{id}/copy · read: GET, or one search for several · update: PATCH of metadata
 * and ttl · delete: DELETE. Servers may lack the last two routes.
 *
 * Runs write to a thread all the time. So only declared metadata keys are compared, and the initial state of a thread
 * is never compared with its current one.
 */
import { defineResource } from "../definition/definition";
import { verbsOf } from "../objects/verbs";
import { adopt } from "./thread/adopt";
import { type Inputs, inputs, outputs, type State } from "./thread/fields";
import { copyObject, threadObject } from "./thread/object";
import { rules } from "./thread/rules";

const copies = verbsOf(copyObject);
const threads = verbsOf(threadObject);

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
  updatedBy: "threads-patch",
  ...threads,
  create: (desired, ctx) => (desired.copyFrom === undefined ? threads : copies).create(desired, ctx),
});
