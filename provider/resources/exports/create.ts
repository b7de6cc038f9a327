/** Creates one-time and scheduled exports: within the quotas, and never twice. */
import type { ListOptions } from "../../api/tracing/client";
import type { Export } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { UserError } from "../../text/user-error";
import type { DesiredExport } from "./fields";
import { assertNoEquivalent, createIdempotent } from "./idempotent-create";
import { warnOfLeftovers } from "./leftovers";
import { differingFields, hasEnded, toCreateRequest } from "./mapping";
import { createWithinQuota } from "./quota";
import { EXPORT_FIELDS_IGNORED, throwExplained } from "./rejections";
import { listExports } from "./requests";

/**
 * @param onCreated Records the export, before anything else is requested.
 * @throws OwnershipError when an equivalent export is active; UserError when a quota is exceeded; HttpError.
 */
export async function createExport(
  desired: DesiredExport,
  onCreated: (created: Export) => void,
  ctx: Context,
): Promise<Export> {
  const body = toCreateRequest(desired);
  const differences = (other: Export) => differingFields(other, desired);
  const created = await createIdempotent<Export>({
    ...equivalence(desired, ctx),
    send: () => createWithinQuota(body, ctx).catch((error: unknown) => throwExplained(error, body)),
    allowDuplicate: desired.allowDuplicate,
    onCreated,
    onExisting: async (others, created) => {
      const noun = desired.intervalHours === undefined ? "export" : "schedule";
      const existing = others.filter(({ status }) => !hasEnded(status));
      const removal = `PATCH ${ctx.settings.tracingApiUrl?.origin}/api/v1/bulk-exports/<ID> {"status":"Cancelled"}`;
      await warnOfLeftovers({ noun, existing, created, differences, removal }, ctx);
    },
    clock: ctx.clock,
    scope: ctx.scope,
  });
  // Servers ignore fields that they do not support.
  if (desired.exportFields && created.exportFields === null) ctx.log.warn(EXPORT_FIELDS_IGNORED);
  return created;
}

/** How exports are recognized as equivalent. */
const equivalence = (desired: DesiredExport, ctx: Context) => ({
  description: describeExport(desired),
  // Those that a schedule spawned belong to it.
  list: async (options?: ListOptions) =>
    (await listExports(ctx, options))?.filter(({ sourceBulkExportId }) => sourceBulkExportId == null),
  isEquivalent: (other: Export) => differingFields(other, desired).length === 0,
  isActive: ({ status }: Export) => !hasEnded(status),
});

/**
 * Verifies before a replacement that the destination of the new export exists, and that no equivalent one is active.
 */
export async function beforeReplace(
  id: string,
  { desired }: { desired: Partial<DesiredExport> },
  ctx: Context,
): Promise<void> {
  const { bulkExportDestinationId, allowDuplicate, startTime, sessionId, allExperiments } = desired;
  if (bulkExportDestinationId !== undefined) await assertDestinationExists(bulkExportDestinationId, ctx);
  const isKnown = [bulkExportDestinationId, startTime, sessionId ?? allExperiments].every(
    (value) => value !== undefined,
  );
  if (isKnown && !allowDuplicate) await assertNoEquivalent(id, equivalence(desired as DesiredExport, ctx));
}

async function assertDestinationExists(id: string, { clients: { tracing } }: Context): Promise<void> {
  const { destination, isListed } = await tracing.showDestination(id);
  // Where no route returns destinations, nothing is known of it.
  if (destination || !isListed || (await tracing.findDestinationAgain(id))) return;
  throw new UserError(`bulkExportDestinationId: destination ${id} does not exist in this workspace.`);
}

/** Describes an export in an error: `export of project p from … to …`. */
function describeExport({ sessionId, startTime, endTime, intervalHours }: DesiredExport): string {
  const subject = sessionId === undefined ? "all experiments" : `project ${sessionId}`;
  if (intervalHours === undefined) return `export of ${subject} from ${startTime} to ${endTime}`;
  return `schedule that exports ${subject} every ${intervalHours} hours from ${startTime}`;
}
