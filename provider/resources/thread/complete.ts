/** Applies what a thread still lacks: the declared metadata and ttl, and the ownership marker. */
import type { Thread, ThreadBody } from "../../api/agent-server/client";
import { PartialStateError } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { type OptionalResult, sendOptional } from "../shared/optional-route";
import { type AgentEndpoint, findThread } from "./endpoint";
import type { Inputs, State } from "./fields";
import { UPDATE_ROUTE } from "./identity";
import { toInputs, toState, toUpdateRequest } from "./mapping";
import { type Attempt, createTags, isProven } from "./ownership";

type ThreadUpdate = Pick<ThreadBody, "metadata" | "ttl">;

/** Updates a thread if its server supports it. */
export function patchThread(id: string, body: ThreadUpdate, endpoint: AgentEndpoint, { ctx }: Pick<Attempt, "ctx">) {
  const { server } = endpoint;
  return sendOptional({
    send: () => server.updateThread(id, body),
    exists: async () => (await findThread(id, endpoint, ctx)) !== undefined,
    clock: ctx.clock,
    route: "PATCH thread",
    support: server.routes,
  });
}

/** Returns the declared inputs with the server's values. A copy is created without a ttl, so a missing one means none. */
function toAppliedInputs({ metadata, ttl }: Thread, desired: Inputs): Inputs {
  return toInputs({ metadata, ttl: desired.copyFrom === undefined ? ttl : (ttl ?? null) }, desired);
}

/** Returns the inputs that state may contain before `completeThread` ends. A copy inherits metadata that nobody declared. */
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
 * Applies the declared metadata and ttl, and the ownership marker, to a thread of this resource.
 * @param removedMetadata Metadata that an earlier run may have set and that is no longer declared.
 * @throws PartialStateError when the server cannot update the thread; state then holds the server's values.
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
  // The thread is complete even without its marker, because state contains its ID.
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
    `Thread ${id} was copied, but this server cannot change metadata or ttl, so it has those of ${desired.copyFrom}. Remove these from the program: ${differing.join(", ")}.`,
    inputs,
    state,
  );
}

/** Error message for a server without the update route. */
export const UPDATE_UNSUPPORTED =
  "This server cannot change a thread's metadata or ttl. No changes were made. From now on, such changes replace the thread and discard its history, as the next preview will show.";
