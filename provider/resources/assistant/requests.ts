/**
 * The requests about one assistant. Each may be repeated: an ID that is taken is not created again, and a change is sent only
 * if something differs.
 */
import { type Assistant, isDefaultAssistant } from "../../api/agent-server/assistants";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { OwnershipError } from "../../definition/ownership";
import type { RetainedResource } from "../../definition/results";
import { HttpError, inPlaceOf } from "../../http/errors";
import { existedBefore, serverTimeOfStart } from "../../objects/creation-time";
import { type AgentEndpoint, findOnServer, importIdOf, removeFromServer } from "../../objects/endpoint";
import { NEXT_UP_HINT, pollForCreated } from "../../objects/lost-response";
import { takeResumed, throwDeleted } from "../../objects/messages";
import { CRON_KEYS, isOfStack } from "../../objects/metadata";
import { sendWithRouteRetry } from "../../objects/optional-route";
import { UserError } from "../../text/user-error";
import { ASSISTANT, type Inputs, type State } from "./fields";
import { toGraphError } from "./graph";
import { toCreateRequest, toUpdateRequest } from "./mapping";
import { type Attempt, IS_DEFAULT, IS_SUCCESSOR, isOwn, isSuccessor, isUnprovable, toConflictError } from "./ownership";

/** Returns an assistant; undefined when it is gone, alone or with its deployment. */
export const findAssistant = (
  id: string,
  endpoint: AgentEndpoint,
  ctx: Pick<Context, "clients">,
): Promise<Assistant | undefined> => findOnServer(() => endpoint.server.assistants.find(id), endpoint, ctx);

/** Returns the assistant, created now, or earlier by an interrupted run of this resource. Nothing is sent before it is looked for. */
export async function ensureAssistant(attempt: Attempt): Promise<Assistant> {
  const { server, id, ctx } = attempt;
  const earlier = await server.assistants.peek(id).catch(inPlaceOf(({ isRejection }) => isRejection, undefined));
  if (earlier) return takeEarlier(earlier, attempt);
  const startedAt = serverTimeOfStart(server, ctx);
  const created = await sendCreate(attempt);
  // Another run may have created it since it was looked for.
  const isEarlier = existedBefore(created, startedAt());
  if (isEarlier) return takeEarlier(created, attempt);
  if (!isUnprovable(attempt) && !isOwn(created, attempt)) throw toConflictError(created, attempt);
  return created;
}

function takeEarlier(assistant: Assistant, attempt: Attempt): Assistant {
  if (!isOwn(assistant, attempt)) throw toConflictError(assistant, attempt);
  takeResumed(ASSISTANT, assistant.assistantId, attempt);
  return assistant;
}

async function sendCreate(attempt: Attempt): Promise<Assistant> {
  const { server, desired, ctx, id } = attempt;
  // Nothing would show that an assistant that the server returns is another one.
  const body = toCreateRequest(attempt, isUnprovable(attempt) ? "raise" : "do_nothing");
  const send = () =>
    server.assistants.create(body).catch(async (error: unknown) => {
      throw error instanceof HttpError && error.isNotFound
        ? await toGraphError(error, desired.graphId, attempt)
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
    if (error.status === 409) throw await toTakenError(error, attempt);
    if (error.outcomeUnknown && isUnprovable(attempt))
      throw error.withHint(
        `Without an ownership marker (ownerMarker: false), nothing shows whether this request created assistant ${id}. If it exists now, adopt it with the resource option:  import: "${importIdOf(ASSISTANT.kind, id, desired, ctx)}"`,
      );
    throw error.outcomeUnknown ? error.withHint(NEXT_UP_HINT) : error;
  }
}

/** Returns the error about an ID that the server rejects as taken, although nothing was found. */
async function toTakenError(error: HttpError, attempt: Attempt): Promise<Error> {
  const { server, id } = attempt;
  const existing = await server.assistants.get(id).catch(inPlaceOf(({ isRejection }) => isRejection, undefined));
  if (existing) return toConflictError(existing, attempt);
  return error.withHint(
    `The ID ${id} probably belongs to an assistant of another user of the agent server. Nothing was created. Choose another assistantId.`,
  );
}

/**
 * Makes an assistant what is expected, with one request. Returns it with its new version, or unchanged if nothing differs.
 * @param expected The declared inputs, with what takes the place of those that are no longer declared.
 */
export async function completeAssistant(assistant: Assistant, expected: Inputs, attempt: Attempt): Promise<Assistant> {
  const { server, tags, ctx } = attempt;
  const change = toUpdateRequest(assistant, expected, tags);
  if (!change) return assistant;
  const { assistantId: id } = assistant;
  const updated = await server.assistants
    .update(id, change)
    .catch((error: unknown) => settleFailure(error, id, expected, attempt));
  const ignored = Object.keys(toUpdateRequest(updated, expected, {}) ?? {});
  if (ignored.length > 0)
    ctx.log.warn(
      `The server did not store ${ignored.join(", ")} of assistant ${id} as declared. Compare its response.`,
    );
  return updated;
}

/** Returns the assistant if the request was applied although it failed: sent again, it would make another version. */
async function settleFailure(error: unknown, id: string, expected: Inputs, attempt: Attempt): Promise<Assistant> {
  if (!(error instanceof HttpError)) throw error;
  const find = () => findAssistant(id, attempt, attempt.ctx);
  if (error.isNotFound) {
    if (!(await find())) return throwDeleted(ASSISTANT, id);
    throw await toGraphError(error, expected.graphId, attempt);
  }
  if (!error.outcomeUnknown) throw error;
  const findUpdated = async () => {
    const found = await find();
    return found && !toUpdateRequest(found, expected, attempt.tags) ? [found] : [];
  };
  const [updated] = await pollForCreated(findUpdated, error, attempt.ctx.clock, NEXT_UP);
  if (updated) return updated;
  throw error.withHint(`The assistant does not have the change, so it was probably not applied. ${NEXT_UP}`);
}

const NEXT_UP = "Run `pulumi up` again: it reads the assistant, and sends a change only if one is missing.";

/**
 * Deletes an assistant with its versions and crons.
 * @throws OwnershipError when it has crons of others, and they must not be deleted. @throws UserError when it stays.
 */
export async function removeAssistant(
  id: string,
  endpoint: AgentEndpoint,
  ctx: Context,
  previous: Pick<Inputs & State, "deleteForeignCrons"> & Partial<State>,
): Promise<RetainedResource | undefined> {
  const { assistants, url } = endpoint.server;
  const found = await findOrUnreachable(id, endpoint, ctx);
  if (found === undefined) return undefined;
  if (found !== "unreachable" && isDefaultAssistant(found))
    return { warning: `Assistant ${id} ${IS_DEFAULT}. It was removed from this stack's state only.` };
  if (found !== "unreachable" && isSuccessor(found, previous, ctx))
    return { warning: `Assistant ${id} at ${url} ${IS_SUCCESSOR}. It was not deleted.` };
  if (found !== "unreachable" && !previous.deleteForeignCrons) await assertNoForeignCrons(id, endpoint, ctx);
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
