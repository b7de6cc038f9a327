import type { ApiRequest } from "../../http/route";
import { formatVersion, isOlder, parseVersion } from "../../runtime/app-version";
import type { Context } from "../../runtime/context";
import { ApiError } from "../../runtime/errors";
import { compileFilter, FilterError } from "../../tracing/filter/index";
import { projectById } from "../../tracing/projects";
import { requireDestinationById } from "../destinations/destinations";
import { isStorableTime, parseTime } from "../timestamps";
import type { ExportCreate } from "./schemas";

/**
 * Checks the rules between the fields of a new export (API `2C.Export job`). @throws ApiError 422 with
 * all errors.
 */
export function checkFields(request: ApiRequest, body: ExportCreate): void {
  const { start_time, end_time, interval_hours, export_fields } = body;
  for (const [name, time] of Object.entries({ start_time, end_time })) {
    if (time != null && !isStorableTime(time))
      request.addIssue([name], `${name} must be between the years 1970 and 2255`);
  }
  request.throwIfIssues();
  if ((body.session_id != null) === (body.all_experiments === true)) {
    request.addIssue([], "exactly one of session_id and all_experiments must be set");
  }
  if (interval_hours != null && end_time != null) {
    request.addIssue(["end_time"], "end_time must be omitted for a scheduled export");
  }
  if (interval_hours == null && end_time == null) {
    request.addIssue(["end_time"], "end_time is required for an export without interval_hours");
  }
  if (end_time != null && parseTime(end_time) <= parseTime(start_time)) {
    request.addIssue(["end_time"], "end_time must be after start_time");
  }
  if (export_fields?.length === 0) request.addIssue(["export_fields"], "export_fields must name one field at least");
  request.throwIfIssues();
}

/** API `9`: features by the version of the self-hosted application that added them. */
const featureVersions = [
  {
    version: "0.10.109",
    feature: "interval_hours (scheduled exports)",
    getValue: (body: ExportCreate) => body.interval_hours,
  },
  { version: "0.12.42", feature: "export_fields", getValue: (body: ExportCreate) => body.export_fields },
  { version: "0.16.1rc1", feature: "all_experiments", getValue: (body: ExportCreate) => body.all_experiments },
];

/** Returns the first feature of an export that is newer than the installation. */
export function findUnsupported({ settings: { appVersion } }: Pick<Context, "settings">, body: ExportCreate) {
  return featureVersions.find(({ version, getValue }) => {
    const since = parseVersion(version);
    return appVersion && since && getValue(body) && isOlder(appVersion, since);
  });
}

/** Rejects features newer than the installation. @throws ApiError 400 */
export function assertSupportedByVersion(context: Context, body: ExportCreate): void {
  const { appVersion } = context.settings;
  const unsupported = findUnsupported(context, body);
  if (!appVersion || !unsupported) return;
  const { version, feature } = unsupported;
  const installed = `this installation is ${formatVersion(appVersion)}`;
  throw new ApiError(400, `${feature} needs application version ${version} or later: ${installed}`);
}

/** Checks that the destination and the project exist in the workspace. @throws ApiError 404 */
export function requireReferences(context: Context, tenantId: string, body: ExportCreate): void {
  requireDestinationById(context, tenantId, body.bulk_export_destination_id);
  if (body.session_id == null || projectById(context.store, tenantId, body.session_id)) return;
  throw new ApiError(404, `Session ${body.session_id} not found`);
}

/** Checks a filter. @throws ApiError 400 with the position of the error, in characters from 0. */
export function checkFilter(filter: string | null | undefined): void {
  if (filter == null) return;
  try {
    compileFilter(filter);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw new ApiError(400, `Invalid filter at position ${error.position}: ${error.reason}`);
  }
}
