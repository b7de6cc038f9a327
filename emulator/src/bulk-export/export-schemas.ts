import { limits } from "../limits";
import { compressions } from "../options";
import { columns } from "../tracing/columns";
import {
  boolean,
  byDefault,
  datetime,
  free,
  type Infer,
  integer,
  list,
  nullable,
  object,
  oneOf,
  required,
  string,
  uuid,
} from "../validation/schema";

const { minIntervalHours, maxIntervalHours } = limits.exports;
const interval = nullable(integer({ minimum: minIntervalHours, maximum: maxIntervalHours }));
const fieldNames = columns.map(({ name }) => name);

/** interface.md section 2 C, "Export job". */
const interfaceBody = {
  bulk_export_destination_id: required(uuid()),
  session_id: nullable(uuid()),
  all_experiments: byDefault(nullable(boolean()), false),
  start_time: required(datetime()),
  end_time: nullable(datetime()),
  interval_hours: interval,
  filter: nullable(string()),
  export_fields: nullable(list(oneOf(fieldNames))),
  format_version: byDefault(oneOf(["v1", "v2_beta"]), "v2_beta"),
} as const;

const wholeBody = object("ExportCreate", {
  ...interfaceBody,
  format: byDefault(oneOf(["Parquet"]), "Parquet"),
  compression: nullable(oneOf(compressions)),
});
export type ExportCreate = Infer<typeof wholeBody>;

export function exportCreateBody(interfaceOnly: boolean) {
  return interfaceOnly ? object("ExportCreate", interfaceBody) : wholeBody;
}

/** PATCH: cancelling is the only change possible. */
export const exportPatchBody = object("ExportUpdate", { status: required(oneOf(["Cancelled"])) });

export const spawnedRunsQuery = { source_bulk_export_id: required(uuid()) } as const;

/** What the interface shows of an export. */
export const smallExport = object("Export", {
  id: required(uuid()),
  status: required(string()),
  source_bulk_export_id: uuid(),
});

export const wholeExport = object("Export", {
  id: required(uuid()),
  tenant_id: required(uuid()),
  bulk_export_destination_id: required(uuid()),
  session_id: nullable(uuid()),
  all_experiments: required(boolean()),
  start_time: required(datetime()),
  end_time: nullable(datetime()),
  interval_hours: interval,
  filter: nullable(string()),
  export_fields: nullable(list(string())),
  format: required(string()),
  format_version: required(string()),
  compression: required(oneOf(compressions)),
  status: required(string()),
  source_bulk_export_id: nullable(uuid()),
  created_at: required(datetime()),
  updated_at: required(datetime()),
  finished_at: nullable(datetime()),
});

const runResult = object("ExportRunResult", {
  rows_written: required(integer()),
  exported_files: required(list(string())),
  export_path: required(string()),
  latest_cursor: nullable(string()),
});

/** One day of one project: interface-notes.md section 3. */
export const exportRun = object("ExportRun", {
  id: required(uuid()),
  bulk_export_id: required(uuid()),
  session_id: nullable(uuid()),
  status: required(string()),
  retry_number: required(integer()),
  errors: nullable(free()),
  metadata: required(
    object("ExportRunMetadata", {
      prefix: required(string()),
      start_time: required(datetime()),
      end_time: required(datetime()),
      result: nullable(runResult),
    }),
  ),
  start_time: required(datetime()),
  end_time: required(datetime()),
  created_at: required(datetime()),
  updated_at: required(datetime()),
  finished_at: nullable(datetime()),
});

export const exportList = list(wholeExport);
export const exportRunList = list(exportRun);
