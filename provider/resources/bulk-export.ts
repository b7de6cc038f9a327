/**
 * BulkExport: writes the trace runs of a project, or of all experiments, to a bucket once (API `1C`).
 *
 * create: POST /api/v1/bulk-exports, then optionally wait until it is COMPLETED · read: GET · update: only waits ·
 * delete: PATCH to Cancelled while it is running.
 *
 * An export can be neither changed, restarted nor deleted. So every change creates a new one, the next up replaces a
 * failed one, and a completed one stays on the server.
 */
import type { Export, RemoteExport } from "../api/tracing/client";
import type { Context, Observation, RetainedResource } from "../definition/context";
import { defineResource } from "../definition/definition";
import { OwnershipError } from "../definition/ownership";
import { errorRule } from "../definition/rules";
import { parseTimestamp } from "../schema/timestamp";
import { getTotals, waitUntilCompleted } from "./bulk-export/completion";
import { type Inputs, inputs, outputs, type State, toState } from "./bulk-export/fields";
import { beforeReplace, createExport } from "./exports/create";
import { hasEnded, rules } from "./exports/fields";
import { cancelExport, findExport } from "./exports/idempotent-create";
import { ADOPT_DEFAULTS, assertKind, EXPORT_LISTING, isSchedule, toInputs } from "./exports/mapping";

export const bulkExport = defineResource<Inputs, State>("BulkExport", {
  description:
    "An export of the traces of a project, or of all experiments, for a time range. An export cannot be " +
    "updated: any change starts a new export.",
  server: "tracing",
  schema: { inputs, outputs },
  rules: [
    ...rules,
    errorRule(["endTime", "startTime"], ({ startTime, endTime }) =>
      (parseTimestamp(endTime) ?? 0n) > (parseTimestamp(startTime) ?? 0n)
        ? undefined
        : `must be after startTime (${startTime}), since it is exclusive.`,
    ),
  ],
  endReason: ({ status }) => (status !== "COMPLETED" && hasEnded(status) ? `it ended ${status}` : undefined),
  impact: {
    replacement: "restart",
    loses: null,
    onDelete: "canceled if it is still running; its files stay",
    onResume: () => ({ effect: "none", note: "keeps waiting for the export" }),
  },
  timeouts: { create: "75m", update: "75m", delete: "10m" },
  listing: { ...EXPORT_LISTING, isOfThisKind: (remote) => !isSchedule(remote) },
  adopt: {
    ...ADOPT_DEFAULTS,
    noun: "export",
    // An export that has ended cannot be changed, and declaring a failed one would start it again.
    skip({ status, sourceBulkExportId }, { includeEnded }) {
      if (sourceBulkExportId != null) return "a schedule created it";
      if (!hasEnded(String(status))) return undefined;
      if (status !== "COMPLETED") return `it ended ${status}; declaring it would start it again`;
      return includeEnded ? undefined : "it has completed (--include-ended)";
    },
  },

  async create(desired, ctx) {
    const observe = (created: Export) => ({ id: created.id, inputs: desired, state: toState(created, ctx) });
    const created = await createExport(desired, (one) => ctx.record(observe(one)), ctx);
    return waitIfDeclared(observe(created), ctx);
  },

  async read(id, declared, previous, ctx) {
    const remote = await findExport(id, ctx);
    if (!remote) return undefined;
    const isImported = previous.status === undefined;
    if (isImported) assertKind(remote, "export", declared, ctx);
    if (isImported && declared !== undefined) assertNotFailed(remote);
    const state = toState(remote, ctx, previous);
    const lacksTotals = state.status === "COMPLETED" && [state.rowsWritten, state.filePrefix].includes(undefined);
    return {
      id,
      inputs: toInputs(remote, declared, isImported),
      state: lacksTotals ? { ...state, ...(await getTotals(id, ctx)) } : state,
    };
  },

  async update(id, { inputs: desired, state }, ctx) {
    return waitIfDeclared({ id, inputs: desired, state: toState({}, ctx, state) }, ctx);
  },

  beforeReplace,

  async delete(id, previous, ctx): Promise<RetainedResource | undefined> {
    const retained = (status: string) => ({
      info:
        `Export ${id} ended ${status}. Exports are never deleted, so it stays on the server and its files stay ` +
        "in the bucket.",
    });
    if (previous.status !== undefined && hasEnded(previous.status)) return retained(previous.status);
    const remote = await findExport(id, ctx);
    if (!remote) return undefined;
    if (hasEnded(remote.status)) return retained(remote.status);
    if (await cancelExport(id, ctx)) return undefined;
    return {
      warning:
        `Export ${id} was not canceled, because this server does not support cancellation. It was removed from ` +
        `this stack's state only and keeps running (${remote.status}) until it ends.`,
    };
  },
});

function assertNotFailed({ id, status }: RemoteExport): void {
  if (hasEnded(status) && status !== "COMPLETED")
    throw new OwnershipError(
      `import: export ${id} ended ${status} and cannot be resumed. No changes were made. Remove the import ` +
        "option to create a new one.",
    );
}

async function waitIfDeclared(created: Observation<Inputs, State>, ctx: Context): Promise<Observation<Inputs, State>> {
  if (created.inputs.waitFor !== "completed" || created.state.status === "COMPLETED") return created;
  ctx.record(created);
  return { ...created, state: await waitUntilCompleted(created, ctx) };
}
