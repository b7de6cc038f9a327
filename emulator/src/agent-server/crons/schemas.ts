import { limits } from "../../runtime/limits";
import * as v from "../../runtime/validation/schema";
import { pageFields } from "../assistants/schemas";

const cronFields = {
  cron_id: v.required(v.uuid()),
  assistant_id: v.required(v.uuid()),
  thread_id: v.required(v.nullable(v.uuid())),
  /** Who created it; empty without authentication. */
  user_id: v.required(v.string()),
  schedule: v.required(v.string()),
  timezone: v.required(v.nullable(v.string())),
  end_time: v.required(v.nullable(v.string())),
  enabled: v.required(v.boolean()),
  on_run_completed: v.required(v.nullable(v.enumOf(["delete", "keep"]))),
  metadata: v.required(v.anyObject()),
  payload: v.required(v.anyObject()),
  next_run_date: v.required(v.datetime()),
  created_at: v.required(v.datetime()),
  updated_at: v.required(v.datetime()),
};
export const cron = v.object("Cron", cronFields);
/** A cron in search results; `select` may omit any of its fields. */
export const cronSearchResult = v.object("CronSearchResult", {
  ...Object.fromEntries(Object.entries(cronFields).map(([name, { required: _, ...field }]) => [name, field])),
});

/** What a create and a PATCH have in common. request-checks.ts checks the fields of several types. */
const sharedFields = {
  schedule: v.string(),
  timezone: v.string(),
  enabled: v.boolean(),
  /** An object or a list of objects. */
  input: v.any(),
  config: v.anyObject(),
  context: v.anyObject(),
  metadata: v.anyObject(),
  webhook: v.string({ minLength: 1, maxLength: limits.crons.maxWebhookLength }),
  multitask_strategy: v.nullable(v.string()),
  /** Names of nodes, or `*` for all. */
  interrupt_before: v.any(),
  interrupt_after: v.any(),
  /** A mode or a list of modes. */
  stream_mode: v.any(),
  stream_subgraphs: v.boolean(),
  stream_resumable: v.boolean(),
  durability: v.enumOf(["sync", "async", "exit"]),
};
const createFields = {
  /** The ID of an assistant or the name of a graph. */
  assistant_id: v.string(),
  ...sharedFields,
  /** Any text; it is kept as sent. */
  end_time: v.string(),
};
export const createBody = v.object("CronCreate", { ...createFields, on_run_completed: v.enumOf(["delete", "keep"]) });
export type CreateBody = v.Infer<typeof createBody>;
/** Any `on_run_completed` is accepted, and has no effect. */
export const createOnThreadBody = v.object("CronCreateOnThread", { ...createFields, on_run_completed: v.any() });
export const patchBody = v.object("CronPatch", {
  ...sharedFields,
  end_time: v.nullable(v.string()),
  on_run_completed: v.enumOf(["delete", "keep"]),
});
export type PatchBody = v.Infer<typeof patchBody>;

const filterFields = { assistant_id: v.uuid(), thread_id: v.uuid(), enabled: v.boolean(), metadata: v.anyObject() };
export const countBody = v.object("CronCount", filterFields);
export type CountBody = v.Infer<typeof countBody>;
export const searchBody = v.object("CronSearch", {
  ...filterFields,
  ...pageFields,
  sort_by: v.enumOf(["cron_id", "assistant_id", "thread_id", "next_run_date", "end_time", "created_at", "updated_at"]),
  /** Without `sort_by`, it has no effect. */
  sort_order: v.enumOf(["asc", "desc"]),
  select: v.list(v.enumOf(Object.keys(cronFields))),
});
export type SearchBody = v.Infer<typeof searchBody>;

/** What the validator of the server in JavaScript, which has no crons, asks for. */
export const javascriptBody = v.object("CronCreate", {
  thread_id: v.required(v.uuid()),
  assistant_id: v.required(v.uuid()),
});
export const javascriptSearchBody = v.object("CronSearch", {
  ...{ thread_id: v.uuid(), assistant_id: v.uuid() },
  ...pageFields,
  // It does not look at these.
  ...{ enabled: v.any(), metadata: v.any(), sort_by: v.any(), sort_order: v.any(), select: v.any() },
});
