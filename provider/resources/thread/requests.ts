/** The requests about one thread, except those that create it. */
import type { Thread, ThreadBody } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import type { Observation } from "../../definition/results";
import { HttpError, inPlaceOf } from "../../http/errors";
import { throwDeleted } from "../../objects/messages";
import { isProven, tagsOf } from "../../objects/ownership";
import { type AgentEndpoint, findOnServer } from "../../objects/server/endpoint";
import { type OptionalResult, sendOptional } from "../../objects/server/optional-route";
import { UserError } from "../../text/user-error";
import { type Attempt, type Inputs, type State, THREAD, UPDATE_ROUTE } from "./fields";
import { toInputs, toState, toUpdateRequest } from "./mapping";
import { describeKeptTtl, warnOfTtl, withTtl } from "./ttl";

export const REQUESTS = {
  noun: THREAD.noun,
  read: (id: string, endpoint: AgentEndpoint, ctx: Pick<Context, "clients">) =>
    findOnServer(() => endpoint.server.findThread(id), endpoint, ctx),
  remove: (id: string, { server }: AgentEndpoint) => server.deleteThread(id),
};

/** What state contains of a thread. */
type InState = { previous?: Partial<Inputs> | undefined; state?: Partial<State> | undefined };

type ThreadUpdate = Pick<ThreadBody, "metadata" | "ttl">;

/** Updates a thread if its server supports it. Warns of a TTL that the server does not show as it was sent. */
async function patchThread(id: string, body: ThreadUpdate, endpoint: AgentEndpoint, ctx: Context) {
  const { server } = endpoint;
  const patch = (change: ThreadUpdate) =>
    sendOptional({
      send: () => server.updateThread(id, change),
      exists: async () => (await REQUESTS.read(id, endpoint, ctx)) !== undefined,
      clock: ctx.clock,
      route: "PATCH thread",
      support: server.routes,
    });
  const { ttl, ...rest } = body;
  if (ttl !== null) {
    const result = await patch(body);
    if ("response" in result && ttl) await warnOfTtl(result.response, ttl, endpoint, ctx);
    return result;
  }
  const result = await patch(body).catch(inPlaceOf(({ status }) => status === 400 || status === 422, undefined));
  // The published servers cannot remove a TTL (API `4B.PATCH /threads/{thread_id}:ttl`).
  if (!result || ("response" in result && result.response.ttl)) ctx.log.warn(describeKeptTtl(id, ctx));
  return result ?? patch(rest);
}

/**
 * Applies a change. Records that the route is missing and what the server holds, so that the next run replaces the
 * thread.
 */
export async function updateThread(
  id: string,
  change: ThreadUpdate,
  attempt: Attempt,
  { previous, state }: InState,
): Promise<Observation<Inputs, State>> {
  const { desired, server, ctx } = attempt;
  const result = await patchThread(id, change, attempt, ctx);
  if ("gone" in result) return throwDeleted(THREAD, id);
  if ("response" in result)
    return { id, inputs: desired, state: toState(result.response, attempt, state), missingRoutes: [] };
  const remote = (await server.findThread(id)) ?? throwDeleted(THREAD, id);
  ctx.record({ id, inputs: previous as Inputs, state: toState(remote, attempt, state), missingRoutes: [UPDATE_ROUTE] });
  throw new UserError(UPDATE_UNSUPPORTED);
}

/**
 * Returns whether the server still lacks the route that it lacked: it may have been upgraded. An empty merge changes
 * nothing.
 */
export async function findMissingRoutes(id: string, endpoint: AgentEndpoint, ctx: Context) {
  const { missingRoutes } = ctx.recorded;
  if (missingRoutes.length === 0) return {};
  const result = await patchThread(id, { metadata: {} }, endpoint, ctx);
  return { missingRoutes: "missing" in result ? missingRoutes : [] };
}

/** Returns the declared inputs with the server's values. A copy is created without a ttl, so a missing one means none. */
function toAppliedInputs({ metadata, ttl }: Thread, desired: Inputs): Inputs {
  return toInputs({ metadata, ttl: desired.copyFrom === undefined ? ttl : (ttl ?? null) }, desired);
}

/** Returns the inputs that state may contain before `completeThread` ends. A copy inherits metadata that nobody declared. */
function toConfirmedInputs(thread: Thread, desired: Inputs): Inputs {
  const applied = toAppliedInputs(thread, desired);
  if (desired.copyFrom === undefined) return applied;
  const { metadata, ttl } = toUpdateRequest(applied, desired) ?? {};
  const matching = Object.entries(applied.metadata ?? {}).filter(([key]) => !Object.hasOwn(metadata ?? {}, key));
  return {
    ...applied,
    ...(applied.metadata && { metadata: Object.fromEntries(matching) }),
    ttl: ttl === undefined ? applied.ttl : undefined,
  };
}

/**
 * Records the thread, and applies the declared metadata and ttl, and the ownership marker.
 * @param previous Its metadata may be set although it is no longer declared.
 * @throws UserError when the server cannot update the thread; state then holds the server's values.
 */
export async function completeThread(
  found: Thread,
  attempt: Attempt,
  { previous = {}, state = {} }: InState = {},
): Promise<Observation<Inputs, State>> {
  const { desired, ctx } = attempt;
  const id = found.threadId;
  const known = { id, inputs: toConfirmedInputs(found, desired), state: toState(found, attempt, state) };
  ctx.record(known);
  const complete = (updated: Thread) => ({ id, inputs: desired, state: toState(updated, attempt) });
  const isTtlUncertain = state.url !== undefined && (desired.ttl ?? previous.ttl) !== undefined;
  const thread = isTtlUncertain ? await withTtl(found, attempt) : found;
  const withMetadata = { ...desired, metadata: { ...previous.metadata, ...desired.metadata } };
  // Where the server does not show the TTL, state does.
  const applied = {
    ...toAppliedInputs(thread, withMetadata),
    ...(isTtlUncertain && { ttl: thread.ttl ?? previous.ttl }),
  };
  const change = toUpdateRequest(applied, desired);
  const tags = isProven(THREAD, thread, attempt) ? {} : tagsOf(THREAD, id, attempt);
  if (!change && Object.keys(tags).length === 0) return complete(thread);
  // The thread is complete even without its marker, because state contains its ID.
  if (!change) return complete(await addTags(thread, tags, attempt));
  const body = { ...change, metadata: { ...change.metadata, ...tags } };
  const result = await patchThread(id, body, attempt, ctx);
  if ("response" in result) return complete(result.response);
  if ("missing" in result && desired.copyFrom === undefined) ctx.record({ ...known, missingRoutes: [UPDATE_ROUTE] });
  throw new UserError(describeRejection(result, known, Object.keys(change.metadata ?? {}), desired));
}

async function addTags(thread: Thread, metadata: Record<string, string>, { server }: Attempt): Promise<Thread> {
  return server.updateThread(thread.threadId, { metadata }).catch((error: unknown) => {
    if (error instanceof HttpError && error.isUnsupportedRoute) return thread;
    throw error;
  });
}

function describeRejection(
  result: OptionalResult<unknown>,
  { id, inputs }: Observation<Inputs, State>,
  keys: readonly string[],
  desired: Inputs,
): string {
  if ("gone" in result) return `Thread ${id} was deleted while it was being set up. Run \`pulumi up --refresh\`.`;
  if (desired.copyFrom === undefined) return UPDATE_UNSUPPORTED;
  const differing = [
    ...keys.map((key) => `metadata.${key}`),
    ...(inputs.ttl === undefined && desired.ttl ? ["ttl"] : []),
  ];
  return `Thread ${id} was copied, but this server cannot change metadata or ttl, so it has those of ${desired.copyFrom}. Remove these from the program: ${differing.join(", ")}.`;
}

/** Error message for a server without the update route. */
const UPDATE_UNSUPPORTED =
  "This server cannot change a thread's metadata or ttl. No changes were made. From now on, such changes replace the thread and discard its history, as the next preview will show.";
