/**
 * Whether an assistant is that of this resource. The client chooses the ID, so an existing assistant may be that of an
 * earlier run or of someone else; its metadata show which.
 */
import { type Assistant, isDefaultAssistant } from "../../api/agent-server/assistants";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { describeSibling, OwnershipError } from "../../definition/ownership";
import { type AgentEndpoint, importIdOf } from "../../objects/endpoint";
import { deriveResourceId, idDerivation } from "../../objects/identity";
import { searchLeftovers, warnOfEarlierObjects } from "../../objects/messages";
import { isOfSibling, markerMetadata, markerPlace } from "../../objects/metadata";
import { parseServerTimestamp } from "../../schema/timestamp";
import { ASSISTANT, type Inputs, inputs } from "./fields";

/** Returns the ID that an assistant is created with, which is also its ownership marker. */
export const deriveAssistantId = idDerivation<Inputs>(inputs);

/** One attempt to create or update an assistant. */
export interface Attempt extends AgentEndpoint {
  desired: Inputs;
  /** The requested ID. */
  id: string;
  /** The metadata of the ownership marker; empty when the setting ownerMarker is false. */
  tags: Record<string, string>;
  ctx: Context;
}

export function createAttempt(desired: Inputs, endpoint: AgentEndpoint, ctx: Context): Attempt {
  const derivedId = deriveAssistantId(desired, ctx);
  const tags = markerMetadata(ASSISTANT.keys, ctx.settings.ownerMarker ? derivedId : undefined, ctx);
  return { ...endpoint, desired, ctx, tags, id: desired.assistantId?.toLowerCase() ?? derivedId };
}

/** Why the assistants that a server makes for its graphs are left alone: runs by the name of the graph use them. */
export const IS_DEFAULT =
  "is the default assistant of its graph, which belongs to the server, so no resource manages it: declare another assistant";

/** @throws OwnershipError when the server made the assistant. */
export function assertNotDefault(assistant: Assistant): void {
  if (!isDefaultAssistant(assistant)) return;
  throw new OwnershipError(`Assistant ${assistant.assistantId} ${IS_DEFAULT}. No changes were made.`);
}

/** Whether nothing shows whose an existing assistant is: it has neither a marker nor an ID that only this resource derives. */
export const isUnprovable = ({ desired, tags }: Attempt): boolean =>
  tags[ASSISTANT.keys.object] === undefined && desired.assistantId !== undefined;

/** Whether an existing assistant is that of this resource. */
export function isOwn(assistant: Assistant, attempt: Attempt): boolean {
  if (isDefaultAssistant(assistant) || isUnprovable(attempt)) return false;
  const { object } = ASSISTANT.keys;
  const tag = attempt.tags[object];
  return tag === undefined || assistant.metadata?.[object] === tag;
}

/** Whether others deleted the assistant in state, and created another one with its ID. */
export function isSuccessor(
  { createdAt, metadata }: Assistant,
  previous: { createdAt?: string | undefined },
  ctx: Context,
): boolean {
  const [now, before] = [parseServerTimestamp(createdAt), parseServerTimestamp(previous.createdAt)];
  const isOther = now !== undefined && before !== undefined && now !== before;
  return isOther && metadata?.[ASSISTANT.keys.resource] !== deriveResourceId(ctx);
}

/** What to say of such an assistant, after its ID. */
export const IS_SUCCESSOR =
  "is not the one in this stack's state, which was deleted: someone created another one with its ID";

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
