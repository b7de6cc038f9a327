import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { endExport, insertAndSchedule } from "../runs/progress";
import { runById, runsOf, spawnedRunsOf } from "../runs/records";
import { insertSchedule } from "../runs/schedules";
import { nowMicros, parseTime } from "../timestamps";
import { assertWithinQuota } from "./quota";
import { type ExportRecord, exportById, exportsOf } from "./records";
import { exportResponse, runResponse } from "./responses";
import { assertSupportedByVersion, checkFields, checkFilter, requireReferences } from "./rules";
import type { ExportCreate } from "./schemas";
import { formatStatus, isFinal } from "./status";

/** POST /api/v1/bulk-exports */
export function createExport(context: Context, request: ApiRequest): ApiResponse {
  const body = request.body as ExportCreate;
  assertSupportedByVersion(context, body);
  checkFields(request, body);
  requireReferences(context, request.tenantId, body);
  checkFilter(body.filter);
  const record = submitExport(context, request.tenantId, body);
  const { settings } = context;
  return { status: 200, body: settings.interfaceOnly ? { id: record.id } : exportResponse(settings, record) };
}

/**
 * Stores an export or a schedule whose fields are valid, and schedules what it does. @throws ApiError 429 over a quota
 */
export function submitExport(context: Context, tenantId: string, body: ExportCreate): ExportRecord {
  const record = newExport(context, tenantId, body);
  assertWithinQuota(context, tenantId, record.interval_hours !== null);
  if (record.interval_hours === null) insertAndSchedule(context, record);
  else insertSchedule(context, record);
  return record;
}

/** GET /api/v1/bulk-exports: includes schedules and the exports that they created. */
export function listExports(
  { store, settings }: Context,
  { tenantId, query: { limit = Number.POSITIVE_INFINITY, offset } }: ApiRequest<{ limit?: number; offset: number }>,
): ApiResponse {
  const page = exportsOf(store, tenantId).slice(offset, offset + limit);
  return { status: 200, body: page.map((record) => exportResponse(settings, record)) };
}

/** GET /api/v1/bulk-exports/{export_id} */
export function getExport(context: Context, request: ApiRequest): ApiResponse {
  return { status: 200, body: exportResponse(context.settings, requireExport(context, request)) };
}

/**
 * PATCH /api/v1/bulk-exports/{export_id}: exports that a schedule created continue (API `3.6`). For a
 * finished export, a tolerant server returns it unchanged, so that a late client does not fail.
 */
export function cancelExport(context: Context, request: ApiRequest): ApiResponse {
  const { id, status } = requireExport(context, request);
  if (!isFinal(status)) endExport(context, id, "CANCELLED");
  else if (status !== "CANCELLED") {
    const warning = `Bulk export ${id} is ${formatStatus(context.settings, status)} and can no longer be cancelled`;
    if (context.settings.strict) throw new ApiError(409, warning);
    request.addNote(warning);
  }
  return getExport(context, request);
}

/** GET /api/v1/bulk-exports/{export_id}/runs */
export function listRuns(context: Context, request: ApiRequest): ApiResponse {
  const runs = runsOf(context.store, requireExport(context, request).id);
  return { status: 200, body: runs.map((run) => runResponse(context.settings, run)) };
}

/** GET /api/v1/bulk-exports/{export_id}/runs/{run_id} */
export function getRun(context: Context, request: ApiRequest): ApiResponse {
  const { id } = requireExport(context, request);
  const runId = request.params.run_id ?? "";
  const run = runById(context.store, runId);
  if (run?.bulk_export_id !== id) throw new ApiError(404, `Bulk export run ${runId} not found`);
  return { status: 200, body: runResponse(context.settings, run) };
}

/** GET /api/v1/bulk-exports/runs?source_bulk_export_id=… */
export function listSpawnedRuns(context: Context, request: ApiRequest<{ source_bulk_export_id: string }>): ApiResponse {
  const { id } = requireExportById(context, request.tenantId, request.query.source_bulk_export_id);
  return { status: 200, body: spawnedRunsOf(context.store, id).map((run) => runResponse(context.settings, run)) };
}

function newExport(context: Context, tenantId: string, body: ExportCreate): ExportRecord {
  const now = nowMicros(context.clock);
  const interval_hours = body.interval_hours ?? null;
  return {
    id: randomUUID(),
    tenant_id: tenantId,
    bulk_export_destination_id: body.bulk_export_destination_id,
    session_id: body.session_id ?? null,
    all_experiments: body.all_experiments === true,
    start_time: parseTime(body.start_time),
    end_time: body.end_time == null ? null : parseTime(body.end_time),
    interval_hours,
    filter: body.filter ?? null,
    export_fields: body.export_fields ? [...new Set(body.export_fields)] : null,
    // A server of the bare interface has only one value of each.
    format: body.format ?? "Parquet",
    format_version: body.format_version,
    compression: body.compression ?? context.settings.compression,
    status: interval_hours === null ? "CREATED" : "INTERVAL_SCHEDULED",
    source_bulk_export_id: null,
    source_window: null,
    next_window: 0,
    ready: false,
    created_at: now,
    updated_at: now,
    finished_at: null,
  };
}

/** Returns the export of the request path. @throws ApiError 404 if it is not in this workspace. */
function requireExport(context: Context, { params, tenantId }: ApiRequest): ExportRecord {
  return requireExportById(context, tenantId, params.export_id ?? "");
}

function requireExportById({ store }: Context, tenantId: string, id: string): ExportRecord {
  const record = exportById(store, id);
  if (record?.tenant_id === tenantId) return record;
  throw new ApiError(404, `Bulk export ${id} not found`);
}
