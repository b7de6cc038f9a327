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
import { ADOPT, isSchedule } from "./shared/bulk-exports/adopt";
import { cancel } from "./shared/bulk-exports/cancel";
import { createExport } from "./shared/bulk-exports/create";
import { common, outputs as commonOutputs, FIXED, type State, type Wanted } from "./shared/bulk-exports/fields";
import { look, type Seen } from "./shared/bulk-exports/get-export";
import { REFERENCES, UNKNOWNS } from "./shared/bulk-exports/impact";
import { assertKind, hasEnded, toInputs, toState } from "./shared/bulk-exports/mapping";
import { OPTIONAL_ROUTES } from "./shared/bulk-exports/optional-routes";
import { rules } from "./shared/bulk-exports/rules";
import { listed } from "./shared/idempotent-create";

const { bulkExportDestinationId, sessionId, allExperiments, startTime, ...others } = common;

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
    on: [...FIXED, "intervalHours"],
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
    onCreate: pastWindows,
    onReplace(paths, { inputs: wanted, now }) {
      const past = pastWindows(wanted, now);
      return past && !paths.includes("startTime") ? `${past} again` : past;
    },
  },
  timeouts: { create: "75m", update: "75m", delete: "10m" },
  adopt: {
    ...ADOPT,
    plural: "schedules",
    singular: "schedule",
    isOfThisKind: isSchedule,
    skip: ({ status }) => (hasEnded(String(status)) ? `it is ${status}, and exports no more` : undefined),
  },
  optionalRoutes: OPTIONAL_ROUTES,

  async create(wanted, ctx): Promise<CreateResult<State>> {
    const made = await createExport(wanted, ctx);
    return { id: made.id, state: toState(made, ctx) };
  },

  async read(id, declared, previous, ctx) {
    const seen = await look(id, ctx);
    if (!seen) return undefined;
    const imported = previous.status === undefined;
    if (imported) assertKind(seen, "schedule", declared, ctx);
    // A schedule never completes: whatever ended it, nothing is exported any more.
    if (hasEnded(seen.status)) return gone(seen, imported, ctx);
    return { inputs: toInputs(seen, declared, imported), state: toState(seen, ctx, previous) };
  },

  async update(id, { previous }, ctx): Promise<CreateResult<State>> {
    return { id, state: toState({ id }, ctx, previous) };
  },

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const now = await look(id, ctx);
    const stopped = !now || hasEnded(now.status) || (await cancel(id, ctx));
    if (!stopped && !previous.forget) throw new UserError(unstoppable(id));
    const left = previous.cancelSpawned ? await cancelSpawned(id, ctx) : undefined;
    if (stopped) return left === undefined ? undefined : { warning: left };
    const goesOn = `This service has no way to cancel a schedule, so ${id} goes on exporting; with forget: true it is dropped from this stack's state. Remove it by hand.`;
    return { warning: left ? `${goesOn}\n${left}` : goesOn };
  },
});

/** @throws OwnershipError when it is imported, since there is nothing left to take over. */
function gone({ id, status }: Seen, imported: boolean, ctx: Context): undefined {
  if (imported)
    throw new OwnershipError(
      `import: schedule ${id} ended ${status} and exports nothing more. Nothing was changed. Remove the import option to create a new one.`,
    );
  ctx.log.warn(
    `Schedule ${id} ended ${status} on the server and exports nothing more. The next \`pulumi up\` creates it again.`,
  );
}

/** How many windows are over, which a new schedule exports at once; undefined for none, and while the times are not known. */
function pastWindows({ startTime, intervalHours }: Partial<Wanted>, now: number): string | undefined {
  const start = parseTimestamp(startTime);
  // `agentgraph review` reads what a preview holds, which nobody has checked.
  const isLength = Number.isSafeInteger(intervalHours) && Number(intervalHours) > 0;
  if (start === undefined || intervalHours === undefined || !isLength) return undefined;
  const past = (BigInt(now) * 1000n - start) / (BigInt(intervalHours) * HOUR_MICROS);
  return past < 1n ? undefined : past === 1n ? "1 past window is exported" : `${past} past windows are exported`;
}

/** A replacement would export everything twice from then on, so it must not happen in passing (interface-notes section 5). */
const unstoppable = (id: string) =>
  `This service has no way to cancel a schedule, so ${id} goes on exporting. It stays in state, and nothing was changed.\n` +
  "Stop it by hand and run the command again. To drop it from state although it goes on: write forget: true, run `pulumi up`, then destroy it.";

/** Cancels what the schedule spawned and is still at work; returns what could not be done. */
async function cancelSpawned(id: string, ctx: Context): Promise<string | undefined> {
  const all = await listed(() => ctx.clients.tracing.listExports(), ctx);
  if (!all) {
    return `cancelSpawned: this service has no list of exports, so those that schedule ${id} spawned could not be found. Those that still run go on until they end.`;
  }
  const running = all.filter(({ sourceBulkExportId, status }) => sourceBulkExportId === id && !hasEnded(status));
  const stuck: string[] = [];
  for (const spawned of running) if (!(await cancel(spawned.id, ctx))) stuck.push(spawned.id);
  if (stuck.length === 0) return undefined;
  return `cancelSpawned: this service has no way to cancel an export, so these of schedule ${id} go on until they end: ${stuck.join(", ")}.`;
}
