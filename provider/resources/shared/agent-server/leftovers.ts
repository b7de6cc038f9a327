/** What warnings about objects that earlier runs of a resource left on an agent server have in common. */
import type { AgentServerClient } from "../../../api/agent-server/client";
import type { Context } from "../../../definition/context";
import { HttpError } from "../../../http/errors";

/** IDs in one warning. */
const MAX_LISTED_IDS = 5;

/** Formats IDs for a message. */
export function formatIds(ids: readonly string[]): string {
  const listed = ids.slice(0, MAX_LISTED_IDS);
  const more = ids.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

interface Leftovers {
  /** What they are called, such as "threads". */
  noun: string;
  /** Of the objects that no resource manages. */
  ids: readonly string[];
  url: string;
  /** The ID of the object of the resource. */
  current: string;
}

/** Describes objects that earlier runs created, without what to do about them. */
export const describeLeftovers = ({ noun, ids, url, current }: Leftovers): string =>
  `Earlier runs of this resource left ${noun} at ${url} that no resource manages: ${formatIds(ids)}. They were created with other inputs and were not changed. This resource manages ${current}.`;

/**
 * Searches for leftovers. A failed search fails nothing, and one that the server does not support is left out.
 * @returns Whether the server responded.
 */
export async function searchLeftovers(
  noun: string,
  search: () => Promise<void>,
  { server, ctx }: { server: AgentServerClient; ctx: Context },
): Promise<boolean> {
  try {
    await search();
    return true;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (!error.isRetryable) return true;
    ctx.log.warn(
      `Could not check whether interrupted runs of this resource left ${noun} at ${server.url} (${error.summary}).`,
    );
    return false;
  }
}
