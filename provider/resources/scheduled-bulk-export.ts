/**
 * ScheduledBulkExport: an export that the server repeats for consecutive time windows (API `1C`).
 *
 * create: POST /api/v1/bulk-exports with interval_hours · read: GET · update: nothing · delete: PATCH to Cancelled.
 *
 * A schedule begins at startTime, so a recreated one exports every past window again. The exports that a schedule has
 * spawned keep running when it is canceled.
 */
import { z } from "zod";
import type { Export, RemoteExport } from "../api/tracing/client";
import type { Context, RetainedResource } from "../definition/context";
import { defineResource } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import { isSameId } from "../schema/id";
import { fieldMetadata, optionalFlag } from "../schema/schema";
import { parseTimestamp } from "../schema/timestamp";
import { UserError } from "../text/user-error";
import { beforeReplace, createExport } from "./exports/create";
import {
  outputs as commonOutputs,
  type DesiredExport,
  exportInputs,
  hasEnded,
  rules,
  type State,
} from "./exports/fields";
import { cancelExport, findExport, listExports } from "./exports/idempotent-create";
import { ADOPT_DEFAULTS, assertKind, EXPORT_LISTING, isSchedule, stateOf, toInputs } from "./exports/mapping";
import { MAX_CREATIONS_PER_HOUR } from "./exports/quota";

const { endTime: _, ...ownInputs } = exportInputs;

const inputs = z
  .strictObject({
    ...ownInputs,
    startTime: ownInputs.startTime.describe(
      "Start of the first time window, inclusive, by the start time of runs. UTC. Past windows are exported " +
        "as well. A change restarts the export.",
    ),
    cancelSpawned: optionalFlag(
      "Whether a destroy or replacement also cancels running exports that the schedule spawned. Defaults to " +
        "false. Has no effect on the server until then.",
    ).register(fieldMetadata, { effect: "none" }),
    forget: optionalFlag(
      "Whether a destroy may remove the schedule from state when the server does not support cancellation, so " +
        "that it keeps exporting. Defaults to false. Has no effect on the server.",
    ).register(fieldMetadata, { effect: "none" }),
  })
  .register(fieldMetadata, {
    interface: "ScheduledBulkExportArgs",
    foreignFields: {
      endTime:
        "is not supported by schedules, which run until they are destroyed; to export one window, declare a " +
        "BulkExport.",
      waitFor: "is not supported by schedules, which never complete.",
    },
  });
type Inputs = z.infer<typeof inputs>;

const outputs = z.object(commonOutputs);
const toState = stateOf<State>(outputs);

const HOUR_MICROS = 3_600_000_000n;

export const scheduledBulkExport = defineResource<Inputs, State>("ScheduledBulkExport", {
  description:
    "An export that repeats every 1 to 168 hours. A new schedule also exports all windows that have passed " +
    "since its start time.",
  server: "tracing",
  schema: { inputs, outputs },
  rules,
  // A refresh reports an ended schedule as deleted; only version 0.1.0 stored the status.
  endReason: ({ status }) => (hasEnded(status) ? `it ended ${status}` : undefined),
  impact: {
    replacement: "restart",
    loses: null,
    onDelete: "stopped; its exported files stay",
    onCreate({ inputs: desired, now }, replacing) {
      const pastWindows = describePastWindows(desired, now);
      return pastWindows && replacing && !replacing.includes("startTime") ? `${pastWindows} again` : pastWindows;
    },
    warn(_paths, { previous, inputs: desired, now }) {
      // The schedule itself counts toward the quota.
      const isNew = previous.startTime === undefined;
      if (!isNew || (countPastWindows(desired, now) ?? 0n) < BigInt(MAX_CREATIONS_PER_HOUR)) return undefined;
      return { path: "startTime", reason: EXCEEDS_QUOTA };
    },
  },
  timeouts: { create: "75m", update: "75m", delete: "10m" },
  listing: { ...EXPORT_LISTING, isOfThisKind: isSchedule },
  adopt: {
    ...ADOPT_DEFAULTS,
    noun: "schedule",
    skip: ({ status }) => (hasEnded(String(status)) ? `it is ${status} and no longer exports` : undefined),
  },

  async create(desired, ctx) {
    const observe = (created: Export) => ({ id: created.id, inputs: desired, state: toState(created, ctx) });
    return observe(await createExport(desired, (created) => ctx.record(observe(created)), ctx));
  },

  async read(id, declared, previous, ctx) {
    const remote = await findExport(id, ctx);
    if (!remote) return undefined;
    const isImported = previous.status === undefined;
    if (isImported) assertKind(remote, "schedule", declared, ctx);
    // A schedule never completes, so one that has ended no longer exports.
    if (hasEnded(remote.status)) return reportEnded(remote, isImported, ctx);
    return { id, inputs: toInputs(remote, declared, isImported), state: toState(remote, ctx, previous) };
  },

  async update(id, { inputs: desired, state }, ctx) {
    return { id, inputs: desired, state: toState({}, ctx, state) };
  },

  beforeReplace,

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const remote = await findExport(id, ctx);
    const isStopped = !remote || hasEnded(remote.status) || (await cancelExport(id, ctx));
    if (!isStopped && !previous.forget) throw new UserError(formatCannotCancel(id));
    const spawnedWarning = previous.cancelSpawned ? await cancelSpawned(id, ctx) : undefined;
    if (isStopped) return spawnedWarning === undefined ? undefined : { warning: spawnedWarning };
    const scheduleWarning =
      `Schedule ${id} was not canceled, because this server does not support cancellation. With forget: true it ` +
      "was removed from this stack's state only and keeps exporting. Stop it manually.";
    return { warning: spawnedWarning ? `${scheduleWarning}\n${spawnedWarning}` : scheduleWarning };
  },
});

function reportEnded({ id, status }: RemoteExport, isImported: boolean, ctx: Context): undefined {
  if (isImported)
    throw new OwnershipError(
      `import: schedule ${id} ended ${status} and no longer exports. No changes were made. Remove the import ` +
        "option to create a new one.",
    );
  ctx.log.warn(
    `Schedule ${id} ended ${status} on the server and no longer exports. The next \`pulumi up\` creates it again.`,
  );
}

const EXCEEDS_QUOTA =
  `is long ago: the past windows use up what the cloud allows, ${MAX_CREATIONS_PER_HOUR} exports per workspace ` +
  "and hour, and all other exports of the workspace wait. Declare a later startTime to export fewer windows.";

function countPastWindows({ startTime, intervalHours }: Partial<DesiredExport>, now: number): bigint | undefined {
  const start = parseTimestamp(startTime);
  // `agentgraph review` passes unchecked values from a preview.
  const isValidInterval = Number.isSafeInteger(intervalHours) && Number(intervalHours) > 0;
  if (start === undefined || intervalHours === undefined || !isValidInterval) return undefined;
  return (BigInt(now) * 1000n - start) / (BigInt(intervalHours) * HOUR_MICROS);
}

function describePastWindows(desired: Partial<DesiredExport>, now: number): string | undefined {
  const pastWindows = countPastWindows(desired, now) ?? 0n;
  if (pastWindows < 1n) return undefined;
  return pastWindows === 1n ? "1 past window is exported" : `${pastWindows} past windows are exported`;
}

/** Returns the error of a destroy or replacement: a replacement would export everything twice (API `10C.cancel`). */
const formatCannotCancel = (id: string) =>
  `Schedule ${id} cannot be canceled, because this server does not support cancellation. It keeps exporting ` +
  "and stays in state. No changes were made.\n" +
  "Stop it manually and run the command again. To remove it from state while it keeps exporting, set forget: " +
  "true, run `pulumi up`, and then destroy it.";

async function cancelSpawned(id: string, ctx: Context): Promise<string | undefined> {
  const allExports = await listExports(ctx);
  if (!allExports) {
    return (
      `cancelSpawned: this server cannot list exports, so those that schedule ${id} spawned could not be found. ` +
      "They keep running until they end."
    );
  }
  const isSpawned = ({ sourceBulkExportId }: Export) => sourceBulkExportId != null && isSameId(sourceBulkExportId, id);
  const running = allExports.filter((one) => isSpawned(one) && !hasEnded(one.status));
  const stillRunning: string[] = [];
  for (const spawned of running) if (!(await cancelExport(spawned.id, ctx))) stillRunning.push(spawned.id);
  if (stillRunning.length === 0) return undefined;
  return (
    `cancelSpawned: this server does not support cancellation, so these exports of schedule ${id} keep running ` +
    `until they end: ${stillRunning.join(", ")}.`
  );
}
