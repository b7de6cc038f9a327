import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import type { Store } from "../../runtime/storage/store";
import { requireDeployment, requireRevision } from "../lookup";
import type { RevisionRecord } from "../model/records";
import { type DeploymentLogsQuery, defaultFilter, type LogFilter } from "./schemas";

export type LogType = "build" | "deploy";

/** Appends lines to a revision's log with strictly increasing timestamps. */
export function writeLog(context: Context, revision: RevisionRecord, type: LogType, lines: LogLine[]): void {
  const { store, clock } = context;
  const last = store.get("SELECT max(at) AS at FROM logs WHERE revision_id = ? AND type = ?", revision.id, type)?.at;
  let at = Math.max(clock.now(), Number(last ?? 0) + 1);
  const sql = "INSERT INTO logs (deployment_id, revision_id, type, at, level, message) VALUES (?, ?, ?, ?, ?, ?)";
  for (const line of lines) {
    const { level, message } = typeof line === "string" ? { level: "INFO", message: line } : line;
    store.run(sql, revision.deployment_id, revision.id, type, at++, level, message);
  }
}

/** A string is a line of level INFO. */
export type LogLine = string | { level: string; message: string };

/** GET .../revisions/{revision_id}/logs (API `2A.LogPage`). */
export function readLogs(context: Context, request: ApiRequest<LogFilter & { type: LogType }>): ApiResponse {
  const { revision } = requireRevision(context, request);
  return queryLogs(context, { type: request.query.type, revisionId: revision.id }, request.query);
}

/** POST /v1/projects/{deployment_id}/revisions/{revision_id}/build_logs and …/deploy_logs: the older API. */
export function readLegacyLogs(type: LogType): (context: Context, request: ApiRequest) => ApiResponse {
  return (context, request) => {
    const { revision } = requireRevision(context, request);
    const selection = { type, revisionId: revision.id, isFollowed: revision.plan.steps.length > 0 };
    return queryLogs(context, selection, legacyFilter(request));
  };
}

/** POST /v1/projects/{deployment_id}/deploy_logs: the deploy logs of all revisions. */
export function readProjectLogs(context: Context, request: ApiRequest): ApiResponse {
  const { id: deploymentId } = requireDeployment(context, request);
  return queryLogs(context, { type: "deploy", deploymentId, isFollowed: true }, legacyFilter(request));
}

/** GET /v2/deployment-logs: the lines of a deployment or of one revision (API `4A.GET /v2/deployment-logs`). */
export function readDeploymentLogs(context: Context, request: ApiRequest<DeploymentLogsQuery>): ApiResponse {
  const { deployment_id, revision_id, log_type, page_size: limit, cursor, sort_order: order, ...rest } = request.query;
  const params = { deployment_id, ...(revision_id !== undefined && { revision_id }) };
  const { id: deploymentId } = requireDeployment(context, { ...request, params });
  if (revision_id !== undefined) requireRevision(context, { ...request, params });
  const owner = revision_id === undefined ? { deploymentId } : { revisionId: revision_id };
  const selection: LogSelection = { type: log_type === "BUILD" ? "build" : "deploy", ...owner };
  const { logs, next_offset } = queryLogs(context, selection, { ...rest, order, limit, offset: cursor }).body as {
    logs: object[];
    next_offset: string | null;
  };
  return { status: 200, body: { items: logs, next_cursor: next_offset } };
}

/** Returns the last error in the log of a revision. */
export function lastError(store: Store, revisionId: string): string | null {
  const sql = "SELECT message FROM logs WHERE revision_id = ? AND level = 'ERROR' ORDER BY id DESC LIMIT 1";
  return (store.get(sql, revisionId)?.message as string | undefined) ?? null;
}

function legacyFilter({ body }: ApiRequest): LogFilter {
  const definedEntries = Object.entries(body as object).filter(([, value]) => value !== null);
  return { ...defaultFilter, ...Object.fromEntries(definedEntries) };
}

interface LogSelection {
  type: LogType;
  revisionId?: string;
  deploymentId?: string;
  /** More lines may come: the last one has a cursor, too, with which published clients ask for them. */
  isFollowed?: boolean;
}

function queryLogs(
  { store }: Context,
  { type, revisionId, deploymentId, isFollowed = false }: LogSelection,
  filter: LogFilter,
): ApiResponse {
  const { order, limit, offset, level, query, start_time, end_time } = filter;
  const cursor = offset === undefined ? null : decodeCursor(offset, order);
  const ownerColumn = revisionId === undefined ? "deployment_id" : "revision_id";
  const rows = store.all(
    `SELECT * FROM logs WHERE ${ownerColumn} = ? AND type = ? AND (?3 IS NULL OR upper(level) = upper(?3))
       AND (?4 IS NULL OR instr(lower(message), lower(?4)) > 0) AND (?5 IS NULL OR at >= ?5)
       AND (?6 IS NULL OR at <= ?6) AND (?8 IS NULL OR id ${order === "asc" ? ">" : "<"} ?8)
       ORDER BY id ${order} LIMIT ?7`,
    revisionId ?? deploymentId ?? null,
    type,
    level ?? null,
    query ?? null,
    toMilliseconds(start_time),
    toMilliseconds(end_time),
    limit + 1,
    cursor,
  );
  const page = rows.slice(0, limit);
  const logs = page.map((row) => ({
    id: String(row.id),
    timestamp: new Date(Number(row.at)).toISOString(),
    level: row.level,
    message: row.message,
  }));
  const last = rows.length > limit || (isFollowed && order === "asc") ? page.at(-1) : undefined;
  const next_offset = last ? encodeCursor(order, Number(last.id)) : null;
  return { status: 200, body: { logs, next_offset } };
}

function toMilliseconds(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time);
}

/** The cursor contains the last line shown, so that lines written meanwhile do not shift the pages. */
function encodeCursor(order: string, id: number): string {
  return Buffer.from(`${order}:${id}`).toString("base64url");
}

function decodeCursor(text: string, order: string): number {
  const match = /^(asc|desc):(\d{1,15})$/.exec(Buffer.from(text, "base64url").toString());
  if (match?.[1] !== order)
    throw new ApiError(400, "Invalid offset: pass next_offset of the last response, with the same order");
  return Number(match[2]);
}
