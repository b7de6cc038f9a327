/**
 * ScheduledBulkExport: an export that the service repeats, each one of the next window of time (interface part C).
 *
 * create POST /api/v1/bulk-exports with interval_hours · read GET · update nothing · delete PATCH to Cancelled.
 *
 * The surprising rule: a schedule begins at startTime, so one that is made anew exports every past window again; and
 * what it has spawned goes on when it is cancelled.
 */
import { z } from "zod";
import type { Context } from "../definition/context";
import { defineResource } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import type { CreateResult, RetainedResource } from "../definition/results";
import { fieldMetadata } from "../schema/schema";
import { parseTimestamp } from "../schema/timestamp";
import { UserError } from "../text/user-error";
import { ADOPT_DEFAULTS, isSchedule } from "./shared/bulk-exports/adopt";
import { cancelExport } from "./shared/bulk-exports/cancel";
import { createExport } from "./shared/bulk-exports/create";
import {
  commonInputs,
  outputs as commonOutputs,
  type DesiredExport,
  IMMUTABLE,
  type State,
} from "./shared/bulk-exports/fields";
import { findExport, type RemoteExport } from "./shared/bulk-exports/get-export";
import { REFERENCES, UNKNOWNS } from "./shared/bulk-exports/impact";
import { assertKind, hasEnded, toInputs, toState } from "./shared/bulk-exports/mapping";
import { OPTIONAL_ROUTES } from "./shared/bulk-exports/optional-routes";
import { rules } from "./shared/bulk-exports/rules";
import { listIfSupported } from "./shared/idempotent-create";

const { bulkExportDestinationId, sessionId, allExperiments, startTime, ...others } = commonInputs;

const inputs = z
  .strictObject({
    bulkExportDestinationId,
    sessionId,
    allExperiments,
    startTime: startTime.describe(
      "Where the first window begins, by when runs started; UTC, inclusive. Windows that have passed are exported as well. A change restarts it.",
    ),
    intervalHours: z
      .int()
      .min(1)
      .max(168)
      .describe(
        "Length of a window in hours, 1 to 168; each is exported ten minutes after its end. A change restarts it.",
      ),
    ...others,
    cancelSpawned: z
      .boolean()
      .optional()
      .describe(
        "Whether a destroy or a replacement also cancels the exports that it spawned and that are still at work; false when absent. Changes nothing on the service.",
      ),
    forget: z
      .boolean()
      .optional()
      .describe(
        "Whether a destroy may drop it from state where the service has no way to cancel it, so that it goes on exporting; false when absent. Changes nothing on the service.",
      ),
  })
  .register(fieldMetadata, { interface: "ScheduledBulkExportArgs" });
type Inputs = z.infer<typeof inputs>;

const outputs = z.object(commonOutputs);

const HOUR_MICROS = 3_600_000_000n;

export const scheduledBulkExport = defineResource<Inputs, State>("ScheduledBulkExport", {
  server: "tracing",
  schema: {
    inputs,
    outputs,
    foreignFields: {
      endTime: "is not for a schedule, which ends when it is destroyed; for one window declare a BulkExport.",
      waitFor: "is not for a schedule, which never completes.",
    },
  },
  rules,
  secrets: { paths: [] },
  replace: {
    on: [...IMMUTABLE, "intervalHours"],
    references: REFERENCES,
    // A refresh finds it gone. That of 0.1.0 noted the status in state.
    when: ({ status }) => (hasEnded(status) ? `it ended ${status}` : undefined),
  },
  impact: {
    effects: [["", "none"]],
    replacement: "restart",
    loses: null,
    onDelete: "stopped; what it has exported stays",
    unknowns: UNKNOWNS,
    onCreate: describePastWindows,
    onReplace(paths, { inputs: desired, now: remote }) {
      const pastWindows = describePastWindows(desired, remote);
      return pastWindows && !paths.includes("startTime") ? `${pastWindows} again` : pastWindows;
    },
  },
  timeouts: { create: "75m", update: "75m", delete: "10m" },
  adopt: {
    ...ADOPT_DEFAULTS,
    plural: "schedules",
    singular: "schedule",
    isOfThisKind: isSchedule,
    skip: ({ status }) => (hasEnded(String(status)) ? `it is ${status}, and exports no more` : undefined),
  },
  optionalRoutes: OPTIONAL_ROUTES,

  async create(desired, ctx): Promise<CreateResult<State>> {
    const created = await createExport(desired, ctx);
    return { id: created.id, state: toState(created, ctx) };
  },

  async read(id, declared, previous, ctx) {
    const remote = await findExport(id, ctx);
    if (!remote) return undefined;
    const isImported = previous.status === undefined;
    if (isImported) assertKind(remote, "schedule", declared, ctx);
    // A schedule never completes: whatever ended it, nothing is exported any more.
    if (hasEnded(remote.status)) return reportEnded(remote, isImported, ctx);
    return { inputs: toInputs(remote, declared, isImported), state: toState(remote, ctx, previous) };
  },

  async update(id, { previous }, ctx): Promise<CreateResult<State>> {
    return { id, state: toState({ id }, ctx, previous) };
  },

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const remote = await findExport(id, ctx);
    const isStopped = !remote || hasEnded(remote.status) || (await cancelExport(id, ctx));
    if (!isStopped && !previous.forget) throw new UserError(formatCannotCancel(id));
    const spawnedWarning = previous.cancelSpawned ? await cancelSpawned(id, ctx) : undefined;
    if (isStopped) return spawnedWarning === undefined ? undefined : { warning: spawnedWarning };
    const scheduleWarning = `This service has no way to cancel a schedule, so ${id} goes on exporting; with forget: true it is dropped from this stack's state. Remove it by hand.`;
    return { warning: spawnedWarning ? `${scheduleWarning}\n${spawnedWarning}` : scheduleWarning };
  },
});

/** @throws OwnershipError when it is imported, since there is nothing left to take over. */
function reportEnded({ id, status }: RemoteExport, isImported: boolean, ctx: Context): undefined {
  if (isImported)
    throw new OwnershipError(
      `import: schedule ${id} ended ${status} and exports nothing more. Nothing was changed. Remove the import option to create a new one.`,
    );
  ctx.log.warn(
    `Schedule ${id} ended ${status} on the server and exports nothing more. The next \`pulumi up\` creates it again.`,
  );
}

/** How many windows are over, which a new schedule exports at once; undefined for none, and while the times are not known. */
function describePastWindows({ startTime, intervalHours }: Partial<DesiredExport>, remote: number): string | undefined {
  const start = parseTimestamp(startTime);
  // `agentgraph review` reads what a preview holds, which nobody has checked.
  const isValidInterval = Number.isSafeInteger(intervalHours) && Number(intervalHours) > 0;
  if (start === undefined || intervalHours === undefined || !isValidInterval) return undefined;
  const pastWindows = (BigInt(remote) * 1000n - start) / (BigInt(intervalHours) * HOUR_MICROS);
  return pastWindows < 1n
    ? undefined
    : pastWindows === 1n
      ? "1 past window is exported"
      : `${pastWindows} past windows are exported`;
}

/** A replacement would export everything twice from then on, so it must not happen in passing (interface-notes section 5). */
const formatCannotCancel = (id: string) =>
  `This service has no way to cancel a schedule, so ${id} goes on exporting. It stays in state, and nothing was changed.\n` +
  "Stop it by hand and run the command again. To drop it from state although it goes on: write forget: true, run `pulumi up`, then destroy it.";

/** Cancels what the schedule spawned and is still at work; returns what could not be done. */
async function cancelSpawned(id: string, ctx: Context): Promise<string | undefined> {
  const exports = await listIfSupported(() => ctx.clients.tracing.listExports(), ctx);
  if (!exports) {
    return `cancelSpawned: this service has no list of exports, so those that schedule ${id} spawned could not be found. Those that still run go on until they end.`;
  }
  const running = exports.filter(({ sourceBulkExportId, status }) => sourceBulkExportId === id && !hasEnded(status));
  const stillRunning: string[] = [];
  for (const spawned of running) if (!(await cancelExport(spawned.id, ctx))) stillRunning.push(spawned.id);
  if (stillRunning.length === 0) return undefined;
  return `cancelSpawned: this service has no way to cancel an export, so these of schedule ${id} go on until they end: ${stillRunning.join(", ")}.`;
}
