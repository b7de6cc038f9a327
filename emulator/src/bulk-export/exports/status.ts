import type { Settings } from "../../runtime/options";

/**
 * Statuses of exports and their runs: API `3.Export status`; INTERVAL_SCHEDULED is from API `3.Export status:casing`.
 */
const displayNames = {
  CREATED: "Created",
  INTERVAL_SCHEDULED: "IntervalScheduled",
  RUNNING: "Running",
  COMPLETED: "Completed",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
  TIMEDOUT: "TimedOut",
} as const;

export type ExportStatus = keyof typeof displayNames;
export const exportStatuses = Object.keys(displayNames) as ExportStatus[];

/** Returns a status as real servers write it, or in upper case as the interface shows it. */
export function formatStatus({ strict, interfaceOnly }: Settings, status: ExportStatus): string {
  if (interfaceOnly && status === "INTERVAL_SCHEDULED") return "CREATED";
  // An out-of-band update may set any status.
  const displayName = displayNames[status] ?? status;
  return strict || interfaceOnly ? displayName.toUpperCase() : displayName;
}

/** Returns whether a status is final. */
export function isFinal(status: ExportStatus): boolean {
  return !["CREATED", "INTERVAL_SCHEDULED", "RUNNING"].includes(status);
}
