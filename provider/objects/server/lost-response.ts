/** Searches for what a create whose response was lost has created. Such a request is never sent again blindly. */
import type { AgentServerClient } from "../../api/agent-server/client";
import type { Context } from "../../definition/context";
import type { Clock } from "../../http/clock";
import { HttpError } from "../../http/errors";
import { createdAtMs } from "../../schema/timestamp";
import { UserError } from "../../text/user-error";

/** Delays between polls for what a request without a response may still create. */
const POLL_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000];
/** Statuses of a proxy that gave up on the server; undefined when there was no response. */
const GATEWAY_TIMEOUT_STATUSES: ReadonlySet<number | undefined> = new Set([408, 502, 504, undefined]);

export class CreatesOfRun {
  /** IDs that this run created: none of them belongs to the lost response of another request. */
  readonly createdIds = new Set<string>();
  /** IDs that this run removed from state alone: what replaces one of them may be identical to it. */
  readonly leftIds = new Set<string>();
  private readonly queues = new Map<string, Promise<unknown>>();

  /** Runs a task after all earlier tasks of the same name, so that it sees their results. */
  serialize<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.queues.get(name) ?? Promise.resolve();
    const current = before.then(task);
    this.queues.set(
      name,
      current.catch(() => undefined),
    );
    return current;
  }
}

/** Polls for something new: the server may still work, or its list lag. @throws HttpError if the last poll fails. */
export async function pollForCreated<T>(
  listCreated: () => Promise<T[]>,
  lostResponse: HttpError,
  clock: Clock,
  hint: string = NEXT_UP_HINT,
): Promise<T[]> {
  const delays = GATEWAY_TIMEOUT_STATUSES.has(lostResponse.status) || lostResponse.isUnexpected ? POLL_DELAYS_MS : [];
  for (let attempt = 0; ; attempt++) {
    const delay = delays[attempt];
    const matches = await listCreated().catch((error: unknown): T[] => {
      if (delay !== undefined && error instanceof HttpError && error.isRetryable) return [];
      throw toUndeterminedError(lostResponse, error, hint);
    });
    if (matches.length > 0 || delay === undefined) return matches;
    await clock.sleep(delay);
  }
}

/** Returns the error of a create whose response was lost and whose follow-up check failed as well. */
export function toUndeterminedError(lostResponse: HttpError, failure: unknown, hint = NEXT_UP_HINT): unknown {
  if (!(failure instanceof UserError)) return failure;
  const [why] = failure.message.split("\n");
  return lostResponse.withHint(`Could not determine whether it was created (${why}). ${hint}`);
}

/** A failed create leaves nothing in state, so only another create can find its result. */
export const NEXT_UP_HINT =
  "Run `pulumi up` again: it finds the resource if it was created. `pulumi destroy` does not, because it is " +
  "not in state.";

/** Returns a function for the server's time at this moment, valid after its next response. Milliseconds. */
export function serverTimeOfStart(server: AgentServerClient, { clock }: Context): () => number {
  const startedAt = clock.monotonic();
  return () => server.now() - (clock.monotonic() - startedAt);
}

/** Whether an object existed before a time. The margin accounts for the Date header, which has whole seconds. */
export const existedBefore = (remote: Parameters<typeof createdAtMs>[0], milliseconds: number): boolean =>
  createdAtMs(remote) < milliseconds - 2000;
