import { hasAccess, visibleWorkspaces } from "../http/auth";
import type { ApiRequest, ApiResponse, Route } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { list, object, required, string, uuid } from "../runtime/validation/schema";

const workspace = object("Workspace", { id: required(uuid()), display_name: required(string()) });

/** Workspaces: API `4C`. */
export const workspaceRoutes: Route[] = [
  {
    method: "GET",
    path: "/api/v1/workspaces",
    name: "workspaces",
    isDescribed: false,
    // Each valid credential, which names no workspace: the handler checks it.
    isPublic: true,
    summary: "List the workspaces of a credential",
    success: { status: 200, schema: list(workspace), description: "The workspaces" },
    handle: listWorkspaces,
  },
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

function listWorkspaces(context: Context, { header }: ApiRequest): ApiResponse {
  return {
    status: 200,
    body: visibleWorkspaces(context, header).map((id) => ({ id, display_name: nameOf(context, id) })),
  };
}

const nameOf = ({ store }: Context, id: string) =>
  String(store.get("SELECT name FROM workspaces WHERE id = ?", id)?.name ?? id);

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
