/** The two quotas of export creation (API `7.429`). Both lead to a 429, and only one resolves by waiting. */
import type { Export, ExportBody } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import type { PollResult } from "../../definition/wait";
import { HttpError } from "../../http/errors";
import { createdAtMs } from "../../schema/timestamp";
import { UserError } from "../../text/user-error";
import { hasEnded } from "./fields";
import { listExports } from "./idempotent-create";

/** Quotas of a workspace of the cloud service: creations in a rolling hour, and active schedules. */
export const MAX_CREATIONS_PER_HOUR = 250;
export const MAX_SCHEDULES = 200;
const HOUR_MS = 60 * 60_000;

/** Delays when neither the server nor the list of exports shows how long to wait; they double each time. */
const FIRST_DELAY_MS = 60_000;
const MAX_DELAY_MS = 10 * 60_000;
/** Minimum of a delay that the server or the list shows; the maximum is an hour. */
const MIN_DELAY_MS = 5000;

const CREATION_QUOTA = `${MAX_CREATIONS_PER_HOUR} exports per workspace per rolling hour, including scheduled ones`;
const SCHEDULE_QUOTA = `${MAX_SCHEDULES} active schedules`;

type Outcome = { created: Export } | { error: unknown };

/** Repeats a create until the hourly quota allows it: 429 creates nothing. @throws UserError if it cannot. */
export async function createWithinQuota(body: ExportBody, ctx: Context): Promise<Export> {
  let rejections = 0;
  const tryCreate = async (): Promise<PollResult<Outcome>> => {
    try {
      return { done: { created: await ctx.clients.tracing.createExport(body) } };
    } catch (error) {
      if (!(error instanceof HttpError) || !error.isRateLimited) return { done: { error } };
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** rejections++, MAX_DELAY_MS);
      return onQuotaExceeded(error, body, delayMs, ctx);
    }
  };
  const what = "the quota of export creations to clear";
  const onInterruptHint = "nothing was created yet";
  const outcome = await ctx.waitUntil({ kind: "quota", what, poll: tryCreate, onInterruptHint, onTimeoutHint });
  if ("error" in outcome) throw outcome.error;
  return outcome.created;
}

async function onQuotaExceeded(
  error: HttpError,
  { intervalHours }: ExportBody,
  delayMs: number,
  ctx: Context,
): Promise<PollResult<never>> {
  const isSchedule = intervalHours != null;
  const allExports = isSchedule || error.retryAfterMs === undefined ? await listExports(ctx) : undefined;
  if (isSchedule) assertScheduleQuota(allExports, error);
  const now = ctx.serverNow();
  const knownDelayMs = error.retryAfterMs ?? msUntilFree(allExports ?? [], now);
  const retryAfterMs = knownDelayMs === undefined ? delayMs : Math.min(Math.max(knownDelayMs, MIN_DELAY_MS), HOUR_MS);
  const retryAt = new Date(now + retryAfterMs).toISOString().slice(11, 19);
  return { pending: `rate limit reached (${CREATION_QUOTA}); retrying at ${retryAt} UTC`, retryAfterMs };
}

function assertScheduleQuota(allExports: Export[] | undefined, error: HttpError): void {
  if (!allExports) {
    throw new UserError(
      `${error.message}\nThe workspace exceeded one of two quotas, and this server cannot report which: ` +
        `${CREATION_QUOTA}, or ${SCHEDULE_QUOTA}.\nNothing was created. For the first quota, run \`pulumi up\` ` +
        "again in an hour; for the second, destroy a schedule first.",
    );
  }
  const activeCount = allExports.filter(isActiveSchedule).length;
  if (activeCount < MAX_SCHEDULES) return;
  throw new UserError(
    `${error.message}\nThe workspace has ${activeCount} active schedules; the limit is ${MAX_SCHEDULES}, and ` +
      "waiting does not help.\nNothing was created. Destroy or cancel a schedule that is no longer needed and " +
      "run `pulumi up` again. One-time exports do not count.",
  );
}

const isActiveSchedule = ({ intervalHours, sourceBulkExportId, status }: Export) =>
  intervalHours != null && sourceBulkExportId == null && !hasEnded(status);

function msUntilFree(allExports: Export[], now: number): number | undefined {
  const blockingAge = agesInLastHour(allExports, now)[MAX_CREATIONS_PER_HOUR - 1];
  return blockingAge === undefined ? undefined : Math.ceil(HOUR_MS - blockingAge);
}

function agesInLastHour(allExports: Export[], now: number): number[] {
  return allExports
    .map((other) => now - createdAtMs(other))
    .filter((age) => age < HOUR_MS)
    .sort((a, b) => a - b);
}

/** Returns how much of the two quotas all exports of a workspace use. */
export function quotaUsage(allExports: Export[], now: number): { schedules: number; creations: number } {
  return { schedules: allExports.filter(isActiveSchedule).length, creations: agesInLastHour(allExports, now).length };
}

const onTimeoutHint = "Nothing was created. Run `pulumi up` again later, or set customTimeouts.create to wait longer.";
