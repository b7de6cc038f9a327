import { randomUUID } from "node:crypto";
import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { BucketError } from "../s3/client";
import { explainBucketError, probeDestination } from "../s3/probe";
import { formatTime, nowMicros } from "../timestamps";
import { type DestinationRecord, destinationById, destinationsOf, insertDestination } from "./records";
import type { DestinationConfig, DestinationCreate, DestinationCredentials, DestinationPatch } from "./schemas";
import { toS3Target } from "./target";

/** Runs before POST: the destination is validated before it is saved (API `4C`). */
export async function validateNewDestination(_: Context, request: ApiRequest, signal: AbortSignal): Promise<void> {
  const { config, credentials } = request.body as DestinationCreate;
  await validateDestination(config, credentials, signal);
}

/** Runs before PATCH: new credentials are tested before they are saved. */
export async function validateNewCredentials(
  context: Context,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<void> {
  await validateDestination(
    requireDestination(context, request).config,
    (request.body as DestinationPatch).credentials,
    signal,
  );
}

async function validateDestination(
  config: DestinationConfig,
  credentials: DestinationCredentials | null | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    await probeDestination(toS3Target(config, credentials), config.prefix, signal);
  } catch (error) {
    if (!(error instanceof BucketError)) throw error;
    throw new ApiError(400, `Failed to validate S3 destination: ${explainBucketError(error)}`);
  }
}

/** POST /api/v1/bulk-exports/destinations */
export function createDestination(context: Context, request: ApiRequest): ApiResponse {
  const { destination_type, display_name, config, credentials } = request.body as DestinationCreate;
  const id = randomUUID();
  const now = nowMicros(context.clock);
  const record: DestinationRecord = {
    id,
    tenant_id: request.tenantId,
    destination_type,
    display_name,
    config,
    ...sealCredentials(context, id, credentials),
    created_at: now,
    updated_at: now,
  };
  insertDestination(context.store, record);
  return { status: 200, body: context.settings.interfaceOnly ? { id } : destinationResponse(record) };
}

/** GET /api/v1/bulk-exports/destinations */
export function listDestinations({ store }: Context, request: ApiRequest): ApiResponse {
  return { status: 200, body: destinationsOf(store, request.tenantId).map(destinationResponse) };
}

/** GET /api/v1/bulk-exports/destinations/{destination_id} */
export function getDestination(context: Context, request: ApiRequest): ApiResponse {
  return { status: 200, body: destinationResponse(requireDestination(context, request)) };
}

/** PATCH /api/v1/bulk-exports/destinations/{destination_id}: rotates the credentials. */
export function patchDestination(context: Context, request: ApiRequest): ApiResponse {
  const record = requireDestination(context, request);
  const { credentials } = request.body as DestinationPatch;
  const change = { ...sealCredentials(context, record.id, credentials), updated_at: nowMicros(context.clock) };
  context.store.run(
    "UPDATE destinations SET credentials = ?, credentials_keys = ?, updated_at = ? WHERE id = ?",
    ...[change.credentials, JSON.stringify(change.credentials_keys), change.updated_at, record.id],
  );
  return { status: 200, body: destinationResponse({ ...record, ...change }) };
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

function destinationResponse({
  credentials: _,
  created_at,
  updated_at,
  ...record
}: DestinationRecord): Record<string, unknown> {
  return { ...record, created_at: formatTime(created_at), updated_at: formatTime(updated_at) };
}
