import { randomUUID } from "node:crypto";
import { sealCredentials } from "../bulk-export/destinations/destinations";
import { insertDestination } from "../bulk-export/destinations/records";
import { fullConfig, fullCredentials } from "../bulk-export/destinations/schemas";
import { allExports, type ExportRecord, exportById, updateExport } from "../bulk-export/exports/records";
import { exportResponse, runResponse } from "../bulk-export/exports/responses";
import { type ExportStatus, exportStatuses, isFinal } from "../bulk-export/exports/status";
import { endExport } from "../bulk-export/runs/progress";
import { runsOf } from "../bulk-export/runs/records";
import { nextSpawnAt } from "../bulk-export/runs/schedules";
import { nowMicros } from "../bulk-export/timestamps";
import { defaultTenantId } from "../http/auth";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import * as v from "../runtime/validation/schema";

/** PATCH /_emulator/exports/{id}: `error` is the error of the runs that it ends. */
export const outOfBandExportUpdate = v.object("OutsideExportChange", {
  status: v.required(v.string({ minLength: 1 })),
  error: v.string(),
});
export type OutOfBandExportUpdate = v.Infer<typeof outOfBandExportUpdate>;

/** Returns the exports of all workspaces, oldest first; active schedules with the time of their next export. */
export function describeExports(context: Context): Record<string, unknown>[] {
  return allExports(context.store).map((record) => describeRecord(context, record));
}

/** Returns one export with its runs. */
export function describeExport(context: Context, id: string): Record<string, unknown> {
  const runs = runsOf(context.store, id).map((run) => runResponse(context.settings, run));
  return { ...describeRecord(context, requireExport(context, id)), runs };
}

/** Returns the destinations of all workspaces, newest first, without their credentials. */
export function describeDestinations({ store }: Context): Record<string, unknown>[] {
  const sql = "SELECT id, tenant_id, display_name, config FROM destinations ORDER BY seq DESC";
  return store.all(sql).map((row) => ({ ...row, config: JSON.parse(String(row.config)) }));
}

function describeRecord(context: Context, record: ExportRecord): Record<string, unknown> {
  const response = exportResponse(context.settings, record);
  if (record.status !== "INTERVAL_SCHEDULED") return response;
  return { ...response, next_spawn_at: new Date(nextSpawnAt(record)).toISOString() };
}

/** Updates an export out of band. Any status is allowed, even one that the interface does not define. */
export function updateExportOutOfBand(context: Context, id: string, { status, error }: OutOfBandExportUpdate): void {
  requireExport(context, id);
  const knownStatus = exportStatuses.find((candidate) => candidate === status.toUpperCase());
  // A status that the interface does not define is stored unchanged.
  const newStatus = knownStatus ?? (status as ExportStatus);
  if (knownStatus && isFinal(knownStatus)) endExport(context, id, knownStatus, error);
  else updateExport(context, id, { status: newStatus, finished_at: null });
}

function requireExport({ store }: Context, id: string): ExportRecord {
  const record = exportById(store, id);
  if (record) return record;
  throw new ApiError(404, `Bulk export ${id} not found`);
}

/** A destination in `POST /_emulator/seed`; not validated against the bucket. */
export const seededDestination = v.object("SeededDestination", {
  id: v.uuid(),
  tenant_id: v.withDefault(v.uuid(), defaultTenantId),
  display_name: v.withDefault(v.string(), "seeded"),
  config: v.required(fullConfig),
  credentials: fullCredentials,
});

export function seedDestination(context: Context, seeded: v.Infer<typeof seededDestination>): string {
  const { id = randomUUID(), tenant_id, display_name, config, credentials } = seeded;
  const now = nowMicros(context.clock);
  insertDestination(context.store, {
    id,
    tenant_id,
    display_name,
    config,
    destination_type: "s3",
    ...sealCredentials(context, id, credentials),
    aws_role_arn: null,
    created_at: now,
    updated_at: now,
  });
  return id;
}
