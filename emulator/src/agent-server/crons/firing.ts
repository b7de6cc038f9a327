import { randomUUID } from "node:crypto";
import { type DeploymentRecord, deploymentById } from "../../control-plane/model/records";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { durations } from "../../runtime/limits";
import { isObject } from "../../runtime/validation/validator";
import { writeAgentLog } from "../agent-log";
import { assertOneMirror } from "../assistants/configuration";
import { findAssistant } from "../assistants/find";
import { type Agent, ownerMetadata } from "../requests/auth";
import { enqueueRun } from "../runs/runs";
import type { RunBody } from "../runs/schemas";
import { traitsOf } from "../server/server-traits";
import { insertThread, type ThreadRecord, threadBySeq } from "../threads/records";
import { type CronRecord, cronBySeq, enabledCrons, isStopped, updateCron } from "./records";
import { nextTime } from "./schedule";

const cronKind = "cron";
const subjectOf = ({ id }: CronRecord) => `cron ${id}`;

/** Deletes the thread as soon as no run is in flight. */
const deleteAfterRun = { strategy: "delete", ttl: 0 } as const;

/**
 * Registers the job handler of crons. A request does not advance the clock to their times, even with `--speed instant`.
 */
export function registerCronJobs(context: Context): void {
  const { scheduler, store } = context;
  const handle = (payload: unknown) => {
    const cron = cronBySeq(store, Number(payload));
    const deployment = cron && deploymentById(store, cron.deployment_id);
    if (deployment && traitsOf(context).hasCrons) look(context, deployment, cron);
  };
  scheduler.registerHandler(cronKind, ({ payload }) => handle(payload), { runsAhead: false });
}

/**
 * Schedules the next look at a cron: the first one after its time. The server looks at all crons at regular intervals.
 */
export function scheduleCron({ clock, scheduler }: Context, cron: CronRecord): void {
  scheduler.cancel(subjectOf(cron));
  if (!cron.enabled) return;
  const now = clock.now();
  const from = Math.max(now, Date.parse(cron.next_run_date));
  const lookAt = (Math.floor(from / durations.cronLook) + 1) * durations.cronLook;
  const job = { kind: cronKind, subject: subjectOf(cron), owner: cron.deployment_id, payload: cron.seq };
  scheduler.schedule(lookAt - now, job);
}

export function cancelCron({ scheduler }: Context, cron: CronRecord): void {
  scheduler.cancel(subjectOf(cron));
}

/** After a stop of the emulator, makes up for all missed times of a cron with one run. */
export function catchUpCrons(context: Context): void {
  for (const cron of enabledCrons(context.store)) scheduleCron(context, cron);
}

/** Fires a cron that is due. */
function look(context: Context, deployment: DeploymentRecord, cron: CronRecord): void {
  const { clock, store } = context;
  if (!cron.enabled) return;
  if (Date.parse(cron.next_run_date) <= clock.now() && !isStopped(store, cron)) {
    tryFire(context, deployment, cron);
    const next = nextTime(cron.schedule, cron.timezone, clock.now());
    if (next !== undefined) updateCron(store, cron, { next_run_date: new Date(next).toISOString() });
  }
  scheduleCron(context, cron);
}

/** Starts a run. What prevents it is only in the log of the deployment, as on the real server. */
function tryFire(context: Context, deployment: DeploymentRecord, cron: CronRecord): void {
  try {
    fire(context, { deployment, user: cron.user_id || undefined }, cron);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    writeAgentLog(context, deployment.id, `Cron ${cron.id} started no run: ${error.message}`);
  }
}

function fire(context: Context, agent: Agent, cron: CronRecord): void {
  const request = runOf(cron);
  // Before a thread is created, find out whether a run can start.
  findAssistant(context, agent, cron.assistant_id);
  assertOneMirror({ config: withoutCronId(request.config), context: request.context });
  const thread = threadOf(context, agent, cron);
  if (thread) enqueueRun(context, agent, thread, request);
}

function threadOf(context: Context, agent: Agent, cron: CronRecord): ThreadRecord | undefined {
  if (cron.thread !== null) return threadBySeq(context.store, cron.thread);
  return insertThread(context, {
    id: randomUUID(),
    deployment_id: cron.deployment_id,
    metadata: { ...cron.metadata, ...ownerMetadata(context, agent) },
    ttl: cron.on_run_completed === "keep" ? null : deleteAfterRun,
  });
}

/** Returns the request of a cron's runs. */
function runOf({ assistant_id, thread, metadata, payload }: CronRecord): RunBody {
  // A cron validates these fields as a run does, except the strategy of a stateless one, which no other run meets.
  const { input, config, context, interrupt_before, interrupt_after, stream_mode } = payload as Partial<RunBody>;
  const strategy = thread === null ? undefined : (payload as Partial<RunBody>).multitask_strategy;
  return {
    assistant_id,
    input,
    config,
    context,
    interrupt_before,
    interrupt_after,
    stream_mode,
    multitask_strategy: strategy ?? "enqueue",
    metadata: { ...metadata, ...(isObject(payload.metadata) && payload.metadata), assistant_id },
    if_not_exists: "reject",
    on_completion: "keep",
    on_disconnect: "continue",
  };
}

/** The server adds the ID of the cron, which does not count as the client's configuration. */
function withoutCronId(config: RunBody["config"]): Record<string, unknown> {
  if (!isObject(config?.configurable)) return {};
  const { cron_id, ...configurable } = config.configurable;
  return { configurable };
}
