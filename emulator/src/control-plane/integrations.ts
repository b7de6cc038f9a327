import type { Context } from "../context";
import type { Answer, Call } from "../routes";

/** GET /v1/integrations/githost/install: a bare array. */
export function listIntegrations({ store }: Context, call: Call): Answer {
  const sql = "SELECT id, installation_id, name FROM integrations WHERE tenant_id = ? ORDER BY installation_id, id";
  return { status: 200, body: store.all(sql, call.tenantId) };
}
