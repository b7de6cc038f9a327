/** Creating an export of either kind: within the quotas, and never twice. */
import type { Export } from "../api/tracing-shapes";
import type { Context } from "../definition";
import { createOnce, listed } from "../once";
import type { Wanted } from "./fields";
import { createWithinQuota } from "./quota";
import { fieldsIgnored, refused } from "./refusals";
import { hasEnded, isTwin, toBody } from "./server-side";

/** @throws OwnershipError when an equal one is at work; QuotaError; RequestError. */
export async function createExport(wanted: Wanted, ctx: Context): Promise<Export> {
  const body = toBody(wanted);
  const explained = (error: unknown) => refused(error, body);
  const made = await createOnce<Export>({
    what: nameOf(wanted),
    send: () => createWithinQuota(body, ctx).catch(explained),
    list: () => listed(() => ctx.tracing.listExports(), ctx).catch(explained),
    isTwin: (other) => isTwin(other, wanted),
    isAtWork: ({ status }) => !hasEnded(status),
    allowDuplicate: wanted.allowDuplicate,
    clock: ctx.clock,
  });
  // Services ignore what they do not know.
  if (wanted.exportFields && made.exportFields === null) ctx.warn(fieldsIgnored);
  return made;
}

/** What it is called in an error: `an export of project p from … to …`. */
function nameOf({ sessionId, startTime, endTime, intervalHours }: Wanted): string {
  const of = sessionId === undefined ? "all experiments" : `project ${sessionId}`;
  if (intervalHours === undefined) return `an export of ${of} from ${startTime} to ${endTime}`;
  return `a schedule that exports ${of} every ${intervalHours} hours from ${startTime}`;
}
