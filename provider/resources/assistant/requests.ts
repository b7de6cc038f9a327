/**
 * The requests about one assistant. Each may be repeated: a change is sent only if something differs, since it makes a
 * version.
 */
import type { Assistant, AssistantBody } from "../../api/agent-server/assistants";
import { collectAll } from "../../api/pagination";
import type { Context } from "../../definition/context";
import { HttpError } from "../../http/errors";
import { toCreateRequest } from "../../objects/defaults";
import type { Attempt } from "../../objects/kind";
import { isUnprovable } from "../../objects/ownership";
import { type AgentEndpoint, findOnServer } from "../../objects/server/endpoint";
import { assertNoForeignCrons } from "../../objects/server/foreign-crons";
import { ASSISTANT, type Inputs, type State } from "./fields";
import { toGraphError } from "./graph";

/** Sends the create request, which does nothing if the ID is taken, so that it can be repeated. */
export async function sendCreate(attempt: Attempt<Inputs>): Promise<Assistant> {
  const { server, desired } = attempt;
  // Nothing would show that an assistant that the server returns is another one.
  const ifExists = isUnprovable(attempt) ? "raise" : "do_nothing";
  const body: AssistantBody = { ...toCreateRequest(ASSISTANT, attempt), ifExists };
  return server.assistants.create(body).catch(async (error: unknown) => {
    if (!(error instanceof HttpError) || !error.isNotFound) throw error;
    throw await toGraphError(error, desired.graphId, attempt);
  });
}

/** Sends a change. A server does not find the route, the assistant or its graph. */
export async function sendChange(id: string, change: AssistantBody, attempt: Attempt<Inputs>): Promise<Assistant> {
  const { server, desired, ctx } = attempt;
  const find = () => findOnServer(() => server.assistants.find(id), attempt, ctx);
  return server.assistants.update(id, change).catch(async (error: unknown) => {
    const isOfGraph = error instanceof HttpError && error.isNotFound && (await find()) !== undefined;
    throw isOfGraph ? await toGraphError(error, desired.graphId, attempt) : error;
  });
}

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
