import type { Answer, Call } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";

/** GET /v2/listeners */
export function listListeners({ store }: Context, call: Call<{ limit: number; offset: number }>): Answer {
  const { limit, offset } = call.query;
  const sql = "SELECT listener FROM listeners WHERE tenant_id = ? ORDER BY seq, id LIMIT ? OFFSET CAST(? AS INTEGER)";
  const resources = store.all(sql, call.tenantId, limit, offset).map((row) => JSON.parse(String(row.listener)));
  return { status: 200, body: { resources, offset: offset + resources.length } };
}

/** GET /v2/listeners/{listener_id} */
export function getListener({ store }: Context, call: Call): Answer {
  const id = call.params.listener_id ?? "";
  const row = store.get("SELECT listener FROM listeners WHERE id = ? AND tenant_id = ?", id, call.tenantId);
  if (!row) throw new ApiError(404, `Listener ${id} not found`);
  return { status: 200, body: JSON.parse(String(row.listener)) };
}
