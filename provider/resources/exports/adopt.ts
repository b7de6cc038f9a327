/** Converts a remote export or schedule to inputs as a user would write them, without server defaults. */
import type { AdoptFacts, Remote } from "../../definition/adopt";
import type { PropertyMap } from "../../schema/schema";
import { formatTimestamp, parseServerTimestamp } from "../../schema/timestamp";
import { findExport } from "./requests";

export const isSchedule = ({ intervalHours }: Remote): boolean => intervalHours != null;

export const ADOPT_DEFAULTS: Pick<AdoptFacts, "listedBy" | "isNamed" | "title" | "fetch" | "toInputs"> = {
  listedBy: "getBulkExports",
  isNamed: false,
  title,
  fetch: (id, _container, ctx) => findExport(id, ctx),
  toInputs,
};

/** Returns a title, because exports have no names. */
function title({ sessionId, intervalHours, startTime }: Remote, projects: ReadonlyMap<string, string>): string {
  const project = projects.get(String(sessionId)) ?? `project-${String(sessionId).slice(0, 8)}`;
  const subject = sessionId == null ? "experiments" : project;
  return intervalHours == null ? `${subject}-${String(startTime).slice(0, 10)}` : `${subject}-every-${intervalHours}h`;
}

/** Defaults of the server (API `2C.Export job`); other values were chosen by a user. */
const SERVER_DEFAULTS = { format: "Parquet", formatVersion: "v2_beta", compression: "zstandard" } as const;

function toInputs(remote: PropertyMap): PropertyMap {
  const { startTime, endTime } = remote;
  const defaulted = Object.entries(SERVER_DEFAULTS).filter(([field, value]) => remote[field] === value);
  // A read adds these two where they differ from their defaults.
  const omitted = new Set(["allExperiments", "exportFields", ...defaulted.map(([field]) => field)]);
  const declared = Object.entries(remote).filter(([key]) => !omitted.has(key));
  return {
    ...Object.fromEntries(declared),
    startTime: toUtc(startTime),
    ...(endTime != null && { endTime: toUtc(endTime) }),
  };
}

/** Formats a timestamp as users write it: `+00:00` becomes `Z`. */
function toUtc(timestamp: unknown): unknown {
  const instant = parseServerTimestamp(timestamp);
  return instant === undefined ? timestamp : formatTimestamp(instant);
}
