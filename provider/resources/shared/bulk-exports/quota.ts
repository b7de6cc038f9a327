/** The two quotas of export creation (interface sections 7 and 8). Both answer 429, and only one of them clears by waiting. */
import type { Export, ExportBody } from "../../../api/tracing/schemas";
import type { Context } from "../../../definition/context";
import { type PollResult, WaitTimeoutError } from "../../../definition/wait";
import { HttpError } from "../../../http/errors";
import { parseServerTimestamp } from "../../../schema/timestamp";
import { UserError } from "../../../text/user-error";
import { listIfSupported } from "../idempotent-create";
import { hasEnded } from "./mapping";

/** Creations in a rolling hour, and active schedules, of a workspace of the cloud service. */
export const MAX_CREATIONS_PER_HOUR = 250;
export const MAX_SCHEDULES = 200;
const HOUR_MS = 60 * 60_000;

/** When nobody says how long to wait: a minute, then twice as long each time, at most this. Milliseconds. */
const FIRST_DELAY_MS = 60_000;
const MAX_DELAY_MS = 10 * 60_000;
/** A pause that somebody named is never shorter, and never longer than the quota takes to clear. Milliseconds. */
const MIN_DELAY_MS = 5000;

const CREATION_QUOTA = `${MAX_CREATIONS_PER_HOUR} exports created in a rolling hour, those of schedules included`;
const SCHEDULE_QUOTA = `${MAX_SCHEDULES} active schedules`;

/** A quota that no waiting clears, or that did not clear in time. Nothing was created. */
class QuotaError extends UserError {
  override name = "QuotaError";
}

type Outcome = { created: Export } | { error: unknown };

/**
 * Creates as soon as the hourly quota lets it. Each request but the last was answered 429, so none is made twice.
 * @throws QuotaError when it is the number of schedules, or the deadline passed.
 */
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
  const outcome = await ctx
    .waitUntil({ what, poll: tryCreate, onInterruptHint: "nothing was created yet" })
    .catch(onTimeout);
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
  const exports =
    isSchedule || error.retryAfterMs === undefined
      ? await listIfSupported(() => ctx.clients.tracing.listExports(), ctx)
      : undefined;
  if (isSchedule) assertScheduleQuota(exports, error);
  const now = ctx.serverNow();
  const knownDelayMs = error.retryAfterMs ?? msUntilFree(exports ?? [], now);
  const retryAfterMs = knownDelayMs === undefined ? delayMs : Math.min(Math.max(knownDelayMs, MIN_DELAY_MS), HOUR_MS);
  const retryAt = new Date(now + retryAfterMs).toISOString().slice(11, 19);
  return {
    pending: `the service takes no more exports now (429; its quota is ${CREATION_QUOTA}); next try at ${retryAt} UTC`,
    retryAfterMs: retryAfterMs,
  };
}

/** Only a schedule can meet both quotas. @throws QuotaError when it met the one that waiting does not clear. */
function assertScheduleQuota(exports: Export[] | undefined, error: HttpError): void {
  if (!exports) {
    throw new QuotaError(
      `${error.message}\nThe workspace is over one of two quotas, and this service has no list that tells which: ${CREATION_QUOTA}, or ${SCHEDULE_QUOTA}.\nNothing was created. If it is the first, run \`pulumi up\` again in an hour; if it is the second, destroy a schedule first.`,
    );
  }
  const activeCount = exports.filter(isActiveSchedule).length;
  if (activeCount < MAX_SCHEDULES) return;
  throw new QuotaError(
    `${error.message}\nThe workspace has ${activeCount} active schedules, and its limit is ${SCHEDULE_QUOTA}; waiting does not help.\nNothing was created. Destroy or cancel a schedule that is no longer needed, and run \`pulumi up\` again. One-time exports do not count.`,
  );
}

const isActiveSchedule = ({ intervalHours, sourceBulkExportId, status }: Export) =>
  intervalHours != null && sourceBulkExportId == null && !hasEnded(status);

/** Milliseconds until enough creations are older than the rolling hour; undefined when the list shows fewer. */
function msUntilFree(exports: Export[], now: number): number | undefined {
  const blockingAge = agesInLastHour(exports, now)[MAX_CREATIONS_PER_HOUR - 1];
  return blockingAge === undefined ? undefined : Math.ceil(HOUR_MS - blockingAge);
}

/** Milliseconds since the creations of the last hour, the newest first. */
function agesInLastHour(exports: Export[], now: number): number[] {
  return exports
    .map(({ createdAt }) => now - Number(parseServerTimestamp(createdAt) ?? 0n) / 1000)
    .filter((age) => age < HOUR_MS)
    .sort((a, b) => a - b);
}

/** How much of the two quotas is used, by all exports of a workspace. */
export function quotaUsage(exports: Export[], now: number): { schedules: number; creations: number } {
  return { schedules: exports.filter(isActiveSchedule).length, creations: agesInLastHour(exports, now).length };
}

function onTimeout(error: unknown): never {
  if (!(error instanceof WaitTimeoutError)) throw error;
  throw new QuotaError(
    `${error.message}\nNothing was created. Run \`pulumi up\` again later; a longer wait: the resource option customTimeouts, \`create\`.`,
  );
}
