/** What a person would declare of a thread: without what servers and runs write by themselves. */
import type { AdoptFacts, AdoptLocation, Remote } from "../../definition/adopt";
import type { PropertyMap } from "../../schema/schema";
import { MARK } from "./fields";

export const adopt: AdoptFacts = {
  plural: "threads",
  singular: "thread",
  listedBy: "getThreads",
  isNamed: false,
  title,
  skip: ({ metadata }, { includeOwned }) =>
    !includeOwned && (metadata as PropertyMap | undefined)?.[MARK] !== undefined
      ? "it carries the ownership marker of a Pulumi resource (--include-owned)"
      : undefined,
  toInputs,
  references: { deploymentId: { kind: "Deployment", output: "id" } },
};

function title({ id, metadata }: Remote): string {
  const { title, name } = (metadata ?? {}) as PropertyMap;
  const said = [title, name].find((text) => typeof text === "string" && text.length > 0 && text.length <= 40);
  return String(said ?? `thread-${id.slice(0, 8)}`);
}

/** Metadata that servers and runs write by themselves (interface section 2 B). */
const NOT_DECLARED: ReadonlySet<string> = new Set(["agentgraph_auth_user_id", "assistant_id", "cron_id", "run_id"]);

function toInputs(told: Remote, { deploymentId }: AdoptLocation): PropertyMap {
  const metadata = Object.entries((told.metadata ?? {}) as PropertyMap);
  const own = metadata.filter(([key, value]) => value != null && !NOT_DECLARED.has(key));
  return {
    deploymentId,
    threadId: told.threadId,
    ...(own.length > 0 && { metadata: Object.fromEntries(own) }),
    ...(told.ttl != null && { ttl: told.ttl }),
  };
}
