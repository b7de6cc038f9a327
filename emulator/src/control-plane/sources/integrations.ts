import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";

/** GET /v1/integrations/githost/install: a bare array. */
export function listIntegrations({ store }: Context, request: ApiRequest): ApiResponse {
  const sql = "SELECT id, installation_id, name FROM integrations WHERE tenant_id = ? ORDER BY installation_id, id";
  return { status: 200, body: store.all(sql, request.tenantId) };
}

/** GET /v1/integrations/githost/{integration_id}/repos: a bare array. */
export function listRepositories({ store }: Context, request: ApiRequest): ApiResponse {
  const id = request.params.integration_id ?? "";
  const integration = store.get("SELECT 1 FROM integrations WHERE id = ? AND tenant_id = ?", id, request.tenantId);
  if (!integration) throw new ApiError(404, `Integration ${id} not found`);
  const sql = `SELECT id, name, owner, url, default_branch, integration_id AS host_integration_id
    FROM repositories WHERE integration_id = ? ORDER BY owner, name, id`;
  return { status: 200, body: store.all(sql, id) };
}
