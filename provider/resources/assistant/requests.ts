/**
 * The requests about one assistant. Each may be repeated: a change is sent only if something differs, since it makes a
 * version.
 */
import type { Assistant } from "../../api/agent-server/assistants";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { HttpError } from "../../http/errors";
import type { Attempt } from "../../objects/kind";
import { isUnprovable } from "../../objects/ownership";
import { changeObject } from "../../objects/remove";
import { type AgentEndpoint, findOnServer, importIdOf } from "../../objects/server/endpoint";
import { assertNoForeignCrons } from "../../objects/server/foreign-crons";
import { NEXT_UP_HINT, pollForCreated } from "../../objects/server/lost-response";
import { UserError } from "../../text/user-error";
import { ASSISTANT, type Inputs, type State } from "./fields";
import { toGraphError } from "./graph";
import { toCreateRequest, toUpdateRequest } from "./mapping";

/** Sends the create request, which does nothing if the ID is taken, so that it can be repeated. */
export async function sendCreate(attempt: Attempt<Inputs>): Promise<Assistant> {
  const { server, desired } = attempt;
  // Nothing would show that an assistant that the server returns is another one.
  const body = toCreateRequest(attempt, isUnprovable(attempt) ? "raise" : "do_nothing");
  return server.assistants.create(body).catch(async (error: unknown) => {
    if (!(error instanceof HttpError) || !error.isNotFound) throw error;
    throw await toGraphError(error, desired.graphId, attempt);
  });
}

/** Returns the error of a create that left no assistant to be seen. */
export async function explainFailure(failure: HttpError | undefined, attempt: Attempt<Inputs>): Promise<Error> {
  const { server, desired, ctx, id } = attempt;
  if (!failure)
    return new UserError(
      `The server accepted assistant ${id}, but its response contains another one, and it has none with this ID. ${NEXT_UP_HINT}`,
    );
  if (failure.isUnsupportedRoute)
    return new UserError(
      `The agent server at ${server.url} does not support assistants (${failure.summary}). Nothing was created.`,
    );
  if (failure.status === 409)
    return failure.withHint(
      `The ID ${id} probably belongs to an assistant of another user of the agent server. Nothing was created. Choose another assistantId.`,
    );
  if (!failure.outcomeUnknown) return failure;
  if (!isUnprovable(attempt)) return failure.withHint(NEXT_UP_HINT);
  return failure.withHint(
    `Without an ownership marker (ownerMarker: false), nothing shows whether this request created assistant ${id}. If it exists now, adopt it with the resource option:  import: "${importIdOf(ASSISTANT.kind, id, desired, ctx)}"`,
  );
}

/**
 * Makes an assistant what is expected, with one request. Returns it with its new version, or unchanged if nothing differs.
 * @param expected The declared inputs, with what takes the place of those that are no longer declared.
 */
export async function completeAssistant(
  assistant: Assistant,
  expected: Inputs,
  attempt: Attempt<Inputs>,
): Promise<Assistant> {
  const { server, tags, ctx } = attempt;
  const change = toUpdateRequest(assistant, expected, tags);
  if (!change) return assistant;
  const { assistantId: id } = assistant;
  const find = () => findOnServer(() => server.assistants.find(id), attempt, ctx);
  const send = () => server.assistants.update(id, change).catch(explain);
  // A server does not find the route, the assistant or its graph.
  const explain = async (error: unknown): Promise<never> => {
    const isOfGraph = error instanceof HttpError && error.isNotFound && (await find()) !== undefined;
    throw isOfGraph ? await toGraphError(error, expected.graphId, attempt) : error;
  };
  const updated = await changeObject(ASSISTANT, id, attempt, { send, find }).catch((error: unknown) =>
    settleFailure(error, find, expected, attempt),
  );
  const ignored = Object.keys(toUpdateRequest(updated, expected, {}) ?? {});
  if (ignored.length > 0)
    ctx.log.warn(
      `The server did not store ${ignored.join(", ")} of assistant ${id} as declared. Compare its response.`,
    );
  return updated;
}

/** Returns the assistant if the request was applied although it failed: sent again, it would make another version. */
async function settleFailure(
  error: unknown,
  find: () => Promise<Assistant | undefined>,
  expected: Inputs,
  attempt: Attempt<Inputs>,
): Promise<Assistant> {
  if (!(error instanceof HttpError) || !error.outcomeUnknown) throw error;
  const findUpdated = async () => {
    const found = await find();
    return found && !toUpdateRequest(found, expected, attempt.tags) ? [found] : [];
  };
  const [updated] = await pollForCreated(findUpdated, error, attempt.ctx.clock, NEXT_UP);
  if (updated) return updated;
  throw error.withHint(`The assistant does not have the change, so it was probably not applied. ${NEXT_UP}`);
}

const NEXT_UP = "Run `pulumi up` again: it reads the assistant, and sends a change only if one is missing.";

/** Warns of what others have changed: the assistant itself, or the graphs of its deployment. */
export function warnOfState(
  { assistantId, graphId, version, isGraphMissing }: Assistant,
  previous: Partial<State> = {},
  ctx: Context,
): void {
  if (isGraphMissing)
    ctx.log.warn(
      `graphId: the agent server no longer has the graph "${graphId}", so assistant ${assistantId} cannot run. It still exists, and stays in state.`,
    );
  if (previous.version === undefined || version == null || version === previous.version) return;
  ctx.log.warn(`changed outside: version ${version}, last applied ${previous.version}.`);
}

/**
 * A server deletes the crons of an assistant with it.
 * @throws OwnershipError when some are not of this stack, unless that is allowed.
 */
export async function verifyDeletion(
  { assistantId: id }: Assistant,
  { deleteForeignCrons }: Pick<Inputs, "deleteForeignCrons">,
  { server }: AgentEndpoint,
  ctx: Context,
): Promise<void> {
  if (deleteForeignCrons) return;
  const areSupported = await server.crons.areSupported();
  if (areSupported === false) return;
  const crons = await collectAll(server.crons.list({ assistantId: id })).catch((error: unknown) => {
    if (areSupported === undefined && error instanceof HttpError && error.isUnsupportedRoute) return [];
    throw error;
  });
  // A server may ignore the filter.
  const own = crons.filter(({ assistantId }) => assistantId === id);
  assertNoForeignCrons({ ...ASSISTANT, id }, own, ctx, "Delete them, or let them run another assistant.");
}
