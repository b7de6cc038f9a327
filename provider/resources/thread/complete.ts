/** Sending to a thread what it still lacks: declared metadata and ttl, and the marker that proves whose it is. */
import type { Thread, ThreadBody } from "../../api/agent-server/client";
import { PartialStateError } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { type OptionalResult, sendOptional } from "../shared/optional-route";
import type { Place } from "./endpoint";
import type { Inputs, State } from "./fields";
import { CHANGES } from "./identity";
import { changeBody, toInputs, toState } from "./mapping";
import { type Attempt, isProven, tagsOf } from "./ownership";

type Body = Pick<ThreadBody, "metadata" | "ttl">;

/** Changes a thread where its server can. */
export function patchThread(id: string, body: Body, { server }: Place, { ctx }: Pick<Attempt, "ctx">) {
  return sendOptional({
    send: () => server.updateThread(id, body),
    exists: async () => (await server.findThread(id)) !== undefined,
    clock: ctx.clock,
  });
}

/** What the server holds of what is declared. A copy was sent no ttl, so one that is not shown does not exist. */
function heldOf({ metadata, ttl }: Thread, wanted: Inputs): Inputs {
  return toInputs({ metadata, ttl: wanted.copyFrom === undefined ? ttl : (ttl ?? null) }, wanted);
}

/** What state may say of a thread before `complete` ends. What a copy has from its source alone was never declared. */
export function confirmedOf(thread: Thread, wanted: Inputs): Inputs {
  const held = heldOf(thread, wanted);
  if (wanted.copyFrom === undefined) return held;
  const { metadata, ttl } = changeBody(held, wanted) ?? {};
  const agreeing = Object.entries(held.metadata ?? {}).filter(([key]) => !Object.hasOwn(metadata ?? {}, key));
  return {
    ...held,
    ...(held.metadata && { metadata: Object.fromEntries(agreeing) }),
    ttl: ttl === undefined ? held.ttl : undefined,
  };
}

/**
 * Brings a thread of ours to what is declared.
 * @param removed Metadata that an earlier run may have set and that is no longer declared.
 * @throws PartialStateError when its server cannot change it: state then holds what the server does.
 */
export async function complete(thread: Thread, attempt: Attempt, removed: Inputs["metadata"] = {}): Promise<State> {
  const { wanted } = attempt;
  const held = heldOf(thread, { ...wanted, metadata: { ...removed, ...wanted.metadata } });
  const change = changeBody(held, wanted);
  const tags = isProven(thread, attempt) ? {} : tagsOf(attempt, thread.threadId);
  if (!change && Object.keys(tags).length === 0) return toState(thread, attempt);
  // Without its marker it is whole all the same: state knows its ID.
  if (!change) return toState(await tagged(thread, tags, attempt), attempt);
  const body = { ...change, metadata: { ...change.metadata, ...tags } };
  const result = await patchThread(thread.threadId, body, attempt, attempt);
  if ("response" in result) return toState(result.response, attempt);
  throw unchangeable(result, thread, Object.keys(change.metadata ?? {}), attempt);
}

async function tagged(thread: Thread, metadata: Record<string, string>, { server }: Attempt): Promise<Thread> {
  return server.updateThread(thread.threadId, { metadata }).catch((error: unknown) => {
    if (error instanceof HttpError && error.isUnsupportedRoute) return thread;
    throw error;
  });
}

function unchangeable(
  result: OptionalResult<unknown>,
  thread: Thread,
  keys: readonly string[],
  attempt: Attempt,
): PartialStateError {
  const { wanted } = attempt;
  const state = toState(thread, attempt);
  const inputs = confirmedOf(thread, wanted);
  const id = thread.threadId;
  if ("gone" in result) {
    return new PartialStateError(
      `Thread ${id} was deleted while it was being set up. Run \`pulumi up --refresh\`.`,
      inputs,
      state,
    );
  }
  if (wanted.copyFrom === undefined) return new PartialStateError(UNCHANGEABLE, inputs, state, [CHANGES]);
  const wrong = [...keys.map((key) => `metadata.${key}`), ...(inputs.ttl === undefined && wanted.ttl ? ["ttl"] : [])];
  return new PartialStateError(
    `Thread ${id} was copied, but this server has no way to change metadata or ttl, so it has those of ${wanted.copyFrom}. Remove these from the program: ${wrong.join(", ")}.`,
    inputs,
    state,
  );
}

/** Said when a server turned out to lack the route. */
export const UNCHANGEABLE =
  "This server has no way to change a thread's metadata or ttl. Nothing was changed. From now on, such changes replace the thread and discard its history, as the next preview will show.";
