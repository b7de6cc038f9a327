/** What the checks of a live revision work with, and what they return. */
import type { AgentServerClient } from "../../../api/agent-server/client";
import type { Deployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import type { Clock } from "../../../http/clock";
import type { Check } from "../schema/verify";

export interface CheckRun {
  live: Deployment;
  /** Its agent server, with credentials only where they may be sent. */
  server: AgentServerClient;
  /** What the row shows while it runs, such as `check 2 of 3: ask agent`. */
  label: string;
  ctx: Context;
}

/** Why a check failed. What `runCheck` returns may be shown: it is redacted, and of limited length. */
export interface Mismatch {
  /** What was expected, such as `a response with status 200`. */
  expected: string;
  /** What came instead, with examples on further lines. */
  actual: string;
}

/** What previews, rows, errors and traces call a check, such as `ask agent`. */
export function titleOf({ name, http, ask, dataset, conversations }: Check): string {
  if (name !== undefined) return name;
  if (http) return `http ${http.path}`;
  if (ask) return `ask ${ask.assistantId}`;
  if (dataset) return `dataset ${dataset.path}`;
  return conversations ? "conversations" : "command";
}

/** Returns the result; undefined once time is over or the run is canceled. @param act Receives the signal to end. */
export async function within<T>(
  clock: Pick<Clock, "deadline" | "canceled">,
  milliseconds: number,
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const signal = AbortSignal.any([clock.deadline(milliseconds), ...(clock.canceled ? [clock.canceled] : [])]);
  const over = Promise.withResolvers<undefined>();
  const end = () => over.resolve(undefined);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    return await Promise.race([act(signal), over.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
