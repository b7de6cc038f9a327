import { randomUUID } from "node:crypto";
import type { Context } from "../runtime/context";
import { ApiError } from "../runtime/errors";
import type { Store } from "../runtime/storage/store";
import { findOrCreateProject, type Project, type ProjectTarget, projectById } from "./projects";
import type { UncheckedRun } from "./read-run";
import { RunError } from "./run-error";
import { insertRuns } from "./store-runs";

/** Runs of one load with the origin of each, such as "line 7". */
export interface Batch {
  runs: UncheckedRun[];
  origins: string[];
}

/** The result of a load. */
export interface Loaded {
  session_id: string;
  name: string;
  runs: number;
}

/**
 * Loads any number of runs into a project. Each batch is a separate transaction, so that other requests are served in
 * between. A failed load is rolled back; an interrupted one is rolled back at the next start.
 */
export async function loadBatches(
  context: Context,
  target: ProjectTarget,
  batches: AsyncIterable<Batch>,
): Promise<Loaded> {
  const { store } = context;
  const load = randomUUID();
  const project = store.transaction(() => startLoad(context, target, load));
  let runs = 0;
  try {
    for await (const batch of batches) {
      store.transaction(() => storeBatch(store, project, batch, load));
      runs += batch.runs.length;
    }
  } catch (error) {
    store.transaction(() => rollBackLoad(store, load));
    throw error;
  }
  store.run("DELETE FROM loads WHERE load = ?", load);
  return { session_id: project.id, name: project.name, runs };
}

/** Rolls back the loads that were running when the emulator was killed. */
export function rollBackInterruptedLoads(store: Store): void {
  for (const { load } of store.all("SELECT DISTINCT load FROM loads")) rollBackLoad(store, String(load));
}

function startLoad(context: Context, target: ProjectTarget, load: string): Project {
  const { project, isNew: made } = findOrCreateProject(context, target);
  recordLoad(context.store, load, { made: made ? project.id : null });
  return project;
}

/** Records what a rollback has to delete: the project that the load created and the runs that it stored. */
function recordLoad(
  store: Store,
  load: string,
  changes: { made?: string | null; first?: number; last?: number },
): void {
  const { made = null, first = 1, last = 0 } = changes;
  store.upsert("loads", { load, made, first, last });
}

function storeBatch(store: Store, { id, tenant_id, name }: Project, { runs, origins }: Batch, load: string): void {
  if (!projectById(store, tenant_id, id))
    throw new ApiError(409, `The project ${name} was deleted while runs were being loaded into it`);
  const previousSeq = lastRunSeq(store);
  try {
    insertRuns(store, tenant_id, id, runs);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    throw new ApiError(422, `${origins[error.index]}: ${error.message}`);
  }
  recordLoad(store, load, { first: previousSeq + 1, last: lastRunSeq(store) });
}

function lastRunSeq(store: Store): number {
  return Number(store.get("SELECT max(seq) AS seq FROM runs")?.seq ?? 0);
}

function rollBackLoad(store: Store, load: string): void {
  const records = store.all("SELECT * FROM loads WHERE load = ?", load);
  for (const { first = 1, last = 0 } of records) {
    store.run("DELETE FROM feedback WHERE run BETWEEN ? AND ?", first, last);
    store.run("DELETE FROM runs WHERE seq BETWEEN ? AND ?", first, last);
  }
  const deleteUnusedProject =
    "DELETE FROM projects WHERE id = ? AND NOT EXISTS (SELECT 1 FROM runs WHERE session_id = projects.id)";
  for (const { made = null } of records) if (made !== null) store.run(deleteUnusedProject, made);
  store.run("DELETE FROM loads WHERE load = ?", load);
}
