/** Parses a fault from command-line options and describes faults in words. */
import { commonFaultFields, type FaultField, type FaultKind, faultFields } from "../runtime/fault-fields";
import type { ExportRunFault, Fault, Hold, RequestFault, RevisionFault, StoredFault } from "../runtime/faults";
import type { NumberSchema, Schema } from "../runtime/validation/schema";
import { formatDuration, parseDuration } from "./duration";
import { type Options, type Subcommand, usageError } from "./subcommand";

const flag = (flags: string) => flags.split(" ")[0] ?? "";
const camelCase = (option: string) =>
  option.replace("--", "").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The fields of faults that have an option. */
const fields = (Object.keys(faultFields) as FaultKind[]).flatMap((kind) =>
  optionsOf(faultFields[kind]).map((field) => ({ ...field, kind })),
);
const commonFields = optionsOf(commonFaultFields);

function optionsOf(of: Readonly<Record<string, FaultField>>) {
  return Object.entries(of).flatMap(([name, { flags, ...field }]) =>
    flags === undefined ? [] : [{ name, flags, ...field, option: flag(flags), key: camelCase(flag(flags)) }],
  );
}

const JSON_BODY = {
  flags: "--json-body <json>",
  meaning: "the whole fault, as in POST /_emulator/faults, instead of the other options",
};

/** The options of `faults add`: `--deployment` belongs to two kinds of faults. */
export const faultOptions: NonNullable<Subcommand["options"]> = [
  ...new Map([...fields, ...commonFields].map((field) => [field.flags, toOption(field)])).values(),
  JSON_BODY,
];

function toOption({ flags, meaning, schema, isDuration }: FaultField & { flags: string }) {
  const parse = isDuration ? parseDuration : parserOf(schema);
  return { flags, meaning, ...(parse && { parse }) };
}

/** Returns how the text of an option becomes a value of this type; undefined for texts and flags. */
function parserOf(schema: Schema): ((text: string, previous: unknown) => unknown) | undefined {
  if (schema.type === "integer") return (text) => parseInteger(text, schema);
  if (schema.type === "map") return parseHeader;
  if (schema.type === "list") return (text, previous) => [...((previous as string[] | undefined) ?? []), text];
  return schema.type === "any" ? jsonOrText : undefined;
}

/** Builds the fault that the options describe. @throws CommandError */
export function parseFault({ json: _, url: __, ...options }: Options): unknown {
  const { jsonBody, ...rest } = options;
  if (jsonBody !== undefined) {
    if (Object.keys(rest).length > 0) throw usageError("--json-body cannot be combined with other options.");
    return parseJson(String(jsonBody));
  }
  const effect = EFFECTS.find(({ key }) => key in rest);
  if (!effect) {
    const effects = fields.flatMap(({ isEffect, option }) => (isEffect ? [option] : []));
    throw usageError(`The fault would have no effect. Set ${effects.slice(0, -1).join(", ")} or ${effects.at(-1)}.`);
  }
  const { kind } = effect;
  const allowed = [...fields.filter((field) => field.kind === kind), ...commonFields];
  const unexpected = Object.keys(rest).find((key) => !allowed.some((field) => field.key === key));
  if (unexpected !== undefined) {
    const option = fields.find(({ key }) => key === unexpected)?.option;
    throw usageError(`${option} cannot be combined with ${effect.option}. Add two faults instead.`);
  }
  const valuesOf = (of: readonly { name: string; key: string }[]) =>
    Object.fromEntries(of.flatMap(({ name, key }) => (key in rest ? [[name, rest[key]]] : [])));
  const body = withStatuses(valuesOf(fields.filter((field) => field.kind === kind)));
  return { ...(kind === "request" ? body : { [kind]: body }), ...valuesOf(commonFields) };
}

/**
 * The options that alone are a fault. Those of a request come last: `--status 404 --hold DEPLOYING` is a hold with a
 * mistake.
 */
const EFFECTS = fields
  .filter(({ isEffect }) => isEffect)
  .sort((one, other) => Number(one.kind === "request") - Number(other.kind === "request"));

/** Several statuses of a revision, separated by commas, are all that it passes through. */
function withStatuses({ ends, ...body }: Record<string, unknown>): Record<string, unknown> {
  if (ends === undefined) return body;
  const statuses = String(ends)
    .split(",")
    .map((word) => word.trim());
  return { ...body, ...(statuses.length > 1 ? { statuses } : { ends: statuses[0] }) };
}

/** Returns the kind of a fault and a description of its effect. */
export function describeFault(fault: Fault | StoredFault): { kind: string; effect: string } {
  if ("revision" in fault) return { kind: "revision", effect: describeRevision(fault.revision) };
  if ("hold" in fault) return { kind: "hold", effect: describeHold(fault.hold) };
  if ("export_run" in fault) return { kind: "export run", effect: describeExportRun(fault.export_run) };
  return { kind: "request", effect: describeRequest(fault) };
}

function describeRequest({ method = "any method", path = "any path", ...effect }: RequestFault): string {
  const { status, act, connection, delay_ms, headers = {}, body } = effect;
  const parts = [
    delay_ms === undefined ? "" : `delayed by ${formatDuration(delay_ms)}`,
    status === undefined ? "" : `${act ? "executed, then " : ""}status ${status}`,
    connection === undefined ? "" : connections[connection],
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    body === undefined ? "" : `body ${truncate(typeof body === "string" ? body : JSON.stringify(body))}`,
  ];
  return `${method.toUpperCase()} ${path}: ${parts.filter(Boolean).join(", ")}`.replace(/^ANY METHOD/, "any method");
}

const connections = {
  refuse: "connection closed before any byte (refuse)",
  "reset-before": "connection reset before execution (reset-before)",
  "reset-after": "connection reset after execution (reset-after)",
} as const satisfies Record<NonNullable<RequestFault["connection"]>, string>;

function describeRevision({ deployment, ends, statuses = [], logs = [] }: RevisionFault): string {
  const outcome = ends === undefined ? `goes through ${statuses.join(", ")}` : `ends as ${ends}`;
  const logText = logs.length === 0 ? "" : `, logging ${truncate(logs.map(lineOf).join(" / "))}`;
  return `next revision of ${deployment ?? "any deployment"} ${outcome}${logText}`;
}

const lineOf = (line: NonNullable<RevisionFault["logs"]>[number]) => (typeof line === "string" ? line : line.message);

function describeHold({ deployment, status }: Hold): string {
  return `revisions of ${deployment ?? "any deployment"} stay in ${status} until this fault is removed`;
}

function describeExportRun({ export: id, day, error, stalls }: ExportRunFault): string {
  const attempt =
    "next run attempt of " +
    `${id === undefined ? "any export" : `export ${id}`}${day === undefined ? "" : `, day ${day},`}`;
  return stalls ? `${attempt} hangs` : `${attempt} fails: ${truncate(error ?? "")}`;
}

const truncate = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(
      `--json-body is not valid JSON: ${(error as Error).message}. Quote the whole value: '{"status": 503}'.`,
    );
  }
}

function parseInteger(text: string, { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: NumberSchema): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum) return Number(text);
  const range = maximum < Number.MAX_SAFE_INTEGER ? ` from ${minimum} to ${maximum}` : ` of at least ${minimum}`;
  throw usageError(`Expected an integer${range}.`);
}

function parseHeader(line: string, previous: unknown): Record<string, string> {
  const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw usageError('Expected a name and a value, such as "Retry-After: 1".');
  return { ...(previous as Record<string, string> | undefined), [name.trim()]: value };
}
