import type { Context as HonoContext } from "hono";
import * as schemas from "./control-plane/schemas";
import { ApiError } from "./errors";
import { limits } from "./limits";
import { Checker } from "./validation/check";
import { parseJson } from "./validation/json";
import {
  any,
  boolean,
  type Infer,
  integer,
  list,
  map,
  nullable,
  object,
  oneOf,
  required,
  type Schema,
  string,
  uuid,
} from "./validation/schema";
import { neutralVocabulary, Words } from "./validation/vocabulary";

const texts = list(string());

/** POST /_emulator/clock */
export const clockBody = object("ClockChange", { advance_ms: integer({ minimum: 0 }), frozen: boolean() });

export type ClockChange = Infer<typeof clockBody>;

/** POST /_emulator/faults */
export const faultBody = object("Fault", {
  times: integer({ minimum: 1 }),
  skip: integer({ minimum: 0 }),
  method: string(),
  path: string(),
  status: integer({ minimum: 200, maximum: 599 }),
  body: any(),
  headers: map(string()),
  act: boolean(),
  delay_ms: integer({ minimum: 0 }),
  connection: oneOf(["refuse", "reset-before", "reset-after"]),
  revision: object("RevisionFault", { deployment: string(), ends: string(), statuses: texts, logs: list(any()) }),
  hold: object("Hold", { deployment: string(), status: required(string()) }),
  export_run: object("ExportRunFault", { export: uuid(), day: string(), error: string(), stalls: boolean() }),
});

/** POST /_emulator/pushes */
export const pushBody = object("Push", {
  repo_url: required(string({ minLength: 1 })),
  ref: string({ minLength: 1 }),
  commit_sha: string({ pattern: "^[0-9a-f]{40}$" }),
});

const { fields } = schemas.deployment;

/** PATCH /_emulator/deployments/{id}: any change from outside, past all rules. */
export const outsideChange = object("OutsideChange", {
  status: string(),
  source_config: schemas.sourceConfig,
  source_revision_config: schemas.sourceRevisionConfig,
  secrets: list(schemas.secret),
  secret_references: fields.secret_references,
  image_version: nullable(string()),
  is_managed_deep_agent: boolean(),
  remote_reconciled: boolean(),
  tag_value_ids: texts,
  /** Of the latest revision. */
  revision_status: string(),
});
export type OutsideChange = Infer<typeof outsideChange>;

/** The checked body of an admin call; 422 for anything it does not know. Admin calls speak neutral words. */
export async function readAdminBody<T>(http: HonoContext, schema: Schema): Promise<T> {
  const text = await http.req.text();
  let body: unknown;
  try {
    body = text === "" ? {} : parseJson(text, limits.body.maxLevels);
  } catch {
    throw new ApiError(422, "The body is no JSON, or nested too deeply");
  }
  return checkAdminBody<T>(schema, body);
}

/** The same for a value that is there already. */
export function checkAdminBody<T>(schema: Schema, body: unknown): T {
  const options = { words: new Words(neutralVocabulary), refuseUnknown: true, ceilings: false, refuseReadOnly: false };
  const checker = new Checker(options, { body });
  const value = checker.check(schema, body, ["body"]);
  if (checker.problems.length > 0) throw new ApiError(422, checker.problems);
  return value as T;
}
