import { limits } from "../limits";
import {
  byDefault,
  datetime,
  type InferFields,
  integer,
  list,
  nullable,
  object,
  oneOf,
  required,
  string,
} from "../validation/schema";

const { minLimit, maxLimit, defaultLimit } = limits.logs;
const order = byDefault(oneOf(["asc", "desc"]), "asc");
const limit = byDefault(integer({ minimum: minLimit, maximum: maxLimit }), defaultLimit);

const filters = {
  offset: string(),
  level: string(),
  query: string(),
  start_time: datetime(),
  end_time: datetime(),
} as const;

export const logsQuery = { type: required(oneOf(["build", "deploy"])), order, limit, ...filters } as const;
/** Which lines, and how. */
export type LogFilter = Omit<InferFields<typeof logsQuery>, "type">;

/** The same in a body (the older form, interface-notes.md section 2); what is null counts as absent. */
export const olderLogsBody = object("LogsRequest", {
  order: nullable(order),
  limit: nullable(limit),
  ...{ offset: nullable(filters.offset), level: nullable(filters.level), query: nullable(filters.query) },
  ...{ start_time: nullable(filters.start_time), end_time: nullable(filters.end_time) },
});

/** What an older request that says nothing asks for. */
export const defaultFilter = { order: order.default, limit: limit.default } as const;

export const logsPage = object("Logs", {
  logs: required(
    list(
      object("LogLine", {
        id: required(string()),
        timestamp: required(datetime()),
        level: required(string()),
        message: required(string()),
      }),
    ),
  ),
  next_offset: nullable(string()),
});
