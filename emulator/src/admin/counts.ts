import type { Store } from "../runtime/storage/store";

/** What an emulator stores, and the tables to count. */
const tables = {
  deployments: "deployments",
  revisions: "revisions",
  assistants: "assistants",
  crons: "crons",
  threads: "threads",
  projects: "projects",
  trace_runs: "runs",
  destinations: "destinations",
  exports: "exports",
  objects: "bucket_objects",
  faults: "faults",
  requests: "request_log",
} as const;

/** Number of objects by kind, in all workspaces. */
export type ObjectCounts = Record<keyof typeof tables, number>;

export function countObjects(store: Store): ObjectCounts {
  const counts = Object.entries(tables).map(([kind, table]) => [
    kind,
    Number(store.get(`SELECT count(*) AS count FROM ${table}`)?.count),
  ]);
  return Object.fromEntries(counts);
}
