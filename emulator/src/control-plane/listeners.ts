import type { ApiRequest, ApiResponse } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";

/** GET /v2/listeners */
export function listListeners({ store }: Context, request: ApiRequest<{ limit: number; offset: number }>): ApiResponse {
  const { limit, offset } = request.query;
  const sql = "SELECT listener FROM listeners WHERE tenant_id = ? ORDER BY seq, id LIMIT ? OFFSET CAST(? AS INTEGER)";
  const resources = store.all(sql, request.tenantId, limit, offset).map((row) => JSON.parse(String(row.listener)));
  return { status: 200, body: { resources, offset: offset + resources.length } };
}

/** GET /v2/listeners/{listener_id} */
export function getListener({ store }: Context, request: ApiRequest): ApiResponse {
  const id = request.params.listener_id ?? "";
  const row = store.get("SELECT listener FROM listeners WHERE id = ? AND tenant_id = ?", id, request.tenantId);
  if (!row) throw new ApiError(404, `Listener ${id} not found`);
  return { status: 200, body: JSON.parse(String(row.listener)) };
}
