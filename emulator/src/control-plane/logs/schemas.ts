import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";

const { minLimit, maxLimit, defaultLimit } = limits.logs;
const order = v.withDefault(v.enumOf(["asc", "desc"]), "asc");
const limit = v.withDefault(v.integer({ minimum: minLimit, maximum: maxLimit }), defaultLimit);

const filters = { level: v.string(), query: v.string(), start_time: v.datetime(), end_time: v.datetime() } as const;
const offset = v.string();

export const logsQuery = { type: v.required(v.enumOf(["build", "deploy"])), order, limit, offset, ...filters } as const;
/** Filter and order of log lines. */
export type LogFilter = Omit<v.InferFields<typeof logsQuery>, "type">;

/** The filter as a request body (the older form, API `4A.POST /v1/projects/{deployment_id}`); null counts as absent. */
export const legacyLogsBody = v.object("LogsRequest", {
  order: v.nullable(order),
  limit: v.nullable(limit),
  offset: v.nullable(offset),
  level: v.nullable(filters.level),
  query: v.nullable(filters.query),
  start_time: v.nullable(filters.start_time),
  end_time: v.nullable(filters.end_time),
});

/** Defaults of the older API. */
export const defaultFilter = { order: order.default, limit: limit.default } as const;

const logLines = v.list(
  v.object("LogLine", {
    id: v.required(v.string()),
    timestamp: v.required(v.datetime()),
    level: v.required(v.string()),
    message: v.required(v.string()),
  }),
);

export const logsPage = v.object("Logs", { logs: v.required(logLines), next_offset: v.nullable(v.string()) });

/** API `4A.GET /v2/deployment-logs`. */
export const deploymentLogsQuery = {
  deployment_id: v.required(v.uuid()),
  revision_id: v.uuid(),
  log_type: v.withDefault(v.enumOf(["BUILD", "DEPLOY"]), "DEPLOY"),
  page_size: v.withDefault(v.integer({ minimum: 1, maximum: 100 }), 20),
  cursor: v.string(),
  sort_order: order,
  ...filters,
} as const;
export type DeploymentLogsQuery = v.InferFields<typeof deploymentLogsQuery>;

export const deploymentLogsPage = v.object("DeploymentLogs", {
  items: v.required(logLines),
  next_cursor: v.nullable(v.string()),
});
