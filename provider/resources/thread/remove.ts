/** Deletes the thread of a resource, unless it belongs to someone else, or crons of others run on it. */
import type { Thread } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { RetainedResource } from "../../definition/results";
import { HttpError } from "../../http/errors";
import type { AgentEndpoint } from "../../objects/endpoint";
import { CRON_KEYS, isOfStack } from "../../objects/metadata";
import { sendWithRouteRetry } from "../../objects/optional-route";
import type { Inputs, State } from "./fields";
import { foreignOwner } from "./ownership";
import { findThread, removeThread } from "./requests";

/** @throws OwnershipError when the server would delete crons of others as well. */
export async function deleteThread(
  id: string,
  previous: Inputs & Partial<State>,
  endpoint: AgentEndpoint,
  ctx: Context,
): Promise<RetainedResource | undefined> {
  const { url } = endpoint.server;
  const found = await findOrUnreachable(id, endpoint, ctx);
  if (found === undefined) return undefined;
  if (found !== "unreachable") {
    const owner = foreignOwner(found, previous, ctx);
    if (owner !== undefined)
      return {
        warning: `Thread ${id} at ${url} was not deleted, because ${owner}. It was removed from this stack's state only.`,
      };
    if (!previous.deleteForeignCrons) await assertNoForeignCrons(id, endpoint, ctx);
  }
  const removal = found === "unreachable" ? found : await removeThread(id, endpoint, ctx);
  if (removal === "gone") return undefined;
  return {
    warning:
      removal === "unreachable"
        ? `Thread ${id} was not deleted, because no agent server is responding at ${url} (404). It was removed from this stack's state only. If the server still exists, it still stores the thread's history: delete it manually.`
        : `Thread ${id} was not deleted, because the server at ${url} does not support deletion. It was removed from this stack's state only. The server still stores its history: delete it manually or let it expire.`,
  };
}

/** Nothing but a URL from the program identifies some servers, so only time shows whether one is gone or restarting. */
async function findOrUnreachable(
  id: string,
  endpoint: AgentEndpoint,
  ctx: Context,
): Promise<Thread | undefined | "unreachable"> {
  try {
    return await sendWithRouteRetry(() => findThread(id, endpoint, ctx), ctx.clock);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.isNotFound || endpoint.deploymentId !== undefined) throw error;
    return "unreachable";
  }
}

/** A server deletes the crons on a thread with it (API `4B.DELETE /threads/{thread_id}`). */
async function assertNoForeignCrons(id: string, { server }: AgentEndpoint, ctx: Context): Promise<void> {
  const crons = await server.crons.listOnThread(id);
  const foreign = crons.filter(({ metadata }) => !isOfStack(CRON_KEYS, metadata, ctx));
  if (foreign.length === 0) return;
  throw new OwnershipError(
    `Thread ${id} was not deleted, because its server would also delete crons on it that this stack does not manage: ${foreign.map(({ cronId }) => cronId).join(", ")}. The thread was not changed. Crons of this stack on it may already be deleted; \`pulumi up\` creates them again.\n` +
      "Delete them first. To delete them with this one, set deleteForeignCrons: true, run `pulumi up`, and then run the command again.",
  );
}
