/** Creates one-time and scheduled exports: within the quotas, and never twice. */
import type { ListOptions } from "../../api/tracing/client";
import type { Export, ExportBody } from "../../api/tracing/schemas";
import type { Context } from "../../definition/context";
import { HttpError, ignoreHttpError } from "../../http/errors";
import { CreatesOfRun } from "../../objects/server/lost-response";
import { isSameId } from "../../schema/id";
import { snakeCase } from "../../text/format";
import { type DesiredExport, hasEnded } from "./fields";
import { createOnce, listAfterCreate, listExports, toEquivalentError, warnOfLeftovers } from "./idempotent-create";
import { differingFields, toCreateRequest } from "./mapping";
import { createWithinQuota } from "./quota";
import { assertReferencesExist, describeUnknownReference } from "./references";

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
        send: () => createWithinQuota(body, ctx).catch((error: unknown) => throwExplained(error, desired, ctx)),
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
    warnOfIgnored(created, desired, ctx);
    return created;
  });
}

const listUnspawned = async (ctx: Context, options?: ListOptions) =>
  (await listExports(ctx, options))?.filter(({ sourceBulkExportId }) => sourceBulkExportId == null);

const isActiveEquivalent = (other: Export, desired: DesiredExport) =>
  !hasEnded(other.status) && differingFields(other, desired).length === 0;

/** Verifies that destination and project of the new export exist, and that only the replaced one is equivalent. */
export async function beforeReplace(
  id: string,
  { desired }: { desired: Partial<DesiredExport> },
  ctx: Context,
): Promise<void> {
  const { bulkExportDestinationId, allowDuplicate, startTime, sessionId, allExperiments } = desired;
  await assertReferencesExist({ bulkExportDestinationId, sessionId }, ctx);
  const isKnown = [bulkExportDestinationId, startTime, sessionId ?? allExperiments].every(
    (value) => value !== undefined,
  );
  if (!isKnown || allowDuplicate) return;
  const declared = desired as DesiredExport;
  const isOther = (one: Export) => !isSameId(one.id, id) && isActiveEquivalent(one, declared);
  const equivalent = (await listUnspawned(ctx))?.find(isOther);
  if (equivalent) throw toEquivalentError(describeExport(declared), equivalent.id);
}

function describeExport({ sessionId, startTime, endTime, intervalHours }: DesiredExport): string {
  const subject = sessionId === undefined ? "all experiments" : `project ${sessionId}`;
  if (intervalHours === undefined) return `export of ${subject} from ${startTime} to ${endTime}`;
  return `schedule that exports ${subject} every ${intervalHours} hours from ${startTime}`;
}

/** Inputs that need a later server version (API `9`). Older ones require what `requiredInstead` matches. */
const MIN_VERSIONS: { field: keyof ExportBody; subject: string; since: string; requiredInstead?: RegExp }[] = [
  {
    field: "intervalHours",
    subject: "Scheduled exports need",
    since: "chart version 0.10.42 or later (application 0.10.109 or later)",
    requiredInstead: /end_?time/i,
  },
  {
    field: "exportFields",
    subject: "exportFields needs",
    since: "chart version 0.12.11 or later (application 0.12.42 or later)",
  },
  {
    field: "allExperiments",
    subject: "allExperiments needs",
    since: "the preview release 0.16.1rc1, or the stable 0.16.1 once it is out",
    requiredInstead: /session_?id/i,
  },
];

async function throwExplained(error: unknown, desired: DesiredExport, ctx: Context): Promise<never> {
  if (!(error instanceof HttpError) || !(error.isInvalid || error.isNotFound)) throw error;
  const body = toCreateRequest(desired);
  const known = error.isInvalid ? [...filterHint(error.detail, body.filter), ...versionHints(error.detail, body)] : [];
  const unknown = known.length > 0 ? undefined : await describeUnknownReference(desired, ctx).catch(ignoreHttpError);
  const hints = unknown === undefined ? known : [unknown];
  throw hints.length > 0 ? error.withHint([...hints, "Nothing was created."].join("\n")) : error;
}

function filterHint(detail: string, filter: string | null | undefined): string[] {
  if (filter == null || !/filter/i.test(detail)) return [];
  return ["filter:", ...filter.split("\n").map((line) => `  ${line}`)];
}

function versionHints(detail: string, body: ExportBody): string[] {
  const VERSION_WORDS =
    /\bversion|not (available|supported|permitted|allowed)|unsupported|unknown|\bextra (input|field|key)|unexpected/i;
  return MIN_VERSIONS.filter(({ field, requiredInstead }) => {
    if (body[field] == null) return false;
    const isMentioned = detail.includes(field) || detail.includes(snakeCase(field));
    return (isMentioned && VERSION_WORDS.test(detail)) || requiredInstead?.test(detail);
  }).map(({ subject, since }) => `On a self-hosted installation: ${subject} ${since}.`);
}

/** Servers ignore fields that they do not support. A field that the response lacks proves nothing. */
function warnOfIgnored(created: Export, desired: DesiredExport, ctx: Context): void {
  const all = differingFields(created, desired);
  const ignored = all.filter((field) => desired[field] !== undefined && created[field] !== undefined);
  if (ignored.length === 0) return;
  const needed = ignored.includes("exportFields") ? ` Self-hosted servers need ${MIN_VERSIONS[1]?.since}.` : "";
  ctx.log.warn(
    `${ignored.join(", ")}: the response does not contain what was sent, so the server probably ignores it.${needed}`,
  );
}
