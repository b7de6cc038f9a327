import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";

/** Keeps the name of a deployment that is gone from being used again (API `4A.DELETE:force`). */
export function reserveName(
  { store }: Context,
  { tenantId, name, until }: { tenantId: string; name: string; until: number },
): void {
  store.insert("reserved_names", { tenant_id: tenantId, name, until });
}

/** @throws ApiError 409 if a deployment of the workspace has the name, or had it until it was deleted by force. */
export function assertNameAvailable(
  { store, clock }: Context,
  tenantId: string,
  { name, isAgent }: { name: string; isAgent: boolean },
): void {
  const sql = `SELECT 1 FROM deployments WHERE tenant_id = ?1 AND name = ?2
    UNION SELECT 1 FROM reserved_names WHERE tenant_id = ?1 AND name = ?2 AND until > ?3`;
  if (!store.get(sql, tenantId, name, clock.now())) return;
  const detail = isAgent
    ? "A deployment already exists for this agent environment."
    : `A deployment with the name '${name}' already exists`;
  throw new ApiError(409, detail);
}
