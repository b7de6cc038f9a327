import * as schemas from "../control-plane/model/schemas";
import { commonFaultFields, faultFields, schemasOf } from "../runtime/fault-fields";
import { limits } from "../runtime/limits";
import * as v from "../runtime/validation/schema";

const stringList = v.list(v.string());
/** Counts and IDs. */
const count = v.integer({ minimum: 0, maximum: limits.admin.maxInteger });
const positiveCount = v.integer({ minimum: 1, maximum: limits.admin.maxInteger });
const pathPattern = v.string({ maxLength: limits.pathPattern.maxLength });

/** POST /_emulator/clock */
export const clockBody = v.object("ClockChange", {
  advance_ms: v.integer({ minimum: 0, maximum: limits.clock.maxAdvanceMs }),
  frozen: v.boolean(),
});

export type ClockChange = v.Infer<typeof clockBody>;

/** POST /_emulator/faults */
export const faultBody = v.object("Fault", {
  ...schemasOf(commonFaultFields),
  ...schemasOf(faultFields.request),
  revision: v.object("RevisionFault", schemasOf(faultFields.revision)),
  hold: v.object("Hold", schemasOf(faultFields.hold)),
  export_run: v.object("ExportRunFault", schemasOf(faultFields.export_run)),
});

/** Selects the newest entries (`limit`) after a known one. */
const newestEntries = { after: count, limit: positiveCount };

/** `GET /_emulator/request-log` */
export const requestLogQuery = {
  method: v.string(),
  path: pathPattern,
  status: v.string({ pattern: "^([1-5](\\d\\d|xx)|none)$" }),
  resource: v.string(),
  before: count,
  ...newestEntries,
};

/** `GET /_emulator/request-log/{id}` */
export const requestLogEntryQuery = { secrets: v.enumOf(["redacted", "shown"]) };
export type RequestLogEntryQuery = v.InferFields<typeof requestLogEntryQuery>;

/** GET /_emulator/logs */
export const logsQuery = { deployment: v.required(v.string()), type: v.enumOf(["build", "deploy"]), ...newestEntries };
export type LogsQuery = v.InferFields<typeof logsQuery>;

/** POST /_emulator/pushes */
export const pushBody = v.object("Push", {
  repo_url: v.required(v.string({ minLength: 1 })),
  ref: v.string({ minLength: 1 }),
  commit_sha: v.string({ pattern: "^[0-9a-f]{40}$" }),
});

const { fields } = schemas.deployment;

/** PATCH /_emulator/deployments/{id}: an out-of-band update, which no rule checks. */
export const outOfBandUpdate = v.object("OutsideChange", {
  status: v.string(),
  source_config: schemas.sourceConfig,
  source_revision_config: schemas.sourceRevisionConfig,
  secrets: v.list(schemas.secret),
  secret_references: fields.secret_references,
  image_version: v.nullable(v.string()),
  is_managed_deep_agent: v.boolean(),
  remote_reconciled: v.boolean(),
  tag_value_ids: stringList,
  /** Of the latest revision. */
  revision_status: v.string(),
});
export type OutOfBandUpdate = v.Infer<typeof outOfBandUpdate>;
