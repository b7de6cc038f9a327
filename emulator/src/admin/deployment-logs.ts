import type { Context } from "../runtime/context";
import type { DeploymentLogLine } from "../runtime/descriptions";
import { ApiError } from "../runtime/errors";
import type { LogsQuery } from "./schemas";

/** GET /_emulator/logs: build and deploy logs of all revisions of a deployment, which is selected by name or ID. */
export function readDeploymentLogs(
  context: Context,
  query: LogsQuery,
): { deployment: object; lines: DeploymentLogLine[] } {
  const { id, name, tenant_id } = findDeployment(context, query.deployment);
  const { after = 0, limit = -1, type = null } = query;
  const sql = `SELECT * FROM logs
    WHERE deployment_id = ?1 AND id > ?2 AND (?3 IS NULL OR type = ?3) ORDER BY id DESC LIMIT ?4`;
  const newestFirst = context.store
    .all(sql, String(id), after, type, limit)
    .map((row) => ({
      id: Number(row.id),
      time: new Date(Number(row.at)).toISOString(),
      revision_id: String(row.revision_id),
      type: String(row.type),
      level: String(row.level),
      message: String(row.message),
    }));
  return { deployment: { id, name, tenant_id }, lines: newestFirst.reverse() };
}

/** Finds a deployment of any workspace. @throws ApiError 404, or 409 if several have the name. */
function findDeployment({ store }: Context, nameOrId: string) {
  const sql = "SELECT id, name, tenant_id FROM deployments WHERE id = ?1 OR name = ?1 ORDER BY seq";
  const [deployment, ...others] = store.all(sql, nameOrId);
  if (deployment === undefined) throw new ApiError(404, `deployment "${nameOrId}" not found; ${listNames({ store })}`);
  if (others.length === 0) return deployment;
  const candidates = [deployment, ...others].map(({ id, tenant_id }) => `${id} in workspace ${tenant_id}`);
  throw new ApiError(
    409,
    `several deployments are named "${nameOrId}"; select one by its ID: ${candidates.join(", ")}`,
  );
}

function listNames({ store }: Pick<Context, "store">): string {
  const names = store.all("SELECT name FROM deployments ORDER BY seq LIMIT 21").map(({ name }) => String(name));
  if (names.length === 0) return "no deployments exist";
  return `existing deployments: ${names.slice(0, 20).join(", ")}${names.length > 20 ? " and others" : ""}`;
}
