import type { ApiRequest, ApiResponse } from "../../http/route";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { limits } from "../../runtime/limits";
import { parseJson } from "../../runtime/validation/json";
import { isObject } from "../../runtime/validation/validator";
import { findAssistant } from "../assistants/find";
import { cleanConfig, cleanConfiguration, cleanMetadata, readable } from "../assistants/reserved";
import { uuid7 } from "../ids";
import { type Agent, ownerMetadata } from "../requests/auth";
import { formatTime } from "../server/server-traits";
import { requireThread } from "../threads/threads";
import { cancelCron, scheduleCron } from "./firing";
import { type CronRecord, cronById, deleteCronRecord, insertCron, updateCron } from "./records";
import { checkCronBody } from "./request-checks";
import { nextTime, ScheduleError } from "./schedule";
import type { CreateBody, PatchBody } from "./schemas";

type Json = Record<string, unknown>;

/** POST /runs/crons and POST /threads/{thread_id}/runs/crons: each request makes another cron. */
export function createCron(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const body = request.body as CreateBody;
  const thread = request.params.thread_id === undefined ? null : requireThread(context, agent, request);
  const { assistant_id: name, schedule, timezone = null, end_time = null, enabled = true } = body;
  if (name === undefined || schedule === undefined) throw new ApiError(500, "Internal Server Error");
  checkCronBody(request, body, thread !== null);
  const assistant = findAssistant(context, agent, name);
  const next = nextTimeOrError(context, schedule, timezone);
  if (next instanceof ApiError) throw next;
  const id = uuid7(context.clock.now());
  const cron = insertCron(context, {
    id,
    deployment_id: agent.deployment.id,
    assistant: assistant.seq,
    thread: thread?.seq ?? null,
    user_id: agent.user ?? "",
    schedule,
    timezone,
    end_time,
    enabled,
    on_run_completed: thread ? null : (body.on_run_completed ?? "delete"),
    metadata: { ...cleanMetadata(context, body.metadata ?? {}), ...ownerMetadata(context, agent) },
    payload: payloadOf(context, id, { ...rawBody(request), assistant_id: assistant.id }),
    next_run_date: next,
  });
  if (!cron) throw new ApiError(404, `Cron ${id} not found`);
  scheduleCron(context, cron);
  return respond(context, cron);
}

/** GET /runs/crons/{cron_id} */
export function getCron(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  return respond(context, requireCron(context, agent, request));
}

/** PATCH /runs/crons/{cron_id}. A time zone is stored even if the schedule beside it is refused. */
export function patchCron(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const cron = requireCron(context, agent, request);
  const body = request.body as PatchBody;
  const { assistant_id, ...raw } = rawBody(request);
  if (Object.keys(raw).length === 0 && assistant_id === undefined) throw new ApiError(400, "No fields to update");
  checkCronBody(request, body, false);
  const { schedule = cron.schedule, timezone = cron.timezone } = body;
  const changesTime = body.schedule !== undefined || body.timezone !== undefined;
  const next = changesTime ? nextTimeOrError(context, schedule, timezone) : cron.next_run_date;
  if (next instanceof ApiError) {
    // The response is not thrown, because an error would undo what is stored.
    updateCron(context.store, cron, { timezone, ...(next.status === 400 && { schedule }) });
    return { status: next.status, body: { detail: next.detail } };
  }
  const { end_time = cron.end_time, enabled = cron.enabled, on_run_completed = cron.on_run_completed } = body;
  updateCron(context.store, cron, {
    ...{ schedule, timezone, end_time, enabled, on_run_completed, next_run_date: next },
    metadata: { ...cron.metadata, ...cleanMetadata(context, body.metadata ?? {}), ...ownerMetadata(context, agent) },
    payload: payloadOf(context, cron.id, { ...cron.payload, ...raw }),
    updated_at: context.clock.isoNow(),
  });
  scheduleCron(context, cron);
  return respond(context, cron);
}

/** DELETE /runs/crons/{cron_id}: the runs that it started continue. */
export function deleteCron(context: Context, agent: Agent, request: ApiRequest): ApiResponse {
  const cron = requireCron(context, agent, request);
  cancelCron(context, cron);
  deleteCronRecord(context.store, cron);
  return { status: 204 };
}

function requireCron(context: Context, agent: Agent, { params: { cron_id: id = "" } }: ApiRequest): CronRecord {
  const cron = cronById(context.store, agent.deployment.id, id);
  if (cron && isVisible(agent, cron)) return cron;
  throw new ApiError(404, `Cron '${id}' not found`);
}

/** Under custom authentication, users see their own crons. */
export function isVisible({ user }: Agent, { user_id }: CronRecord): boolean {
  return user === undefined || user === user_id;
}

/** Returns when a schedule is due next, or the error of a schedule without a time or that cannot be read. */
function nextTimeOrError({ clock }: Context, schedule: string, timezone: string | null): string | ApiError {
  try {
    const next = nextTime(schedule, timezone, clock.now());
    if (next !== undefined) return new Date(next).toISOString();
    return new ApiError(400, `The schedule '${schedule}' has no next date`);
  } catch (error) {
    if (error instanceof ScheduleError) return new ApiError(422, error.message);
    throw error;
  }
}

/** Returns the body as sent, with the fields that the schema does not contain. */
function rawBody({ bytes }: ApiRequest): Json {
  return parseJson(bytes.toString(), limits.body.maxDepth) as Json;
}

/** Returns what a cron stores of its requests: without reserved keys, and with its own ID for its runs. */
function payloadOf(context: Context, cron_id: string, body: Json): Json {
  const config = isObject(body.config) ? cleanConfig(context, body.config) : {};
  const configurable = { ...(isObject(config.configurable) && config.configurable), cron_id };
  return {
    ...readable(context, body),
    config: { ...config, configurable },
    ...(isObject(body.context) && { context: cleanConfiguration(context, body.context) }),
    ...(isObject(body.metadata) && { metadata: cleanMetadata(context, body.metadata) }),
  };
}

function respond(context: Context, cron: CronRecord): ApiResponse {
  return { status: 200, body: cronResponse(context, cron) };
}

export function cronResponse(context: Pick<Context, "settings">, cron: CronRecord) {
  const { id, seq, deployment_id, assistant, thread, next_run_date, created_at, updated_at, ...fields } = cron;
  return {
    cron_id: id,
    ...fields,
    next_run_date: formatTime(context, next_run_date),
    created_at: formatTime(context, created_at),
    updated_at: formatTime(context, updated_at),
  };
}
