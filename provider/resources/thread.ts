/**
 * Thread: a conversation on an agent server, which keeps its state across runs (API `1B`).
 *
 * create: POST /threads or POST /threads/{id}/copy · read: GET, or one search for several · update: PATCH of metadata
 * and ttl · delete: DELETE. Servers may lack the last two routes.
 *
 * Runs write to a thread all the time. So only declared metadata keys are compared, and the initial state of a thread
 * is never compared with its current one.
 */

import { REMOVED_KEYS } from "../api/agent-server/threads";
import { adoptFacts, objectListing } from "../objects/listing";
import { defineObject, verbsOf } from "../objects/verbs";
import { rules } from "./thread/fields";
import { copyObject, threadObject } from "./thread/object";
import { withTtl } from "./thread/requests";

/** Metadata keys that servers and runs write (API `2B`), which a program does not declare. */
const SERVER_METADATA_KEYS: ReadonlySet<string> = new Set(["agentgraph_auth_user_id", ...REMOVED_KEYS]);

/** How threads are listed and declared by `adopt`. */
const adopted: typeof threadObject = {
  ...threadObject,
  async read(id, endpoint) {
    const thread = await endpoint.server.threads.find(id);
    return thread && withTtl(thread, endpoint);
  },
  toAllInputs(thread) {
    const metadata = Object.entries(thread.metadata ?? {}).filter(
      ([key, value]) => value != null && !SERVER_METADATA_KEYS.has(key),
    );
    return threadObject.toAllInputs({ ...thread, metadata: Object.fromEntries(metadata) });
  },
};

const copies = verbsOf(copyObject);
const threads = verbsOf(threadObject);

export const thread = defineObject(threadObject, {
  description:
    "A conversation on the agent server of a deployment. It keeps its state across runs; state that runs add " +
    "is never compared.",
  rules,
  succession: "container",
  impact: { replacement: "replace", loses: "its history", onDelete: null },
  listing: objectListing(threadObject, ({ metadata }) =>
    typeof metadata?.graph_id === "string" ? [`graph ${metadata.graph_id}`] : [],
  ),
  adopt: adoptFacts(adopted, { isListedOnRequest: true }),
  create: (desired, ctx) => (desired.copyFrom === undefined ? threads : copies).create(desired, ctx),
});
