/**
 * Whether an assistant is that of this resource. The client chooses the ID, so an existing assistant may be that of an
 * earlier run or of someone else; its metadata show which.
 */
import { type Assistant, isDefaultAssistant } from "../../api/agent-server/assistants";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { describeSibling, OwnershipError } from "../../definition/ownership";
import { type AgentEndpoint, importIdOf } from "../shared/agent-server/endpoint";
import { idDerivation } from "../shared/agent-server/identity";
import { searchLeftovers, warnOfEarlierObjects } from "../shared/agent-server/messages";
import { isOfSibling, markerMetadata, markerPlace } from "../shared/agent-server/metadata";
import { ASSISTANT, type Inputs, inputs } from "./fields";

/** Returns the ID that an assistant is created with, which is also its ownership marker. */
export const deriveAssistantId = idDerivation<Inputs>(inputs);

/** One attempt to create or update an assistant. */
export interface Attempt extends AgentEndpoint {
  desired: Inputs;
  /** The metadata of the ownership marker; empty when the setting ownerMarker is false. */
  tags: Record<string, string>;
  ctx: Context;
}

export function createAttempt(desired: Inputs, endpoint: AgentEndpoint, ctx: Context): Attempt {
  const tag = ctx.settings.ownerMarker ? deriveAssistantId(desired, ctx) : undefined;
  return { ...endpoint, desired, ctx, tags: markerMetadata(ASSISTANT.keys, tag, ctx) };
}

/** Why the assistants that a server makes for its graphs are left alone: runs by the name of the graph use them. */
export const IS_DEFAULT =
  "is the default assistant of its graph, which belongs to the server, so no resource manages it: declare another assistant";

/** @throws OwnershipError when the server made the assistant. */
export function assertNotDefault(assistant: Assistant): void {
  if (!isDefaultAssistant(assistant)) return;
  throw new OwnershipError(`Assistant ${assistant.assistantId} ${IS_DEFAULT}. No changes were made.`);
}

/**
 * Whether an assistant is that of this resource. Without a marker, only a derived ID shows it.
 * @param isEarlier Whether it existed before this run.
 */
export function isOwn(assistant: Assistant, isEarlier: boolean, { desired, tags }: Attempt): boolean {
  if (isDefaultAssistant(assistant)) return false;
  const { object } = ASSISTANT.keys;
  return tags[object] === undefined
    ? !isEarlier || desired.assistantId === undefined
    : assistant.metadata?.[object] === tags[object];
}

/** Returns the error about an assistant with this ID that this resource did not create. */
export function toConflictError(assistant: Assistant, { server, desired, ctx }: Attempt): OwnershipError {
  const { assistantId: id, metadata } = assistant;
  const what = `assistantId: assistant ${id} at ${server.url}`;
  if (isDefaultAssistant(assistant)) return new OwnershipError(`${what} ${IS_DEFAULT}. No changes were made.`);
  if (isOfSibling(ASSISTANT.keys, metadata, ctx))
    return new OwnershipError(`${what} ${describeSibling(undefined, ctx.marker, markerPlace(ASSISTANT.keys))}`);
  return new OwnershipError(
    `${what} already exists, and this resource did not create it with its current inputs. No changes were made.\n` +
      `To adopt it, add to the resource options:  import: "${importIdOf(ASSISTANT.kind, id, desired, ctx)}"\nTo create a new one, choose another assistantId or omit it.`,
  );
}

/** Warns of assistants that earlier runs of this resource left, such as with another spelling of its server. A failed check fails nothing. */
export async function warnOfLeftovers({ assistantId: current }: Assistant, attempt: Attempt): Promise<void> {
  const { resource } = ASSISTANT.keys;
  const { [resource]: tag } = attempt.tags;
  if (tag === undefined) return;
  const search = async () => {
    const own = await collectAll(attempt.server.assistants.list({ metadata: { [resource]: tag } }), () => true);
    // A server may ignore the filter.
    const ids = own.filter(({ metadata }) => metadata?.[resource] === tag).map(({ assistantId }) => assistantId);
    const others = ids.filter((id) => id !== current);
    warnOfEarlierObjects(ASSISTANT, others, current, attempt);
  };
  await searchLeftovers(ASSISTANT, search, attempt);
}
