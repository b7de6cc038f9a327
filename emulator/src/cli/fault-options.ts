/** Parses a fault from command-line options and describes faults in words. */
import type { ExportRunFault, Fault, Hold, RequestFault, RevisionFault, StoredFault } from "../runtime/faults";
import { formatDuration, parseDuration } from "./duration";
import { type Options, type Subcommand, usageError } from "./subcommand";

const collect = (text: string, previous: unknown) => [...((previous as string[] | undefined) ?? []), text];

export const faultOptions = [
  { flags: "--method <method>", meaning: "requests with this method (default: any)" },
  {
    flags: "--path <pattern>",
    meaning: "requests to these paths; * matches any text without a slash, ** any text (default: any)",
  },
  {
    flags: "--status <number>",
    meaning: "respond with this status instead of executing the request",
    parse: parseStatus,
  },
  { flags: "--body <text>", meaning: "with --status: the response body, as JSON or text" },
  {
    flags: "--header <line>",
    meaning: 'with --status: a response header such as "Retry-After: 1"; can be repeated',
    parse: parseHeader,
  },
  { flags: "--act", meaning: "with --status: execute the request, then respond with the status" },
  {
    flags: "--delay <duration>",
    meaning: "wait (in real time) before executing the request: 500ms, 2s",
    parse: parseDuration,
  },
  { flags: "--connection <word>", meaning: "refuse, reset-before or reset-after (executed, but no response)" },
  {
    flags: "--revision <status>",
    meaning: "final status of the next revision; or all its statuses, separated by commas",
  },
  { flags: "--log <line>", meaning: "with --revision: a line of its log; can be repeated", parse: collect },
  { flags: "--hold <status>", meaning: "revisions stay in this status until the fault is removed" },
  { flags: "--deployment <name>", meaning: "with --revision or --hold: only this deployment (default: any)" },
  { flags: "--export-error <text>", meaning: "the next attempt of an export run fails with this error" },
  { flags: "--export-stalls", meaning: "the next attempt of an export run hangs until it times out" },
  { flags: "--export <id>", meaning: "with --export-error or --export-stalls: only this export (default: any)" },
  {
    flags: "--day <date>",
    meaning: "with --export-error or --export-stalls: only the run of this day, such as 2026-01-31 (default: any)",
  },
  {
    flags: "--times <number>",
    meaning: "how often the fault applies (default: 1); a hold lasts until it is removed",
    parse: parseInteger,
  },
  { flags: "--skip <number>", meaning: "how many matches to skip first (default: 0)", parse: parseInteger },
  {
    flags: "--json-body <json>",
    meaning: "the whole fault, as in POST /_emulator/faults, instead of the other options",
  },
] as const satisfies Subcommand["options"];

/** Options of each kind of fault; `begins` select the kind. */
const kinds = {
  revision: { selectors: ["revision"], modifiers: ["log", "deployment"] },
  hold: { selectors: ["hold"], modifiers: ["deployment"] },
  export_run: { selectors: ["exportError", "exportStalls"], modifiers: ["export", "day"] },
  request: {
    selectors: ["status", "connection", "delay"],
    modifiers: ["method", "path", "body", "header", "act"],
  },
} as const;
type Kind = keyof typeof kinds;

/** Builds the fault that the options describe. @throws CommandError */
export function parseFault({ json: _, url: __, ...options }: Options): unknown {
  const { jsonBody, times, skip, ...rest } = options;
  const optionNames = Object.keys(rest);
  if (jsonBody !== undefined) {
    if (Object.keys(options).length > 1) throw usageError("--json-body cannot be combined with other options.");
    return parseJson(String(jsonBody));
  }
  const names = Object.keys(kinds) as Kind[];
  const kind = names.find((name) => kinds[name].selectors.some((selector) => optionNames.includes(selector)));
  if (kind === undefined) {
    throw usageError(
      "The fault would have no effect. Set --status, --connection, --delay, --revision, --hold, --export-error or --export-stalls.",
    );
  }
  const allowed: readonly string[] = [...kinds[kind].selectors, ...kinds[kind].modifiers];
  const unexpected = optionNames.find((name) => !allowed.includes(name));
  if (unexpected !== undefined)
    throw usageError(
      `${flag(unexpected)} cannot be combined with ${flag(selectorOf(kind, optionNames))}. Add two faults instead.`,
    );
  return { ...bodies[kind](rest), ...(times !== undefined && { times }), ...(skip !== undefined && { skip }) };
}

const selectorOf = (kind: Kind, optionNames: readonly string[]) =>
  kinds[kind].selectors.find((selector) => optionNames.includes(selector)) ?? "";
const flag = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const bodies: Record<Kind, (options: Record<string, unknown>) => object> = {
  request: ({ body, header, delay, ...others }) => ({
    ...others,
    ...(delay !== undefined && { delay_ms: delay }),
    ...(header !== undefined && { headers: header }),
    ...(body !== undefined && { body: jsonOrText(String(body)) }),
  }),
  revision: ({ revision, log, deployment }) => {
    const statuses = String(revision)
      .split(",")
      .map((word) => word.trim());
    const outcome = statuses.length > 1 ? { statuses } : { ends: statuses[0] };
    return {
      revision: {
        ...outcome,
        ...(log !== undefined && { logs: log }),
        ...(deployment !== undefined && { deployment }),
      },
    };
  },
  hold: ({ hold, deployment }) => ({ hold: { status: hold, ...(deployment !== undefined && { deployment }) } }),
  export_run: ({ exportError, exportStalls, ...others }) => ({
    export_run: {
      ...others,
      ...(exportError !== undefined && { error: exportError }),
      ...(exportStalls !== undefined && { stalls: exportStalls }),
    },
  }),
};

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
  const attempt = `next run attempt of ${id === undefined ? "any export" : `export ${id}`}${day === undefined ? "" : `, day ${day},`}`;
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

function parseStatus(text: string): number {
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw usageError("Expected a status from 200 to 599.");
}

function parseInteger(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError("Expected an integer.");
}

function parseHeader(line: string, previous: unknown): Record<string, string> {
  const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined)
    throw usageError('Expected a name and a value, such as "Retry-After: 1".');
  return { ...(previous as Record<string, string> | undefined), [name.trim()]: value };
}
