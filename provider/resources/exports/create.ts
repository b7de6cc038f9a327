/** Creates one-time and scheduled exports: within the quotas, and never twice. */
import type { ListOptions } from "../../api/tracing/client";
import type { Export } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { CreatesOfRun } from "../../objects/server/lost-response";
import { UserError } from "../../text/user-error";
import { type DesiredExport, hasEnded } from "./fields";
import { createOnce, listAfterCreate, toEquivalentError, warnOfLeftovers } from "./idempotent-create";
import { differingFields, toCreateRequest } from "./mapping";
import { createWithinQuota } from "./quota";
import { EXPORT_FIELDS_IGNORED, throwExplained } from "./rejections";
import { listExports } from "./requests";

/**
 * @param onCreated Records the export, before anything else is requested.
 * @throws OwnershipError when an equivalent export is active; UserError when a quota is exceeded; HttpError.
 */
export function createExport(
  desired: DesiredExport,
  onCreated: (created: Export) => void,
  ctx: Context,
): Promise<Export> {
  const description = describeExport(desired);
  return ctx.scope.get(CreatesOfRun).serialize(description, async () => {
    const { allowDuplicate, intervalHours } = desired;
    const existing = await listUnspawned(ctx);
    const equivalent = existing?.find((other) => isActiveEquivalent(other, desired));
    if (equivalent && !allowDuplicate) throw toEquivalentError(description, equivalent.id);
    const body = toCreateRequest(desired);
    const differences = (other: Export) => differingFields(other, desired);
    const created = await createOnce<Export>(
      {
        description,
        existing,
        send: () => createWithinQuota(body, ctx).catch((error: unknown) => throwExplained(error, body)),
        listEquivalent: async () => (await listUnspawned(ctx))?.filter((one) => differences(one).length === 0) ?? [],
      },
      ctx,
    );
    onCreated(created);
    const list = (options: ListOptions) => listUnspawned(ctx, options);
    const listed = allowDuplicate || !existing ? existing : await listAfterCreate(existing, list);
    const noun = intervalHours === undefined ? "export" : "schedule";
    const removal = `PATCH ${ctx.settings.tracingApiUrl?.origin}/api/v1/bulk-exports/<ID> {"status":"Cancelled"}`;
    const active = listed?.filter(({ id, status }) => id === created.id || !hasEnded(status)) ?? [];
    await warnOfLeftovers({ noun, listed: active, created, differences, removal }, ctx);
    // Servers ignore fields that they do not support.
    if (desired.exportFields && created.exportFields === null) ctx.log.warn(EXPORT_FIELDS_IGNORED);
    return created;
  });
}

/** Lists the exports of the workspace without those that a schedule spawned, which belong to it. */
const listUnspawned = async (ctx: Context, options?: ListOptions) =>
  (await listExports(ctx, options))?.filter(({ sourceBulkExportId }) => sourceBulkExportId == null);

const isActiveEquivalent = (other: Export, desired: DesiredExport) =>
  !hasEnded(other.status) && differingFields(other, desired).length === 0;

/**
 * Verifies before a replacement that the destination of the new export exists, and that no equivalent one is active but
 * the replaced one.
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
  if (!isKnown || allowDuplicate) return;
  const declared = desired as DesiredExport;
  const equivalent = (await listUnspawned(ctx))?.find((one) => one.id !== id && isActiveEquivalent(one, declared));
  if (equivalent) throw toEquivalentError(describeExport(declared), equivalent.id);
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
