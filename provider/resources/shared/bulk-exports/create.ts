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
  const created = await createIdempotent<Export>({
    description: describeExport(desired),
    send: () => createWithinQuota(body, ctx).catch((error: unknown) => throwExplained(error, body)),
    list: () => listUnspawned(ctx),
    isEquivalent: (other) => differingFields(other, desired).length === 0,
    isActive: ({ status }) => !hasEnded(status),
    allowDuplicate: desired.allowDuplicate,
    onExisting: (others) => warnOfOthers(others, desired, ctx),
    clock: ctx.clock,
    scope: ctx.scope,
  });
  // Servers ignore fields that they do not support.
  if (desired.exportFields && created.exportFields === null) ctx.log.warn(EXPORT_FIELDS_IGNORED);
  return created;
}

/** Lists all exports except for those that a schedule spawned, which belong to it. */
async function listUnspawned(ctx: Context): Promise<Export[] | undefined> {
  const all = await listExports(ctx);
  return all?.filter(({ sourceBulkExportId }) => sourceBulkExportId == null);
}

function warnOfOthers(others: readonly Export[], desired: DesiredExport, ctx: Context): void {
  const leftovers = {
    noun: desired.intervalHours === undefined ? "export" : "schedule",
    existing: others.filter(({ status }) => !hasEnded(status)),
    differences: (other: Export) => differingFields(other, desired),
    removal: `PATCH ${ctx.settings.tracingApiUrl?.origin}/api/v1/bulk-exports/<ID> {"status":"Cancelled"}`,
  };
  warnOfLeftovers(leftovers, ctx);
}

/** Describes an export in an error: `export of project p from … to …`. */
function describeExport({ sessionId, startTime, endTime, intervalHours }: DesiredExport): string {
  const subject = sessionId === undefined ? "all experiments" : `project ${sessionId}`;
  if (intervalHours === undefined) return `export of ${subject} from ${startTime} to ${endTime}`;
  return `schedule that exports ${subject} every ${intervalHours} hours from ${startTime}`;
}
