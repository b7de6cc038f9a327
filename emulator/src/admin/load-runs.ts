import type { IncomingMessage } from "node:http";
import { validateAdminInput } from "../http/admin-gateway";
import { defaultTenantId } from "../http/auth";
import type { Context } from "../runtime/context";
import * as v from "../runtime/validation/schema";
import { type Batch, type Loaded, loadBatches } from "../tracing/load-batches";
import { MAX_BATCH_RUNS, readBatches } from "../tracing/ndjson";
import type { RunInput } from "../tracing/read-run";

export const runsTarget = v.object("RunsTarget", {
  tenant_id: v.withDefault(v.uuid(), defaultTenantId),
  /** A name, or the ID of an existing project. A new name creates a project. */
  project: v.required(v.string({ minLength: 1 })),
  /** Makes the project an experiment. */
  reference_dataset_id: v.uuid(),
});

/** The project that receives runs. */
export type RunsTarget = v.Input<typeof runsTarget>;

/** Loads runs from memory: all of them or none. @throws ApiError that names the invalid run. */
export function loadRuns(context: Context, target: RunsTarget, runs: Iterable<RunInput>): Promise<Loaded> {
  return load(context, target, toBatches(runs));
}

/** POST /_emulator/runs: loads newline-delimited JSON of any length. */
export function loadRunsFromBody(context: Context, target: RunsTarget, incoming: IncomingMessage): Promise<Loaded> {
  return load(context, target, readBatches(incoming.iterator({ destroyOnReturn: false })));
}

function load(context: Context, target: RunsTarget, batches: AsyncIterable<Batch>): Promise<Loaded> {
  const { tenant_id, project, reference_dataset_id } = validateAdminInput<v.Infer<typeof runsTarget>>(
    runsTarget,
    target,
  );
  return loadBatches(context, { tenantId: tenant_id, project, referenceDatasetId: reference_dataset_id }, batches);
}

async function* toBatches(runs: Iterable<RunInput>): AsyncGenerator<Batch> {
  let batch: Batch = { runs: [], origins: [] };
  let count = 0;
  for (const run of runs) {
    batch.runs.push(run);
    batch.origins.push(`runs[${count++}]`);
    if (batch.runs.length < MAX_BATCH_RUNS) continue;
    yield batch;
    batch = { runs: [], origins: [] };
  }
  if (batch.runs.length > 0) yield batch;
}
