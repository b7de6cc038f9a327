/** Converts a remote thread to inputs as a user would write them, without metadata that servers and runs add. */
import type { AdoptFacts, Remote } from "../../definition/adopt";
import type { PropertyMap } from "../../schema/schema";
import { type Location, resolveEndpoint } from "../shared/agent-server/endpoint";
import { isReserved, OWNERSHIP_KEY } from "./fields";

export const adopt: AdoptFacts = {
  noun: "thread",
  listedBy: "getThreads",
  isListedOnRequest: true,
  isNamed: false,
  title,
  skip: ({ metadata }, { includeOwned }) =>
    !includeOwned && (metadata as PropertyMap | undefined)?.[OWNERSHIP_KEY] !== undefined
      ? "it has the ownership marker of a Pulumi resource (--include-owned)"
      : undefined,
  async fetch(id, container: Location, ctx) {
    const endpoint = await resolveEndpoint("threads", container, ctx);
    const thread = await endpoint?.server.findThread(id);
    return thread && { ...thread, id };
  },
  toInputs,
};

function title({ id, metadata }: Remote): string {
  const { title, name } = (metadata ?? {}) as PropertyMap;
  const label = [title, name].find((text) => typeof text === "string" && text.length > 0 && text.length <= 40);
  return String(label ?? `thread-${id.slice(0, 8)}`);
}

/** Metadata keys that servers and runs write (API `2B`). */
const SERVER_METADATA_KEYS: ReadonlySet<string> = new Set([
  "agentgraph_auth_user_id",
  "assistant_id",
  "cron_id",
  "run_id",
]);

function toInputs(remote: Remote, { deploymentId, deploymentUrl }: PropertyMap): PropertyMap {
  const metadata = Object.entries((remote.metadata ?? {}) as PropertyMap);
  const userMetadata = metadata.filter(
    ([key, value]) => value != null && !SERVER_METADATA_KEYS.has(key) && !isReserved(key),
  );
  return {
    ...(deploymentUrl === undefined ? { deploymentId } : { deploymentUrl }),
    threadId: remote.threadId,
    ...(userMetadata.length > 0 && { metadata: Object.fromEntries(userMetadata) }),
    ...(remote.ttl != null && { ttl: remote.ttl }),
  };
}
