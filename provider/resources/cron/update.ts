/** Changes crons in place, and compares what their servers return with what was sent. */
import type { Cron } from "../../api/agent-server/crons";
import type { Observation } from "../../definition/results";
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";
import { throwDeleted } from "../shared/agent-server/messages";
import { CRON, type Inputs, type State } from "./fields";
import { missingFields, toInputs, toState, toUpdateRequest } from "./mapping";
import type { Attempt } from "./ownership";

/** Applies whatever differs between a cron and the program. @param previous Metadata keys that may have to be removed. */
export async function applyRemaining(
  cron: Cron,
  attempt: Attempt,
  previous: Pick<Inputs, "metadata"> = {},
): Promise<Observation<Inputs, State>> {
  const { desired } = attempt;
  const applied = toInputs(cron, { ...desired, metadata: { ...previous.metadata, ...desired.metadata } });
  const updated = await sendChange(cron.cronId, applied, attempt);
  return { id: cron.cronId, inputs: desired, state: toState(updated ?? cron, attempt) };
}

/**
 * Sends one PATCH if something differs, and returns the cron. The caller has recorded the cron: a rejected PATCH may be
 * stored in part (API `4B.PATCH /runs/crons/{cron_id}:part`), so after a failure the next run reads before it compares.
 */
export async function sendChange(id: string, applied: Partial<Inputs>, attempt: Attempt): Promise<Cron | undefined> {
  const { desired, server, tags } = attempt;
  const change = toUpdateRequest(applied, desired, tags);
  if (!change) return undefined;
  const cron = await server.crons.update(id, change).catch((error: unknown) => {
    if (error instanceof HttpError && error.isNotFound) throwDeleted(CRON, id);
    throw error;
  });
  const limits = ignoredLimits(cron, desired);
  if (limits !== undefined) throw new UserError(`${limits} It continues to fire although it must not.`);
  warnOfMissing(cron, attempt);
  return cron;
}

/** Returns what a server ignored of what keeps a cron from firing; undefined when it ignored nothing of that. */
export function ignoredLimits(cron: Cron, desired: Inputs): string | undefined {
  const ignored = [
    ...(desired.enabled === false && cron.enabled !== false ? ["enabled: false"] : []),
    ...(desired.endTime !== undefined && cron.endTime == null ? ["endTime"] : []),
  ];
  return ignored.length === 0
    ? undefined
    : `This agent server ignores ${ignored.join(" and ")} of cron ${cron.cronId}, which its response does not contain.`;
}

/** Warns of declared inputs that a response lacks. */
export function warnOfMissing(cron: Cron, { desired, ctx }: Pick<Attempt, "desired" | "ctx">): void {
  const missing = missingFields(cron, desired);
  if (missing.length === 0) return;
  ctx.log.warn(
    `${missing.join(", ")}: the response does not contain what was sent, so the server probably ignores it.`,
  );
}
