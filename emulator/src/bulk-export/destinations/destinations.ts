import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { toRow } from "../../runtime/storage/store";
import { BucketError } from "../s3/client";
import { explainBucketError, probeDestination } from "../s3/probe";
import { formatTime, nowMicros } from "../timestamps";
import { type DestinationRecord, destinationById, destinationsOf, insertDestination } from "./records";
import type { DestinationConfig, DestinationCreate, DestinationCredentials, DestinationPatch } from "./schemas";
import { toS3Target } from "./target";

/** Runs before POST: the destination is validated before it is saved (API `4C`). */
export async function validateNewDestination(
  context: Context,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<void> {
  const { config, credentials, aws_role_arn } = request.body as DestinationCreate;
  assertOneIdentity({ credentials, aws_role_arn });
  await validateDestination(context, { config, credentials }, signal);
}

/** Runs before PATCH: new credentials are tested before they are saved. */
export async function validateNewCredentials(
  context: Context,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<void> {
  const change = request.body as DestinationPatch;
  assertOneIdentity(change);
  const { config } = requireDestination(context, request);
  if (hasIdentity(change)) await validateDestination(context, { config, credentials: change.credentials }, signal);
}

/** Without one, a PATCH keeps what the destination has. */
const hasIdentity = ({ credentials, aws_role_arn }: DestinationPatch) => credentials != null || aws_role_arn != null;

/** A key, or a role (API `2C.Destination.aws_role_arn`). @throws ApiError 400 with both. */
function assertOneIdentity({ credentials, aws_role_arn }: DestinationPatch): void {
  if (credentials != null && aws_role_arn != null)
    throw new ApiError(400, "Only one of credentials and aws_role_arn can be set");
}

async function validateDestination(
  context: Context,
  { config, credentials }: { config: DestinationConfig; credentials?: DestinationCredentials | null | undefined },
  signal: AbortSignal,
): Promise<void> {
  try {
    await probeDestination(toS3Target(context, config, credentials), config.prefix, signal);
  } catch (error) {
    if (!(error instanceof BucketError)) throw error;
    throw new ApiError(400, `Failed to validate S3 destination: ${explainBucketError(error)}`);
  }
}

/** POST /api/v1/bulk-exports/destinations */
export function createDestination(context: Context, request: ApiRequest): ApiResponse {
  const {
    destination_type,
    display_name,
    config,
    credentials,
    aws_role_arn = null,
  } = request.body as DestinationCreate;
  const id = randomUUID();
  const now = nowMicros(context.clock);
  const record: DestinationRecord = {
    id,
    tenant_id: request.tenantId,
    destination_type,
    display_name,
    config,
    ...sealCredentials(context, id, credentials),
    aws_role_arn,
    created_at: now,
    updated_at: now,
  };
  insertDestination(context.store, record);
  return { status: 200, body: context.settings.interfaceOnly ? { id } : destinationResponse(context, record) };
}

/** GET /api/v1/bulk-exports/destinations */
export function listDestinations(context: Context, request: ApiRequest): ApiResponse {
  const records = destinationsOf(context.store, request.tenantId);
  return { status: 200, body: records.map((record) => destinationResponse(context, record)) };
}

/** GET /api/v1/bulk-exports/destinations/{destination_id} */
export function getDestination(context: Context, request: ApiRequest): ApiResponse {
  return { status: 200, body: destinationResponse(context, requireDestination(context, request)) };
}

/** PATCH /api/v1/bulk-exports/destinations/{destination_id}: rotates the credentials. */
export function patchDestination(context: Context, request: ApiRequest): ApiResponse {
  const record = requireDestination(context, request);
  const body = request.body as DestinationPatch;
  if (!hasIdentity(body)) return getDestination(context, request);
  const { credentials, aws_role_arn = null } = body;
  const sealed = sealCredentials(context, record.id, credentials);
  const change = { ...sealed, aws_role_arn, updated_at: nowMicros(context.clock) };
  context.store.update("destinations", { id: record.id }, toRow(change));
  return { status: 200, body: destinationResponse(context, { ...record, ...change }) };
}

/**
 * DELETE /api/v1/bulk-exports/destinations/{destination_id}: fails once an export has used it, because exports are
 * never deleted.
 */
export function deleteDestination(context: Context, request: ApiRequest): ApiResponse {
  const { id } = requireDestination(context, request);
  const sql = "SELECT count(*) AS count FROM exports WHERE bulk_export_destination_id = ?";
  const count = Number(context.store.get(sql, id)?.count);
  if (count > 0) {
    throw new ApiError(409, `Bulk export destination ${id} cannot be deleted: ${count} bulk exports refer to it`);
  }
  context.store.run("DELETE FROM destinations WHERE id = ?", id);
  return { status: 204 };
}

/** Returns the destination of the request path. @throws ApiError 404 if it is not in this workspace. */
function requireDestination(context: Context, { params, tenantId }: ApiRequest): DestinationRecord {
  return requireDestinationById(context, tenantId, params.destination_id ?? "");
}

export function requireDestinationById({ store }: Context, tenantId: string, id: string): DestinationRecord {
  const record = destinationById(store, id);
  if (record?.tenant_id === tenantId) return record;
  throw new ApiError(404, `Bulk export destination ${id} not found`);
}

/** Encrypts credentials. Responses contain only their names. */
export function sealCredentials(
  { secretBox }: Context,
  id: string,
  credentials: DestinationCredentials | null | undefined,
) {
  if (!credentials) return { credentials: null, credentials_keys: [] };
  const definedEntries = Object.entries(credentials).filter(([, value]) => value != null);
  return {
    credentials: secretBox.seal(JSON.stringify(Object.fromEntries(definedEntries)), id),
    credentials_keys: definedEntries.map(([name]) => name),
  };
}

function destinationResponse(
  { settings }: Context,
  { credentials: _, aws_role_arn, created_at, updated_at, ...record }: DestinationRecord,
): Record<string, unknown> {
  const role = settings.platform === "today" ? { aws_role_arn } : {};
  return { ...record, ...role, created_at: formatTime(created_at), updated_at: formatTime(updated_at) };
}
