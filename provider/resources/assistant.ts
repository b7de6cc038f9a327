/**
 * Assistant: a stored configuration of one graph of an agent server, with versions (API `2B.Assistant`).
 *
 * create: POST /assistants, which does nothing if the ID is taken · read: GET, or one search for several · update:
 * PATCH · delete: DELETE, after a look at its crons.
 *
 * Every PATCH makes a version, so each is preceded by a GET, and sent only if something differs. The assistants that a
 * server makes for its graphs are never changed or deleted.
 */
import { type Assistant, isDefaultAssistant } from "../api/agent-server/assistants";
import { adoptFacts, objectListing } from "../objects/listing";
import { defineObject } from "../objects/verbs";
import { rules } from "./assistant/fields";
import { assistantObject } from "./assistant/object";

const INTERRUPTS_RUNS = "its unfinished runs are interrupted";

export const assistant = defineObject(assistantObject, {
  description:
    "A stored configuration of one graph of a deployment, such as its model and prompt. Each change makes one " +
    "new version, which runs use from then on.",
  rules,
  succession: "container",
  impact: {
    replacement: "replace",
    loses: "its versions and crons",
    onDelete: INTERRUPTS_RUNS,
    onCreate: (_context, replacing) => (replacing ? INTERRUPTS_RUNS : undefined),
  },
  listing: {
    ...objectListing(assistantObject, ({ graphId }) => [`graph ${graphId}`]),
    isOfThisKind: (remote) => !isDefaultAssistant(remote as Partial<Assistant>),
  },
  adopt: adoptFacts(assistantObject, {
    alias: ({ graphId, ...remote }) =>
      isDefaultAssistant({ graphId, ...remote } as Partial<Assistant>) ? (graphId as string) : undefined,
  }),
});
