/**
 * The fields of faults, in one table. From it derive the types (`Fault`), the validation of `POST /_emulator/faults`,
 * the options of `agentgraph-emulator faults add` and the inputs of the page's form.
 */
import { limits } from "./limits";
import * as v from "./validation/schema";

export interface FaultField {
  /** Type, limits and whether it is required. */
  schema: v.Schema;
  /** Option of the command line, in Commander's syntax; none if another option sets the field. */
  flags?: string;
  /** The help of that option. */
  meaning: string;
  /** Label in the form of the page. */
  title: string;
  /** Whether the field alone is a fault; the others narrow down or complete one. */
  isEffect?: true;
  /** Whether the command line accepts a duration, such as 500ms, for these milliseconds. */
  isDuration?: true;
}

const count = v.integer({ minimum: 0, maximum: limits.admin.maxInteger });
const deployment = {
  schema: v.string(),
  flags: "--deployment <name>",
  meaning: "with --revision or --hold: only this deployment (default: any)",
  title: "Deployment name",
} as const;
const WITH_EXPORT = "with --export-error or --export-stalls: only";

/**
 * Fields by what they apply to. Those of a request are at the top level of a fault, the others below the name of their
 * kind.
 */
export const faultFields = {
  request: {
    method: {
      schema: v.string(),
      flags: "--method <method>",
      meaning: "requests with this method (default: any)",
      title: "Method",
    },
    path: {
      schema: v.string({ maxLength: limits.pathPattern.maxLength }),
      flags: "--path <pattern>",
      meaning: "requests to these paths; * matches any text without a slash, ** any text (default: any)",
      title: "Path",
    },
    status: {
      schema: v.integer({ minimum: 200, maximum: 599 }),
      flags: "--status <number>",
      meaning: "respond with this status instead of executing the request",
      title: "Status",
      isEffect: true,
    },
    body: {
      schema: v.any(),
      flags: "--body <text>",
      meaning: "with --status: the response body, as JSON or text",
      title: "Body",
    },
    headers: {
      schema: v.map(v.string()),
      flags: "--header <line>",
      meaning: 'with --status: a response header such as "Retry-After: 1"; can be repeated',
      title: "Header",
    },
    act: {
      schema: v.boolean(),
      flags: "--act",
      meaning: "with --status: execute the request, then respond with the status",
      title: "Execute",
    },
    delay_ms: {
      schema: count,
      flags: "--delay <duration>",
      meaning: "wait (in real time) before executing the request: 500ms, 2s",
      title: "Milliseconds",
      isEffect: true,
      isDuration: true,
    },
    connection: {
      schema: v.enumOf(["refuse", "reset-before", "reset-after"]),
      flags: "--connection <word>",
      meaning: "refuse, reset-before or reset-after (executed, but no response)",
      title: "Connection",
      isEffect: true,
    },
  },
  revision: {
    deployment,
    ends: {
      schema: v.string(),
      flags: "--revision <status>",
      meaning: "final status of the next revision; or all its statuses, separated by commas",
      title: "Status",
      isEffect: true,
    },
    statuses: {
      schema: v.list(v.string()),
      meaning: "instead of ends: every status after CREATING, in order; any value is allowed",
      title: "Statuses",
    },
    logs: {
      schema: v.list(v.any()),
      flags: "--log <line>",
      meaning: "with --revision: a line of its log; can be repeated",
      title: "Reason in the log",
    },
  },
  hold: {
    deployment,
    status: {
      schema: v.required(v.string()),
      flags: "--hold <status>",
      meaning: "revisions stay in this status until the fault is removed",
      title: "Status",
      isEffect: true,
    },
  },
  export_run: {
    export: {
      schema: v.uuid(),
      flags: "--export <id>",
      meaning: `${WITH_EXPORT} this export (default: any)`,
      title: "Export ID",
    },
    day: {
      schema: v.string({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" }),
      flags: "--day <date>",
      meaning: `${WITH_EXPORT} the run of this day, such as 2026-01-31 (default: any)`,
      title: "Day",
    },
    error: {
      schema: v.string(),
      flags: "--export-error <text>",
      meaning: "the next attempt of an export run fails with this error",
      title: "Error",
      isEffect: true,
    },
    stalls: {
      schema: v.boolean(),
      flags: "--export-stalls",
      meaning: "the next attempt of an export run hangs until it times out",
      title: "Hangs",
      isEffect: true,
    },
  },
} as const satisfies Record<string, Record<string, FaultField>>;

/** Fields that faults of all kinds have. */
export const commonFaultFields = {
  times: {
    schema: v.integer({ minimum: 1, maximum: limits.admin.maxInteger }),
    flags: "--times <number>",
    meaning: "how often the fault applies (default: 1); a hold lasts until it is removed",
    title: "How many times",
  },
  skip: {
    schema: count,
    flags: "--skip <number>",
    meaning: "how many matches to skip first (default: 0)",
    title: "Matches to skip",
  },
} as const satisfies Record<string, FaultField>;

export type FaultKind = keyof typeof faultFields;
type Schemas<F> = { [K in keyof F]: F[K] extends { schema: infer S } ? S : never };
/** The type of a fault's part with these fields. */
export type FaultPart<F> = v.InferFields<Schemas<F>>;

export const schemasOf = <F extends Readonly<Record<string, FaultField>>>(fields: F): Schemas<F> =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as Schemas<F>;
