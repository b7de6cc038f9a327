/** What the checks of a live revision work with, and what they return. */
import type { AgentServerClient } from "../../../api/agent-server/client";
import type { Deployment } from "../../../api/control-plane/client";
import type { Context } from "../../../definition/context";
import type { Check } from "../schema/verify";

export interface CheckRun {
  /** The deployment whose active revision is checked. */
  live: Deployment;
  /** Its agent server, with credentials only where they may be sent. */
  server: AgentServerClient;
  /** What the row shows while it runs, such as `check 2 of 3: ask agent`. */
  label: string;
  ctx: Context;
  /** In which nodes threads waited before the rollout, for the check of conversations. Default: unknown. */
  waitingBefore?: WaitingNodes | undefined;
}

/** The nodes in which threads wait, by the ID of the thread. */
export type WaitingNodes = ReadonlyMap<string, readonly string[]>;

/** Why a check failed. The texts may contain secrets: redact them before they are truncated. */
export interface Mismatch {
  /** What was expected, such as `a response with status 200`. */
  expected: string;
  /** What came instead. */
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
