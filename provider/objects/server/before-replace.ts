/** Verifies what a new object names before a replacement, and that a deletion takes nothing of others along. */
import type { AgentServerClient } from "../../api/agent-server/client";
import type { Cron } from "../../api/agent-server/crons";
import { describeUnknownGraph, describeUnknownTarget, suggestAssistant } from "../../api/agent-server/unknown-graph";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import { defaultAssistantId, isUuid } from "../../schema/id";
import { normalizeUrl } from "../../schema/normal-form";
import { UserError } from "../../text/user-error";
import type { ObjectNames } from "../kind";
import { CRON_KEYS, isOfStack } from "../metadata/metadata";
import { isCopy } from "../ownership";
import { type AgentEndpoint, type EndpointInputs, waitForEndpoint } from "./endpoint";

/** Returns the server of the new object, which the create would wait for as well; undefined if not known yet. */
export async function endpointOfNew(desired: EndpointInputs, ctx: Context): Promise<AgentEndpoint | undefined> {
  const isKnown = desired.deploymentUrl !== undefined || desired.deploymentId !== undefined;
  return isKnown ? waitForEndpoint(desired, ctx) : undefined;
}

/** Whether the new object has the ID and the server of the old one, which is deleted before. */
export const isSamePlace = (
  newId: string,
  { server }: AgentEndpoint,
  old: { id: string; url?: string | undefined },
): boolean =>
  newId.toLowerCase() === old.id.toLowerCase() && (!old.url || normalizeUrl(old.url) === normalizeUrl(server.url));

/** @param path The input that names the graph. @throws UserError with the server's graphs if it lacks this one. */
export async function assertGraphExists(
  path: string,
  graphId: string,
  server: AgentServerClient,
  describe = describeUnknownGraph,
): Promise<void> {
  const unknownGraph = await describe(graphId, server);
  if (unknownGraph === undefined) return;
  // Only the newest graphs of a server with custom authentication may be hidden.
  if (await server.assistants.find(defaultAssistantId(graphId))) return;
  throw new UserError(`${path}: ${unknownGraph}`);
}

/** @throws UserError when the server has neither an assistant of this ID nor a graph of this name. */
export async function assertAssistantExists(path: string, assistant: string, server: AgentServerClient): Promise<void> {
  if (!isUuid(assistant)) return assertGraphExists(path, assistant, server, describeUnknownTarget);
  if (await server.assistants.find(assistant.toLowerCase())) return;
  const suggestion = await suggestAssistant(assistant, server);
  throw new UserError(`${path}: the agent server at ${server.url} has no assistant ${assistant}. ${suggestion}`.trim());
}

/** @throws UserError when the server has no thread of this ID. */
export async function assertThreadExists(path: string, threadId: string, server: AgentServerClient): Promise<void> {
  if (await server.threads.find(threadId.toLowerCase())) return;
  throw new UserError(
    `${path}: the agent server at ${server.url} has no thread ${threadId}. Use the ID of one that exists.`,
  );
}

const CRONS = { keys: CRON_KEYS, idOf: ({ cronId }: Cron) => cronId };

/** Whether a cron, as a server returns it, is that of a program. */
export function isDeclaredCron({ cron_id: cronId, metadata }: { cron_id: string; metadata?: unknown }): boolean {
  const cron = { cronId, metadata: metadata as Cron["metadata"] };
  return cron.metadata?.[CRON_KEYS.object] != null && !isCopy(CRONS, cron);
}

/** @param crons That would be deleted. @param remedy As a sentence. @throws OwnershipError for others' crons. */
export function assertNoForeignCrons(
  { kind, noun, id }: ObjectNames & { id: string },
  crons: readonly Cron[],
  ctx: Context,
  remedy: string,
): void {
  const foreign = crons.filter((cron) => !isOfStack(CRON_KEYS, cron.metadata, ctx) || isCopy(CRONS, cron));
  if (foreign.length === 0) return;
  throw new OwnershipError(
    `${kind} ${id} was not deleted, because its server would also delete crons of it that this stack does not ` +
      `manage: ${foreign.map(({ cronId }) => cronId).join(", ")}. The ${noun} was not changed. Crons of this ` +
      "stack that belong to it may already be deleted; `pulumi up` creates them again.\n" +
      `${remedy} To delete them with this one, set deleteForeignCrons: true, run \`pulumi up\`, and then run ` +
      "the command again.",
  );
}
