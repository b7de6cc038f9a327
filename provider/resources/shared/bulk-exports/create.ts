/** Creates one-time and scheduled exports: within the quotas, and never twice. */
import type { Export } from "../../../api/tracing/schemas";
import type { Context } from "../../../definition/context";
import { createIdempotent } from "../idempotent-create";
import { warnOfLeftovers } from "../leftovers";
import type { DesiredExport } from "./fields";
import { differingFields, hasEnded, toCreateRequest } from "./mapping";
import { createWithinQuota } from "./quota";
import { EXPORT_FIELDS_IGNORED, throwExplained } from "./rejections";
import { listExports } from "./requests";

/** @throws OwnershipError when an equivalent export is active; UserError when a quota is exceeded; HttpError. */
export async function createExport(desired: DesiredExport, ctx: Context): Promise<Export> {
  const body = toCreateRequest(desired);
  const differences = (other: Export) => differingFields(other, desired);
  const created = await createIdempotent<Export>({
    description: describeExport(desired),
    send: () => createWithinQuota(body, ctx).catch((error: unknown) => throwExplained(error, body)),
    // Those that a schedule spawned belong to it.
    list: async () => (await listExports(ctx))?.filter(({ sourceBulkExportId }) => sourceBulkExportId == null),
    isEquivalent: (other) => differences(other).length === 0,
    isActive: ({ status }) => !hasEnded(status),
    allowDuplicate: desired.allowDuplicate,
    onExisting: (others) => {
      const noun = desired.intervalHours === undefined ? "export" : "schedule";
      const existing = others.filter(({ status }) => !hasEnded(status));
      const removal = `PATCH ${ctx.settings.tracingApiUrl?.origin}/api/v1/bulk-exports/<ID> {"status":"Cancelled"}`;
      warnOfLeftovers({ noun, existing, differences, removal }, ctx);
    },
    clock: ctx.clock,
    scope: ctx.scope,
  });
  // Servers ignore fields that they do not support.
  if (desired.exportFields && created.exportFields === null) ctx.log.warn(EXPORT_FIELDS_IGNORED);
  return created;
}

/** Describes an export in an error: `export of project p from … to …`. */
function describeExport({ sessionId, startTime, endTime, intervalHours }: DesiredExport): string {
  const subject = sessionId === undefined ? "all experiments" : `project ${sessionId}`;
  if (intervalHours === undefined) return `export of ${subject} from ${startTime} to ${endTime}`;
  return `schedule that exports ${subject} every ${intervalHours} hours from ${startTime}`;
}
