/** Converts a remote thread to inputs as a user would write them, without metadata that servers and runs add. */
import type { AdoptFacts } from "../../definition/adopt";
import { adoptDefaults, locationOf, titleIn } from "../../objects/adopt";
import { omitMarker } from "../../objects/metadata/metadata";
import { REMOVED_KEYS } from "../../objects/metadata/server-keys";
import type { PropertyMap } from "../../schema/schema";
import { THREAD } from "./fields";
import { withTtl } from "./ttl";

/** Metadata keys that servers and runs write (API `2B`). */
const SERVER_METADATA_KEYS: ReadonlySet<string> = new Set(["agentgraph_auth_user_id", ...REMOVED_KEYS]);

export const adopt: AdoptFacts = {
  ...adoptDefaults(THREAD, async (id, endpoint) => {
    const thread = await endpoint.server.threads.find(id);
    return thread && withTtl(thread, endpoint);
  }),
  listedBy: "getThreads",
  isListedOnRequest: true,
  isNamed: false,
  title: (remote) => titleIn(remote) ?? `thread-${remote.id.slice(0, 8)}`,
  toInputs({ threadId, metadata, ttl }, container) {
    const userMetadata = Object.entries(omitMarker(THREAD.keys, metadata as PropertyMap | undefined)).filter(
      ([key, value]) => value != null && !SERVER_METADATA_KEYS.has(key),
    );
    return {
      ...locationOf(container),
      threadId,
      ...(userMetadata.length > 0 && { metadata: Object.fromEntries(userMetadata) }),
      ...(ttl != null && { ttl }),
    };
  },
};
