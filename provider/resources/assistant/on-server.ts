/** The assistant of an ID on its agent server, and its deletion. */
import { type Assistant, isDefaultAssistant } from "../../api/agent-server/assistants";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { RetainedResource } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { type AgentEndpoint, findOnServer } from "../shared/agent-server/endpoint";
import { CRON_KEYS, isOfStack } from "../shared/agent-server/metadata";
import { removeFromServer } from "../shared/agent-server/removal";
import { sendWithRouteRetry } from "../shared/optional-route";

/** Why the assistants that a server makes for its graphs are left alone: runs by the name of the graph use them. */
export const IS_DEFAULT =
  "is the default assistant of its graph, which belongs to the server, so no resource manages it: declare another assistant";

/** Returns an assistant; undefined when it is gone, alone or with its deployment. */
export const findAssistant = (
  id: string,
  endpoint: AgentEndpoint,
  ctx: Pick<Context, "clients">,
): Promise<Assistant | undefined> => findOnServer(() => endpoint.server.assistants.find(id), endpoint, ctx);

/** @throws OwnershipError when the server made the assistant. */
export function assertNotDefault(assistant: Assistant): void {
  if (!isDefaultAssistant(assistant)) return;
  throw new OwnershipError(`Assistant ${assistant.assistantId} ${IS_DEFAULT}. No changes were made.`);
}

/**
 * Deletes an assistant with its versions and crons.
 * @param deleteForeignCrons Whether these may be crons of others.
 * @throws OwnershipError when it has crons of others, and they must not be deleted. @throws UserError when it stays.
 */
export async function removeAssistant(
  id: string,
  endpoint: AgentEndpoint,
  ctx: Context,
  deleteForeignCrons = false,
): Promise<RetainedResource | undefined> {
  const { assistants, url } = endpoint.server;
  const found = await findOrUnreachable(id, endpoint, ctx);
  if (found === undefined) return undefined;
  if (found !== "unreachable" && isDefaultAssistant(found))
    return { warning: `Assistant ${id} ${IS_DEFAULT}. It was removed from this stack's state only.` };
  if (found !== "unreachable" && !deleteForeignCrons) await assertNoForeignCrons(id, endpoint, ctx);
  const request = { send: () => assistants.delete(id), find: () => assistants.find(id), route: "DELETE assistant" };
  const removal = found === "unreachable" ? found : await removeFromServer(request, endpoint, ctx);
  if (removal === "gone") return undefined;
  // Every server with assistants deletes them.
  if (removal === "unsupported")
    throw new UserError(
      `Assistant ${id} was not deleted: ${url} rejects the request, although it still has the assistant. State is unchanged. Run the command again. If it fails again, a proxy or a replica of the server is faulty; ask its operators.`,
    );
  return {
    warning: `Assistant ${id} was not deleted, because no agent server is responding at ${url} (404). It was removed from this stack's state only. If the server still exists, delete the assistant manually.`,
  };
}

/** Nothing but a URL from the program identifies some servers, so only time shows whether one is gone or restarting. */
async function findOrUnreachable(id: string, endpoint: AgentEndpoint, ctx: Context) {
  try {
    return await sendWithRouteRetry(() => findAssistant(id, endpoint, ctx), ctx.clock);
  } catch (error) {
    if (!(error instanceof HttpError) || !error.isNotFound || endpoint.deploymentId !== undefined) throw error;
    return "unreachable";
  }
}

async function assertNoForeignCrons(id: string, { server }: AgentEndpoint, ctx: Context): Promise<void> {
  const areSupported = await server.crons.areSupported();
  if (areSupported === false) return;
  const crons = await collectAll(server.crons.list({ assistantId: id })).catch((error: unknown) => {
    if (areSupported === undefined && error instanceof HttpError && error.isUnsupportedRoute) return [];
    throw error;
  });
  // A server may ignore the filter.
  const foreign = crons.filter(
    ({ assistantId, metadata }) => assistantId === id && !isOfStack(CRON_KEYS, metadata, ctx),
  );
  if (foreign.length === 0) return;
  throw new OwnershipError(
    `Assistant ${id} was not deleted, because its server would also delete crons of it that this stack does not manage: ${foreign.map(({ cronId }) => cronId).join(", ")}. The assistant was not changed. Crons of this stack that run it may already be deleted; \`pulumi up\` creates them again.\n` +
      "Delete them, or let them run another assistant. To delete them with this one, set deleteForeignCrons: true, run `pulumi up`, and then run the command again.",
  );
}
