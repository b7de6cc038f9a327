import type { Context } from "../context";
import { ApiError } from "../errors";
import { limits } from "../limits";
import type { Answer, Call, Route } from "../routes";
import {
  byDefault,
  datetime,
  type InferFields,
  integer,
  list,
  nullable,
  object,
  required,
  string,
  uuid,
} from "../validation/schema";
import { projectById } from "./projects";

const session = object("TracerSession", {
  id: required(uuid()),
  tenant_id: required(uuid()),
  name: required(string()),
  start_time: required(datetime()),
  reference_dataset_id: required(nullable(uuid())),
});

const { maxLimit, defaultOffset } = limits.sessions;
const filter = {
  name: string(),
  name_contains: string(),
  limit: byDefault(integer({ minimum: 1, maximum: maxLimit }), maxLimit),
  offset: byDefault(integer({ minimum: 0 }), defaultOffset),
};

/** Tracing projects, which the paths call sessions: interface-notes.md section 3. */
export const sessionRoutes: Route[] = [
  {
    ...{ method: "GET", path: "/api/v1/sessions", name: "sessions", inInterface: false, bothHeaders: true },
    summary: "List tracing projects",
    query: filter,
    success: { status: 200, schema: list(session), description: "Newest first; name is compared whole" },
    handle: listSessions,
  },
  {
    ...{ method: "GET", path: "/api/v1/sessions/{session_id}", name: "session", inInterface: false, bothHeaders: true },
    summary: "Retrieve a tracing project",
    success: { status: 200, schema: session, description: "The project" },
    handle: getSession,
  },
];

function listSessions({ store }: Context, call: Call<InferFields<typeof filter>>): Answer {
  const { name = null, name_contains = "", limit, offset } = call.query;
  const rows = store.all(
    `SELECT * FROM projects WHERE tenant_id = ? AND name = coalesce(?, name) AND instr(lower(name), lower(?)) > 0
     ORDER BY start_time DESC, name LIMIT ? OFFSET CAST(? AS INTEGER)`,
    ...[call.tenantId, name, name_contains, limit, offset],
  );
  return { status: 200, body: rows };
}

function getSession({ store }: Context, call: Call): Answer {
  const id = call.params.session_id ?? "";
  const project = projectById(store, call.tenantId, id);
  if (!project) throw new ApiError(404, `Session ${id} not found`);
  return { status: 200, body: project };
}
