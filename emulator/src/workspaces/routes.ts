import { hasAccess } from "../http/auth";
import type { ApiRequest, ApiResponse, Route } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { object, required, string, uuid } from "../runtime/validation/schema";

const workspace = object("Workspace", { id: required(uuid()), display_name: required(string()) });

/** Workspaces: API `4C`. */
export const workspaceRoutes: Route[] = [
  {
    method: "GET",
    path: "/api/v1/workspaces/{workspace_id}",
    name: "workspace",
    isDescribed: true,
    requiresBothHeaders: true,
    summary: "Retrieve a workspace",
    success: { status: 200, schema: workspace, description: "The workspace" },
    handle: getWorkspace,
  },
];

/**
 * Seeded workspaces exist, as does any workspace that a request acts in; without access, a workspace does not exist.
 */
function getWorkspace(context: Context, request: ApiRequest): ApiResponse {
  const id = request.params.workspace_id ?? "";
  const row = context.store.get("SELECT name FROM workspaces WHERE id = ?", id);
  const isVisible = id === request.tenantId || (row !== undefined && hasAccess(context, request.header, id));
  if (!isVisible) throw new ApiError(404, `Workspace ${id} not found`);
  return { status: 200, body: { id, display_name: String(row?.name ?? id) } };
}
