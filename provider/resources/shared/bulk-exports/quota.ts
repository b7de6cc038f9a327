/** The two quotas of export creation (interface sections 7 and 8). Both answer 429, and only one of them clears by waiting. */
import type { Export, ExportBody } from "../../../api/tracing/schemas";
import type { Context } from "../../../definition/context";
import { type PollResult, WaitTimeoutError } from "../../../definition/wait";
import { HttpError } from "../../../http/errors";
import { parseServerTimestamp } from "../../../schema/timestamp";
import { UserError } from "../../../text/user-error";
import { listed } from "../idempotent-create";
import { hasEnded } from "./mapping";

/** Creations in a rolling hour, and active schedules, of a workspace of the cloud service. */
export const CREATIONS = 250;
export const SCHEDULES = 200;
const HOUR_MS = 60 * 60_000;

/** When nobody says how long to wait: a minute, then twice as long each time, at most this. Milliseconds. */
const PATIENCE_MS = 60_000;
const LONGEST_PATIENCE_MS = 10 * 60_000;
/** A pause that somebody named is never shorter, and never longer than the quota takes to clear. Milliseconds. */
const SHORTEST_MS = 5000;

const ROLLING = `${CREATIONS} exports created in a rolling hour, those of schedules included`;
const CAP = `${SCHEDULES} active schedules`;

/** A quota that no waiting clears, or that did not clear in time. Nothing was created. */
class QuotaError extends UserError {
  override name = "QuotaError";
}

type Outcome = { made: Export } | { error: unknown };

/**
 * Creates as soon as the hourly quota lets it. Each request but the last was answered 429, so none is made twice.
 * @throws QuotaError when it is the number of schedules, or the deadline passed.
 */
export async function createWithinQuota(body: ExportBody, ctx: Context): Promise<Export> {
  let refusals = 0;
  const look = async (): Promise<PollResult<Outcome>> => {
    try {
      return { done: { made: await ctx.clients.tracing.createExport(body) } };
    } catch (error) {
      if (!(error instanceof HttpError) || !error.isRateLimited) return { done: { error } };
      const patience = Math.min(PATIENCE_MS * 2 ** refusals++, LONGEST_PATIENCE_MS);
      return full(error, body, patience, ctx);
    }
  };
  const what = "the quota of export creations to clear";
  const outcome = await ctx
    .waitUntil({ what, poll: look, onInterruptHint: "nothing was created yet" })
    .catch(outOfTime);
  if ("error" in outcome) throw outcome.error;
  return outcome.made;
}

async function full(
  error: HttpError,
  { intervalHours }: ExportBody,
  patience: number,
  ctx: Context,
): Promise<PollResult<never>> {
  const schedule = intervalHours != null;
  const known =
    schedule || error.retryAfterMs === undefined
      ? await listed(() => ctx.clients.tracing.listExports(), ctx)
      : undefined;
  if (schedule) assertBelowCap(known, error);
  const now = ctx.serverNow();
  const named = error.retryAfterMs ?? clearsIn(known ?? [], now);
  const pause = named === undefined ? patience : Math.min(Math.max(named, SHORTEST_MS), HOUR_MS);
  const again = new Date(now + pause).toISOString().slice(11, 19);
  return {
    pending: `the service takes no more exports now (429; its quota is ${ROLLING}); next try at ${again} UTC`,
    retryAfterMs: pause,
  };
}

/** Only a schedule can meet both quotas. @throws QuotaError when it met the one that waiting does not clear. */
function assertBelowCap(known: Export[] | undefined, error: HttpError): void {
  if (!known) {
    throw new QuotaError(
      `${error.message}\nThe workspace is over one of two quotas, and this service has no list that tells which: ${ROLLING}, or ${CAP}.\nNothing was created. If it is the first, run \`pulumi up\` again in an hour; if it is the second, destroy a schedule first.`,
    );
  }
  const active = known.filter(isActiveSchedule).length;
  if (active < SCHEDULES) return;
  throw new QuotaError(
    `${error.message}\nThe workspace has ${active} active schedules, and its limit is ${CAP}; waiting does not help.\nNothing was created. Destroy or cancel a schedule that is no longer needed, and run \`pulumi up\` again. One-time exports do not count.`,
  );
}

const isActiveSchedule = ({ intervalHours, sourceBulkExportId, status }: Export) =>
  intervalHours != null && sourceBulkExportId == null && !hasEnded(status);

/** Milliseconds until enough creations are older than the rolling hour; undefined when the list shows fewer. */
function clearsIn(known: Export[], now: number): number | undefined {
  const blocking = agesWithinHour(known, now)[CREATIONS - 1];
  return blocking === undefined ? undefined : Math.ceil(HOUR_MS - blocking);
}

/** Milliseconds since the creations of the last hour, the newest first. */
function agesWithinHour(known: Export[], now: number): number[] {
  return known
    .map(({ createdAt }) => now - Number(parseServerTimestamp(createdAt) ?? 0n) / 1000)
    .filter((age) => age < HOUR_MS)
    .sort((a, b) => a - b);
}

/** How much of the two quotas is used, by all exports of a workspace. */
export function usage(known: Export[], now: number): { schedules: number; creations: number } {
  return { schedules: known.filter(isActiveSchedule).length, creations: agesWithinHour(known, now).length };
}

function outOfTime(error: unknown): never {
  if (!(error instanceof WaitTimeoutError)) throw error;
  throw new QuotaError(
    `${error.message}\nNothing was created. Run \`pulumi up\` again later; a longer wait: the resource option customTimeouts, \`create\`.`,
  );
}
