import { limits } from "../../runtime/limits";
import { compressions, type Settings } from "../../runtime/options";
import * as v from "../../runtime/validation/schema";
import { columns, newerColumns } from "../../tracing/columns";

const { minIntervalHours, maxIntervalHours } = limits.exports;
const interval = v.nullable(v.integer({ minimum: minIntervalHours, maximum: maxIntervalHours }));
const fieldNames = columns.map(({ name }) => name);
const newerFieldNames = [...columns, ...newerColumns].map(({ name }) => name);

/** API `2C.Export job`. */
const interfaceBody = {
  bulk_export_destination_id: v.required(v.uuid()),
  session_id: v.nullable(v.uuid()),
  all_experiments: v.withDefault(v.nullable(v.boolean()), false),
  start_time: v.required(v.datetime()),
  end_time: v.nullable(v.datetime()),
  interval_hours: interval,
  filter: v.nullable(v.string()),
  export_fields: v.nullable(v.list(v.enumOf(fieldNames))),
  format_version: v.withDefault(v.enumOf(["v1", "v2_beta"]), "v2_beta"),
} as const;

const fullBody = v.object("ExportCreate", {
  ...interfaceBody,
  format: v.withDefault(v.enumOf(["Parquet"]), "Parquet"),
  compression: v.nullable(v.enumOf(compressions)),
});
export type ExportCreate = v.Infer<typeof fullBody>;

const newerBody = v.object("ExportCreate", {
  ...fullBody.fields,
  export_fields: v.nullable(v.list(v.enumOf(newerFieldNames))),
});

export function exportCreateBody({ interfaceOnly, platform }: Pick<Settings, "interfaceOnly" | "platform">) {
  if (platform === "today") return newerBody;
  return interfaceOnly ? v.object("ExportCreate", interfaceBody) : fullBody;
}

/** PATCH: cancelling is the only update. */
export const exportPatchBody = v.object("ExportUpdate", { status: v.required(v.enumOf(["Cancelled"])) });

/** Without a limit, the list has one page (API `4C.GET /api/v1/bulk-exports:pages`). */
export const exportsQuery = {
  limit: v.integer({ minimum: 1, maximum: limits.exports.maxLimit }),
  offset: v.withDefault(v.integer({ minimum: 0 }), 0),
} as const;

export const spawnedRunsQuery = { source_bulk_export_id: v.required(v.uuid()) } as const;

/** The fields of an export in the interface. */
export const interfaceExport = v.object("Export", {
  id: v.required(v.uuid()),
  status: v.required(v.string()),
  source_bulk_export_id: v.uuid(),
});

export const fullExport = v.object("Export", {
  id: v.required(v.uuid()),
  tenant_id: v.required(v.uuid()),
  bulk_export_destination_id: v.required(v.uuid()),
  session_id: v.nullable(v.uuid()),
  all_experiments: v.required(v.boolean()),
  start_time: v.required(v.datetime()),
  end_time: v.nullable(v.datetime()),
  interval_hours: interval,
  filter: v.nullable(v.string()),
  export_fields: v.nullable(v.list(v.string())),
  format: v.required(v.string()),
  format_version: v.required(v.string()),
  compression: v.required(v.enumOf(compressions)),
  status: v.required(v.string()),
  source_bulk_export_id: v.nullable(v.uuid()),
  created_at: v.required(v.datetime()),
  updated_at: v.required(v.datetime()),
  finished_at: v.nullable(v.datetime()),
});

const runResult = v.object("ExportRunResult", {
  rows_written: v.required(v.integer()),
  exported_files: v.required(v.list(v.string())),
  export_path: v.required(v.string()),
  latest_cursor: v.nullable(v.string()),
});

/** One day of one project: API `2C.Export run`. */
export const exportRun = v.object("ExportRun", {
  id: v.required(v.uuid()),
  bulk_export_id: v.required(v.uuid()),
  session_id: v.nullable(v.uuid()),
  status: v.required(v.string()),
  retry_number: v.required(v.integer()),
  errors: v.nullable(v.anyObject()),
  metadata: v.required(
    v.object("ExportRunMetadata", {
      prefix: v.required(v.string()),
      start_time: v.required(v.datetime()),
      end_time: v.required(v.datetime()),
      result: v.nullable(runResult),
    }),
  ),
  start_time: v.required(v.datetime()),
  end_time: v.required(v.datetime()),
  created_at: v.required(v.datetime()),
  updated_at: v.required(v.datetime()),
  finished_at: v.nullable(v.datetime()),
});

export const exportList = v.list(fullExport);
export const exportRunList = v.list(exportRun);
