import type { ApiRequest, ApiResponse, Route } from "../http/route";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import { limits } from "../runtime/limits";
import * as v from "../runtime/validation/schema";
import { isObject } from "../runtime/validation/validator";
import { projectById } from "./projects";

const session = v.object("TracerSession", {
  id: v.required(v.uuid()),
  tenant_id: v.required(v.uuid()),
  name: v.required(v.string()),
  start_time: v.required(v.datetime()),
  reference_dataset_id: v.required(v.nullable(v.uuid())),
});

const { maxLimit, defaultOffset } = limits.sessions;
const filter = {
  name: v.string(),
  name_contains: v.string(),
  id: v.list(v.uuid()),
  /** The data set of experiments. */
  reference_dataset: v.list(v.uuid()),
  /** True: no experiments; false: only those. */
  reference_free: v.boolean(),
  /** A JSON object. Projects of the emulator have no metadata. */
  metadata: v.string(),
  /** Accepted without effect: projects of the emulator have no statistics. */
  include_stats: v.boolean(),
  limit: v.withDefault(v.integer({ minimum: 1, maximum: maxLimit }), maxLimit),
  offset: v.withDefault(v.integer({ minimum: 0 }), defaultOffset),
};

/** Tracing projects, called sessions in paths: API `2C.Project`. */
export const sessionRoutes: Route[] = [
  {
    method: "GET",
    path: "/api/v1/sessions",
    name: "sessions",
    isDescribed: false,
    requiresBothHeaders: true,
    summary: "List tracing projects",
    query: filter,
    success: {
      status: 200,
      schema: v.list(session),
      description: "The projects, newest first; name must match exactly",
    },
    handle: listSessions,
  },
  {
    method: "GET",
    path: "/api/v1/sessions/{session_id}",
    name: "session",
    isDescribed: false,
    requiresBothHeaders: true,
    summary: "Retrieve a tracing project",
    success: { status: 200, schema: session, description: "The project" },
    handle: getSession,
  },
];

function listSessions({ store }: Context, request: ApiRequest<v.InferFields<typeof filter>>): ApiResponse {
  const {
    name = null,
    name_contains = "",
    id,
    reference_dataset,
    reference_free,
    metadata,
    limit,
    offset,
  } = request.query;
  const conditions = [
    "tenant_id = ? AND name = coalesce(?, name) AND instr(lower(name), lower(?)) > 0",
    "(? OR id IN (SELECT value FROM json_each(?)))",
    "(? OR reference_dataset_id IN (SELECT value FROM json_each(?)))",
    "(reference_dataset_id IS NULL) = coalesce(?, reference_dataset_id IS NULL)",
  ];
  const listed = (ids?: string[]) => [Number(ids === undefined), JSON.stringify(ids ?? [])];
  const rows = store.all(
    `SELECT * FROM projects WHERE ${conditions.join(" AND ")}
     ORDER BY start_time DESC, name LIMIT ? OFFSET CAST(? AS INTEGER)`,
    ...[request.tenantId, name, name_contains, ...listed(id), ...listed(reference_dataset)],
    ...[reference_free === undefined ? null : Number(reference_free), limit, offset],
  );
  return { status: 200, body: hasEntries(metadata) ? [] : rows };
}

/** @throws ApiError 422 for what is not a JSON object */
function hasEntries(metadata = "{}"): boolean {
  try {
    const value: unknown = JSON.parse(metadata);
    if (isObject(value)) return Object.keys(value).length > 0;
  } catch {
    // Not JSON.
  }
  const msg = "Value error, metadata must be a JSON object";
  throw new ApiError(422, [{ type: "value_error", loc: ["query", "metadata"], msg, input: metadata }]);
}

function getSession({ store }: Context, request: ApiRequest): ApiResponse {
  const id = request.params.session_id ?? "";
  const project = projectById(store, request.tenantId, id);
  if (!project) throw new ApiError(404, `Session ${id} not found`);
  return { status: 200, body: project };
}
