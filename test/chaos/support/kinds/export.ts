import fc from "fast-check";
import type { PropertyMap } from "../../../../provider/schema/schema";
import { twinsIn } from "./destination";
import { type ChaosKind, expectEqual, idsOf, type Observed, stateIn } from "./kind";
import { pick, sometimes } from "./values";

export interface ExportSpec {
  slot: "once" | "daily";
  /** The destination; another team's, where it is not declared. */
  to: "bucket" | "archive" | "shared";
  /** The project: another team's, or that of a deployment, where it is declared. */
  of: "shared" | "api";
  /** Chooses the filter of an export, or the interval of a schedule. */
  variant: 0 | 1;
  /** Whether the create of an export waits for its end. */
  waitFor?: "completed" | undefined;
}

const EXPORTS = "/api/v1/bulk-exports";
const FILTER = "eq(is_root, true)";
const WINDOW = { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-04T00:00:00Z" };
/** Shortly before the emulator's time begins: few windows have passed. */
const SCHEDULE_START = new Date(Date.now() - 60 * 3_600_000).toISOString();

/** Exports that run, and schedules that are active. */
export const bulkExports: ChaosKind<ExportSpec> = {
  slots: { once: "BulkExport", daily: "ScheduledBulkExport" },
  weight: 3,
  specs: fc.record({
    slot: pick("once", "daily"),
    to: pick("shared", "bucket", "bucket", "archive"),
    of: pick("shared", "shared", "api"),
    variant: pick(0, 1),
    waitFor: sometimes(fc.constant("completed" as const), 2),
  }),

  declare({ slot, to, of, variant, waitFor }, { bySlot, around: { destinationId, sessionId } }) {
    const window =
      slot === "daily"
        ? { startTime: SCHEDULE_START, intervalHours: variant === 0 ? 24 : 48 }
        : { ...WINDOW, ...(variant === 1 && { filter: FILTER }), ...(waitFor && { waitFor }) };
    return {
      references: {
        ...(bySlot.has(to) && { bulkExportDestinationId: { slot: to, output: "id" } }),
        ...(bySlot.has(of) && { sessionId: { slot: of, output: "tracingProjectId" } }),
      },
      inputs: {
        ...(!bySlot.has(to) && { bulkExportDestinationId: destinationId }),
        ...(!bySlot.has(of) && { sessionId }),
        ...window,
      },
    };
  },

  async verify(world, specs) {
    const all = await listExports(world);
    for (const spec of specs) verifyExport(world, spec, all);
  },

  async findLeftovers(world) {
    const own = idsOf(world);
    const all = await listExports(world);
    const isForeign = ({ id, source_bulk_export_id: source }: RemoteExport) =>
      world.others.has(`${EXPORTS}/${id}`) || source != null;
    const left = all.filter((one) => isRunning(one) && !isForeign(one) && !own.has(one.id));
    const twinOf = twinsIn(
      all.filter(({ id }) => own.has(id)),
      world,
    );
    return left.map((one) => ({
      id: one.id,
      kind: one.interval_hours == null ? "BulkExport" : "ScheduledBulkExport",
      // Nothing on it shows which of two runs made it.
      mustBeNamed: twinOf(one) !== undefined && !world.hadFailedLists && !world.hadTwoRuns,
      twin: twinOf(one),
      remove: () => cancel(world.server, one.id),
    }));
  },

  remove: (server, id) => cancel(server, id),
};

const cancel = (server: Observed["server"], id: string) =>
  server.call("PATCH", `${EXPORTS}/${id}`, { status: "Cancelled" });

interface RemoteExport extends PropertyMap {
  id: string;
  status: string;
  source_bulk_export_id?: string | null;
}

const listExports = async ({ server }: Observed) => (await server.call<RemoteExport[]>("GET", EXPORTS)).body;
const isRunning = ({ status }: RemoteExport): boolean => !/completed|failed|cancelled|timedout/i.test(status);

function verifyExport(world: Observed, { slot, variant }: ExportSpec, all: readonly RemoteExport[]): void {
  const { id, inputs } = stateIn(world, slot);
  const remote = all.find((one) => one.id === id);
  if (!remote) throw new Error(`export ${id} of ${slot} does not exist`);
  if (/cancel|fail|timedout/i.test(remote.status)) throw new Error(`export ${id} of ${slot} is ${remote.status}`);
  expectEqual(`the destination of ${slot}`, remote.bulk_export_destination_id, inputs.bulkExportDestinationId);
  expectEqual(`the project of ${slot}`, remote.session_id, inputs.sessionId);
  if (slot === "daily") expectEqual(`the interval of ${slot}`, remote.interval_hours, variant === 0 ? 24 : 48);
  else expectEqual(`the filter of ${slot}`, remote.filter ?? null, variant === 1 ? FILTER : null);
}
