/** Sending to a thread what it still lacks: declared metadata and ttl, and the marker that proves whose it is. */
import type { Thread, ThreadBody } from "../../api/agent-server/client";
import { PartialStateError } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { type OptionalResult, sendOptional } from "../shared/optional-route";
import type { AgentEndpoint } from "./endpoint";
import type { Inputs, State } from "./fields";
import { UPDATE_ROUTE } from "./identity";
import { toInputs, toState, toUpdateRequest } from "./mapping";
import { type Attempt, createTags, isProven } from "./ownership";

type ThreadUpdate = Pick<ThreadBody, "metadata" | "ttl">;

/** Changes a thread where its server can. */
export function patchThread(id: string, body: ThreadUpdate, { server }: AgentEndpoint, { ctx }: Pick<Attempt, "ctx">) {
  return sendOptional({
    send: () => server.updateThread(id, body),
    exists: async () => (await server.findThread(id)) !== undefined,
    clock: ctx.clock,
  });
}

/** What the server holds of what is declared. A copy was sent no ttl, so one that is not shown does not exist. */
function toAppliedInputs({ metadata, ttl }: Thread, desired: Inputs): Inputs {
  return toInputs({ metadata, ttl: desired.copyFrom === undefined ? ttl : (ttl ?? null) }, desired);
}

/** What state may say of a thread before `complete` ends. What a copy has from its source alone was never declared. */
export function toConfirmedInputs(thread: Thread, desired: Inputs): Inputs {
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
 * Brings a thread of ours to what is declared.
 * @param removedMetadata Metadata that an earlier run may have set and that is no longer declared.
 * @throws PartialStateError when its server cannot change it: state then holds what the server does.
 */
export async function completeThread(
  thread: Thread,
  attempt: Attempt,
  removedMetadata: Inputs["metadata"] = {},
): Promise<State> {
  const { desired } = attempt;
  const applied = toAppliedInputs(thread, { ...desired, metadata: { ...removedMetadata, ...desired.metadata } });
  const change = toUpdateRequest(applied, desired);
  const tags = isProven(thread, attempt) ? {} : createTags(attempt, thread.threadId);
  if (!change && Object.keys(tags).length === 0) return toState(thread, attempt);
  // Without its marker it is whole all the same: state knows its ID.
  if (!change) return toState(await addTags(thread, tags, attempt), attempt);
  const body = { ...change, metadata: { ...change.metadata, ...tags } };
  const result = await patchThread(thread.threadId, body, attempt, attempt);
  if ("response" in result) return toState(result.response, attempt);
  throw toUpdateError(result, thread, Object.keys(change.metadata ?? {}), attempt);
}

async function addTags(thread: Thread, metadata: Record<string, string>, { server }: Attempt): Promise<Thread> {
  return server.updateThread(thread.threadId, { metadata }).catch((error: unknown) => {
    if (error instanceof HttpError && error.isUnsupportedRoute) return thread;
    throw error;
  });
}

function toUpdateError(
  result: OptionalResult<unknown>,
  thread: Thread,
  keys: readonly string[],
  attempt: Attempt,
): PartialStateError {
  const { desired } = attempt;
  const state = toState(thread, attempt);
  const inputs = toConfirmedInputs(thread, desired);
  const id = thread.threadId;
  if ("gone" in result) {
    return new PartialStateError(
      `Thread ${id} was deleted while it was being set up. Run \`pulumi up --refresh\`.`,
      inputs,
      state,
    );
  }
  if (desired.copyFrom === undefined) return new PartialStateError(UPDATE_UNSUPPORTED, inputs, state, [UPDATE_ROUTE]);
  const differing = [
    ...keys.map((key) => `metadata.${key}`),
    ...(inputs.ttl === undefined && desired.ttl ? ["ttl"] : []),
  ];
  return new PartialStateError(
    `Thread ${id} was copied, but this server has no way to change metadata or ttl, so it has those of ${desired.copyFrom}. Remove these from the program: ${differing.join(", ")}.`,
    inputs,
    state,
  );
}

/** Said when a server turned out to lack the route. */
export const UPDATE_UNSUPPORTED =
  "This server has no way to change a thread's metadata or ttl. Nothing was changed. From now on, such changes replace the thread and discard its history, as the next preview will show.";
