import type { Settings } from "../../runtime/options";

/** Of exports and their runs: interface.md section 3; a schedule at rest has a word of its own (interface-notes.md section 3). */
const words = {
  CREATED: "Created",
  INTERVAL_SCHEDULED: "IntervalScheduled",
  RUNNING: "Running",
  COMPLETED: "Completed",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
  TIMEDOUT: "TimedOut",
} as const;

export type ExportStatus = keyof typeof words;
export const exportStatuses = Object.keys(words) as ExportStatus[];

/** As live services spell it; upper case where the interface's own words are asked for. */
export function showStatus({ strict, interfaceOnly }: Settings, status: ExportStatus): string {
  if (interfaceOnly && status === "INTERVAL_SCHEDULED") return "CREATED";
  // From outside a status may be any word.
  const word = words[status] ?? status;
  return strict || interfaceOnly ? word.toUpperCase() : word;
}

/** Whether nothing comes after it. */
export function isFinal(status: ExportStatus): boolean {
  return !["CREATED", "INTERVAL_SCHEDULED", "RUNNING"].includes(status);
}
