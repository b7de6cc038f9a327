/** The requests about one thread, except those that create it, and how inputs and state are converted for them. */
import type { Thread, ThreadBody } from "../../api/agent-server/threads";
import { UnsupportedError } from "../../api/profile/learned-profile";
import type { Context, Observation } from "../../definition/context";
import { ignoreUnsupported, inPlaceOfInvalid } from "../../http/errors";
import { stateOf } from "../../objects/fields";
import { buildMetadata, omitMarker } from "../../objects/metadata/metadata";
import { isProven, tagsOf } from "../../objects/ownership";
import type { AgentEndpoint } from "../../objects/server/endpoint";
import { changeObject } from "../../objects/settle";
import { isEqual } from "../../schema/compare";
import { missingExtra, receivedOf } from "../../schema/extra";
import { changesBetween, isEmpty, mergeRemote } from "../../schema/mapping";
import { UserError } from "../../text/user-error";
import { type Attempt, type Inputs, inputs, outputs, type State, THREAD } from "./fields";

export const toState = stateOf<State>(outputs);

/** Returns the declared inputs with the server's values; the initial state, never returned, stays as declared. */
export const toInputs = (remote: Pick<Thread, "metadata" | "ttl">, declared: Inputs): Inputs =>
  mergeRemote(inputs, declared, { metadata: remote.metadata ?? {}, ttl: remote.ttl, extra: receivedOf(remote) });

/** Returns everything that the server returns of a thread except for the keys of the ownership marker. */
export const toAllInputs = ({ threadId, metadata, ttl }: Thread): Inputs => ({
  threadId,
  metadata: omitMarker(THREAD.keys, metadata),
  ttl: ttl ?? undefined,
});

/** Returns the request that changes the previous inputs into the desired ones; undefined when nothing changed. */
export function toUpdateRequest(previous: Partial<Inputs>, desired: Inputs): ThreadUpdate | undefined {
  const changes: ThreadUpdate = changesBetween(inputs, previous, desired);
  if (isEmpty(changes)) return undefined;
  return { ...changes, ...(changes.ttl && { ttl: withDefaultStrategy(changes.ttl) }) };
}

/** Returns the body of a create. @param tags The metadata of the ownership marker. */
export const toCreateRequest = (desired: Inputs, id: string, tags: Record<string, string>): ThreadBody => ({
  ...desired,
  threadId: id,
  // With `do_nothing`, the supersteps would be applied to an existing thread (API `4B.POST /threads:existing`).
  ifExists: "raise",
  metadata: buildMetadata(desired.metadata, tags),
  ttl: desired.ttl && withDefaultStrategy(desired.ttl),
});

/** Adds the strategy that an absent one means. */
const withDefaultStrategy = ({ strategy = "delete", ttl }: NonNullable<Inputs["ttl"]>) => ({ strategy, ttl });

type InState = {
  previous?: Partial<Inputs> | undefined;
  state?: Partial<State> | undefined;
  /** The fields that we do not type of a create that this run has sent. */
  sent?: Inputs["extra"];
};

type ThreadUpdate = Pick<ThreadBody, "metadata" | "ttl" | "extra">;

/** Updates a thread, and warns of a TTL that the server shows otherwise. @throws UnsupportedError. */
export async function patchThread(found: Thread, body: ThreadUpdate, attempt: Attempt): Promise<Thread> {
  const { ctx } = attempt;
  const patch = (change: ThreadUpdate) => changeObject<Inputs, State, Thread>(THREAD, found, change, attempt);
  const { ttl, ...rest } = body;
  if (ttl !== null) {
    const thread = await patch(body);
    if (ttl) await warnOfTtl(thread, ttl, attempt, ctx);
    return thread;
  }
  const result = await patch(body).catch(inPlaceOfInvalid);
  // The published servers cannot remove a TTL (API `4B.PATCH /threads/{thread_id}:ttl`).
  if (!result || result.ttl) ctx.log.warn(describeKeptTtl(found.threadId, ctx));
  return result ?? patch(rest);
}

/** Returns the declared inputs with the server's values. A copy is created without a ttl: a missing one is none. */
function toAppliedInputs({ ttl, ...thread }: Thread, desired: Inputs): Inputs {
  return toInputs({ ...thread, ttl: desired.copyFrom === undefined ? ttl : (ttl ?? null) }, desired);
}

/** Returns the inputs before `completeThread` ends. A copy inherits metadata that nobody declared. */
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
  { previous = {}, state = {}, sent }: InState = {},
): Promise<Observation<Inputs, State>> {
  const { desired, ctx } = attempt;
  const id = found.threadId;
  const known = { id, inputs: toConfirmedInputs(found, desired), state: toState(found, attempt, state) };
  ctx.record(known);
  const complete = (updated: Thread) => ({ id, inputs: desired, state: toState(updated, attempt) });
  const isTtlUncertain = state.url !== undefined && (desired.ttl ?? previous.ttl) !== undefined;
  const thread = isTtlUncertain ? await withTtl(found, attempt) : found;
  const withMetadata = { ...desired, metadata: { ...previous.metadata, ...desired.metadata } };
  // Where the server does not show the TTL, state does; a declared one is sent again.
  const applied = {
    ...toAppliedInputs(thread, withMetadata),
    ...(isTtlUncertain && { ttl: thread.ttl ?? (desired.ttl ? undefined : previous.ttl) }),
    ...(missingExtra(sent, desired.extra, receivedOf(thread)) && { extra: {} }),
  };
  const change = toUpdateRequest(applied, desired);
  const tags = isProven(THREAD, thread, attempt) ? {} : tagsOf(THREAD, id, attempt);
  if (!change && Object.keys(tags).length === 0) return complete(thread);
  // The thread is complete even without its marker, because state contains its ID.
  if (!change) return complete(await addTags(thread, tags, attempt));
  const body = { ...change, metadata: { ...change.metadata, ...tags } };
  return complete(
    await patchThread(found, body, attempt).catch((error: unknown) => {
      if (!(error instanceof UnsupportedError) || desired.copyFrom === undefined) throw error;
      throw new UserError(describeCopy(known, Object.keys(change.metadata ?? {}), desired));
    }),
  );
}

async function addTags(thread: Thread, metadata: Record<string, string>, { server }: Attempt): Promise<Thread> {
  return (await server.threads.update(thread.threadId, { metadata }).catch(ignoreUnsupported)) ?? thread;
}

function describeCopy({ id, inputs }: Observation<Inputs, State>, keys: readonly string[], desired: Inputs): string {
  const differing = [
    ...keys.map((key) => `metadata.${key}`),
    ...(inputs.ttl === undefined && desired.ttl ? ["ttl"] : []),
  ];
  return (
    `Thread ${id} was copied, but this server cannot change metadata or ttl, so it has those of ` +
    `${desired.copyFrom}. Remove these from the program: ${differing.join(", ")}.`
  );
}

/** Returns a thread with its TTL, as far as the server shows it. */
export async function withTtl(thread: Thread, { server }: AgentEndpoint): Promise<Thread> {
  return thread.ttl === undefined
    ? { ...thread, ttl: (await server.threads.readTtl(thread.threadId)) ?? undefined }
    : thread;
}

const describeKeptTtl = (id: string, { urn }: Context): string =>
  `ttl: this server cannot remove a TTL, so thread ${id} keeps the one that it has. To keep it for longer, ` +
  "declare a larger ttl. To have a thread without one, and lose the history, run:  pulumi up --replace " +
  `'${urn}'`;

/** Warns of a declared TTL that the server ignores, or that nothing shows. */
export async function warnOfTtl(
  { threadId, ttl: returned }: Thread,
  declared: NonNullable<ThreadBody["ttl"]>,
  { server }: AgentEndpoint,
  { log }: Pick<Context, "log">,
): Promise<void> {
  const stored = returned ?? (await server.threads.readTtl(threadId));
  if (stored === undefined || (stored && isEqual(inputs.shape.ttl, stored, declared))) return;
  log.warn(
    stored
      ? `ttl: the server stored ${JSON.stringify(stored)} for thread ${threadId} in place of ` +
          `${JSON.stringify(declared)}.`
      : `ttl: the server does not return the TTL of thread ${threadId}, so it probably ignores it, and the ` +
          "thread does not expire.",
  );
}
