/**
 * Creates an assistant exactly once: the client chooses the ID, and the server does nothing when the ID is taken. So the
 * request may be repeated, and two runs at once make one object. Its metadata show whether it is that of this resource.
 */
import { type Assistant, isDefaultAssistant } from "../../api/agent-server/assistants";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { describeSibling, OwnershipError } from "../../definition/ownership";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { existedBefore, serverTimeOfStart } from "../shared/agent-server/creation-time";
import { type AgentEndpoint, importIdOf } from "../shared/agent-server/endpoint";
import { idDerivation } from "../shared/agent-server/identity";
import { describeLeftovers, searchLeftovers } from "../shared/agent-server/leftovers";
import { ASSISTANT_KEYS, isOfSibling, markerMetadata, markerPlace } from "../shared/agent-server/metadata";
import { NEXT_UP_HINT } from "../shared/idempotent-create";
import { sendWithRouteRetry } from "../shared/optional-route";
import { type Inputs, inputs } from "./fields";
import { toGraphError } from "./graph";
import { toCreateRequest } from "./mapping";
import { IS_DEFAULT } from "./on-server";

/** Returns the ID that an assistant is created with, which is also its ownership marker. */
export const deriveAssistantId = idDerivation<Inputs>(inputs);

/** Returns the metadata of the ownership marker; none when the setting ownerMarker is false. */
export const markerOf = (desired: Inputs, ctx: Context): Record<string, string> =>
  markerMetadata(ASSISTANT_KEYS, ctx.settings.ownerMarker ? deriveAssistantId(desired, ctx) : undefined, ctx);

/** Returns the assistant, created now, or earlier by an interrupted run of this resource. */
export async function ensureAssistant(desired: Inputs, endpoint: AgentEndpoint, ctx: Context): Promise<Assistant> {
  const { server } = endpoint;
  const id = desired.assistantId?.toLowerCase() ?? deriveAssistantId(desired, ctx);
  const startedAt = serverTimeOfStart(server, ctx);
  const assistant = await requestAssistant(desired, id, endpoint, ctx);
  const isEarlier = existedBefore(assistant, startedAt());
  if (isDefaultAssistant(assistant) || !isOwn(assistant, isEarlier, desired, ctx))
    throw toConflictError(assistant, desired, endpoint, ctx);
  if (isEarlier) {
    ctx.take(assistant.assistantId, "resumed");
    ctx.log.warn(
      `Resuming assistant ${assistant.assistantId} at ${server.url}: an earlier run of this resource created it.${ctx.ownerHint}`,
    );
  }
  return assistant;
}

/** Warns of assistants that earlier runs of this resource left, such as with another spelling of its server. A failed check fails nothing. */
export async function warnOfLeftovers(
  { assistantId }: Assistant,
  desired: Inputs,
  endpoint: AgentEndpoint,
  ctx: Context,
) {
  const { resource } = ASSISTANT_KEYS;
  const { [resource]: tag } = markerOf(desired, ctx);
  if (tag === undefined) return;
  const { server } = endpoint;
  const search = async () => {
    const own = await collectAll(server.assistants.list({ metadata: { [resource]: tag } }), () => true);
    // A server may ignore the filter.
    const ids = own.filter(({ metadata }) => metadata?.[resource] === tag).map((one) => one.assistantId);
    const [first, ...others] = ids.filter((id) => id !== assistantId);
    if (first === undefined) return;
    const { url } = server;
    const what = describeLeftovers({ noun: "assistants", ids: [first, ...others], url, current: assistantId });
    ctx.log.warn(
      `${what}\nTo adopt one:   import: "${importIdOf("Assistant", first, desired, ctx)}"\nTo delete one:  DELETE ${url}/assistants/${first}${ctx.ownerHint}`,
    );
  };
  await searchLeftovers("assistants", search, { server, ctx });
}

/** Without a marker, only a derived ID shows that an existing assistant is that of this resource. */
function isOwn({ metadata }: Assistant, isEarlier: boolean, desired: Inputs, ctx: Context): boolean {
  const tag = markerOf(desired, ctx)[ASSISTANT_KEYS.object];
  return tag === undefined
    ? !isEarlier || desired.assistantId === undefined
    : metadata?.[ASSISTANT_KEYS.object] === tag;
}

async function requestAssistant(
  desired: Inputs,
  id: string,
  endpoint: AgentEndpoint,
  ctx: Context,
): Promise<Assistant> {
  const { server } = endpoint;
  const body = toCreateRequest(desired, id, markerOf(desired, ctx));
  const send = () =>
    server.assistants.create(body).catch(async (error: unknown) => {
      throw error instanceof HttpError && error.isNotFound
        ? await toGraphError(error, desired.graphId, endpoint)
        : error;
    });
  try {
    return await sendWithRouteRetry(send, ctx.clock);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.isUnsupportedRoute)
      throw new UserError(
        `The agent server at ${server.url} does not support assistants (${error.summary}). Nothing was created.`,
      );
    if (error.status === 409)
      throw error.withHint(
        `The ID ${id} probably belongs to an assistant of another user of the agent server. Nothing was created. Choose another assistantId.`,
      );
    throw error.outcomeUnknown ? error.withHint(NEXT_UP_HINT) : error;
  }
}

/** Returns the error about an assistant with this ID that this resource did not create. */
function toConflictError(
  assistant: Assistant,
  desired: Inputs,
  { server }: AgentEndpoint,
  ctx: Context,
): OwnershipError {
  const { assistantId: id, metadata } = assistant;
  const what = `assistantId: assistant ${id} at ${server.url}`;
  if (isDefaultAssistant(assistant)) return new OwnershipError(`${what} ${IS_DEFAULT}. No changes were made.`);
  if (isOfSibling(ASSISTANT_KEYS, metadata, ctx))
    return new OwnershipError(`${what} ${describeSibling(undefined, ctx.marker, markerPlace(ASSISTANT_KEYS))}`);
  return new OwnershipError(
    `${what} already exists, and this resource did not create it with its current inputs. No changes were made.\n` +
      `To adopt it, add to the resource options:  import: "${importIdOf("Assistant", id, desired, ctx)}"\nTo create a new one, choose another assistantId or omit it.`,
  );
}
