/** Creating an export of either kind: within the quotas, and never twice. */
import type { Export } from "../../../api/tracing/schemas";
import type { Context } from "../../../definition/context";
import { createOnce, listed } from "../idempotent-create";
import { warnOfLeftovers } from "../leftovers";
import type { Wanted } from "./fields";
import { differences, hasEnded, toBody } from "./mapping";
import { createWithinQuota } from "./quota";
import { fieldsIgnored, refused } from "./rejections";

/** @throws OwnershipError when an equal one is at work; QuotaError; HttpError. */
export async function createExport(wanted: Wanted, ctx: Context): Promise<Export> {
  const body = toBody(wanted);
  const explained = (error: unknown) => refused(error, body);
  const made = await createOnce<Export>({
    what: nameOf(wanted),
    send: () => createWithinQuota(body, ctx).catch(explained),
    list: () => listOwn(ctx).catch(explained),
    isTwin: (other) => differences(other, wanted).length === 0,
    isAtWork: ({ status }) => !hasEnded(status),
    allowDuplicate: wanted.allowDuplicate,
    onExisting: (others) => warnOfOthers(others, wanted, ctx),
    clock: ctx.clock,
  });
  // Services ignore what they do not know.
  if (wanted.exportFields && made.exportFields === null) ctx.log.warn(fieldsIgnored);
  return made;
}

/** All exports but those that a schedule spawned, which belong to it. */
async function listOwn(ctx: Context): Promise<Export[] | undefined> {
  const all = await listed(() => ctx.clients.tracing.listExports(), ctx);
  return all?.filter(({ sourceBulkExportId }) => sourceBulkExportId == null);
}

function warnOfOthers(others: readonly Export[], wanted: Wanted, ctx: Context): void {
  const leftovers = {
    noun: wanted.intervalHours === undefined ? "export" : "schedule",
    existing: others.filter(({ status }) => !hasEnded(status)),
    differences: (other: Export) => differences(other, wanted),
    removal: (id: string) =>
      `PATCH ${ctx.settings.tracingApiUrl?.origin}/api/v1/bulk-exports/${id} {"status":"Cancelled"}`,
  };
  warnOfLeftovers(leftovers, ctx);
}

/** What it is called in an error: `an export of project p from … to …`. */
function nameOf({ sessionId, startTime, endTime, intervalHours }: Wanted): string {
  const of = sessionId === undefined ? "all experiments" : `project ${sessionId}`;
  if (intervalHours === undefined) return `an export of ${of} from ${startTime} to ${endTime}`;
  return `a schedule that exports ${of} every ${intervalHours} hours from ${startTime}`;
}
