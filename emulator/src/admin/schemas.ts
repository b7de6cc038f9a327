import type { Context as HonoContext } from "hono";
import * as schemas from "../control-plane/model/schemas";
import { ApiError } from "../runtime/errors";
import { limits } from "../runtime/limits";
import { parseJson } from "../runtime/validation/json";
import * as v from "../runtime/validation/schema";
import { Checker } from "../runtime/validation/validator";
import { neutralVocabulary, Words } from "../runtime/validation/vocabulary";

const texts = v.list(v.string());
const pathPattern = v.string({ maxLength: limits.pathPattern.maxLength });

/** POST /_emulator/clock */
export const clockBody = v.object("ClockChange", { advance_ms: v.integer({ minimum: 0 }), frozen: v.boolean() });

export type ClockChange = v.Infer<typeof clockBody>;

/** POST /_emulator/faults */
export const faultBody = v.object("Fault", {
  times: v.integer({ minimum: 1 }),
  skip: v.integer({ minimum: 0 }),
  method: v.string(),
  path: pathPattern,
  status: v.integer({ minimum: 200, maximum: 599 }),
  body: v.any(),
  headers: v.map(v.string()),
  act: v.boolean(),
  delay_ms: v.integer({ minimum: 0 }),
  connection: v.oneOf(["refuse", "reset-before", "reset-after"]),
  revision: v.object("RevisionFault", {
    deployment: v.string(),
    ends: v.string(),
    statuses: texts,
    logs: v.list(v.any()),
  }),
  hold: v.object("Hold", { deployment: v.string(), status: v.required(v.string()) }),
  export_run: v.object("ExportRunFault", {
    export: v.uuid(),
    day: v.string({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" }),
    error: v.string(),
    stalls: v.boolean(),
  }),
});

/** What comes after an entry that is known already, and how much of it at most: the newest. */
const tail = { after: v.integer({ minimum: 0 }), limit: v.integer({ minimum: 1 }) };

/** GET /_emulator/journal */
export const journalQuery = v.object("JournalQuery", {
  method: v.string(),
  path: pathPattern,
  status: v.string({ pattern: "^([1-5](\\d\\d|xx)|none)$" }),
  ...tail,
});

/** GET /_emulator/logs */
export const logsQuery = v.object("LogsQuery", {
  deployment: v.required(v.string()),
  type: v.oneOf(["build", "deploy"]),
  ...tail,
});
export type LogsQuery = v.Infer<typeof logsQuery>;

/** POST /_emulator/pushes */
export const pushBody = v.object("Push", {
  repo_url: v.required(v.string({ minLength: 1 })),
  ref: v.string({ minLength: 1 }),
  commit_sha: v.string({ pattern: "^[0-9a-f]{40}$" }),
});

const { fields } = schemas.deployment;

/** PATCH /_emulator/deployments/{id}: any change from outside, past all rules. */
export const outsideChange = v.object("OutsideChange", {
  status: v.string(),
  source_config: schemas.sourceConfig,
  source_revision_config: schemas.sourceRevisionConfig,
  secrets: v.list(schemas.secret),
  secret_references: fields.secret_references,
  image_version: v.nullable(v.string()),
  is_managed_deep_agent: v.boolean(),
  remote_reconciled: v.boolean(),
  tag_value_ids: texts,
  /** Of the latest revision. */
  revision_status: v.string(),
});
export type OutsideChange = v.Infer<typeof outsideChange>;

/** The checked body of an admin call; 422 for anything it does not know. Admin calls speak neutral words. */
export async function readAdminBody<T>(http: HonoContext, schema: v.Schema): Promise<T> {
  const text = await http.req.text();
  let body: unknown;
  try {
    body = text === "" ? {} : parseJson(text, limits.body.maxLevels);
  } catch {
    throw new ApiError(422, "The body is no JSON, or nested too deeply");
  }
  return checkAdminBody<T>(schema, body);
}

/** The same for the query; of a parameter that is given several times the last one counts. */
export function readAdminQuery<T>(http: HonoContext, schema: v.Schema): T {
  const query = Object.entries(http.req.queries()).map(([name, values]) => [name, values.at(-1)]);
  return checkAdmin<T>(schema, Object.fromEntries(query), "query");
}

/** The same for a value that is there already. */
export function checkAdminBody<T>(schema: v.Schema, body: unknown): T {
  return checkAdmin<T>(schema, body, "body");
}

function checkAdmin<T>(schema: v.Schema, value: unknown, part: "body" | "query"): T {
  const options = { words: new Words(neutralVocabulary), refuseUnknown: true, ceilings: false, refuseReadOnly: false };
  const checker = new Checker(options, { [part]: value });
  const checked = checker.check(schema, value, [part]);
  if (checker.problems.length > 0) throw new ApiError(422, checker.problems);
  return checked as T;
}
