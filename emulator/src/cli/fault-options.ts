/** A fault in the words of the command line, and told in a sentence. */
import type { ExportRunFault, Fault, Hold, RequestFault, RevisionFault, StoredFault } from "../runtime/faults";
import { readDuration, showDuration } from "./duration";
import { mistake, type Options, type Subcommand } from "./subcommand";

const collect = (text: string, before: unknown) => [...((before as string[] | undefined) ?? []), text];

export const faultOptions = [
  { flags: "--method <method>", meaning: "requests of this method; any without it" },
  { flags: "--path <pattern>", meaning: "requests to these paths: * is any text without a slash, ** any text" },
  { flags: "--status <number>", meaning: "are answered this instead of acting", read: readStatus },
  { flags: "--body <text>", meaning: "with --status: the body, JSON or a text" },
  { flags: "--header <line>", meaning: 'with --status: a header, "Retry-After: 1"; may be repeated', read: readHeader },
  { flags: "--act", meaning: "with --status: act, then answer that all the same" },
  { flags: "--delay <duration>", meaning: "wait that long (real time) before acting: 500ms, 2s", read: readDuration },
  { flags: "--connection <word>", meaning: "refuse, reset-before or reset-after (done, and no answer)" },
  { flags: "--revision <status>", meaning: "the next revision ends so; several, by comma, are all it goes through" },
  { flags: "--log <line>", meaning: "with --revision: a line of its log; may be repeated", read: collect },
  { flags: "--hold <status>", meaning: "revisions that reach the status stay there until the fault is removed" },
  { flags: "--deployment <name>", meaning: "with --revision and --hold: of this deployment; any without it" },
  { flags: "--export-error <text>", meaning: "the next attempt of a run of an export fails with it" },
  { flags: "--export-stalls", meaning: "the next attempt of a run of an export never ends by itself" },
  { flags: "--export <id>", meaning: "with those two: of this export; any without it" },
  { flags: "--day <date>", meaning: "with those two: the run of this day, 2026-01-31; any without it" },
  {
    flags: "--times <number>",
    meaning: "how many times (default: 1); a hold lasts until it is removed",
    read: readWhole,
  },
  { flags: "--skip <number>", meaning: "how many matches to let pass first (default: 0)", read: readWhole },
  { flags: "--json-body <json>", meaning: "the whole fault as POST /_emulator/faults takes it, instead of the others" },
] as const satisfies Subcommand["options"];

/** What each kind of fault may be told; the first options say that it is that kind. */
const kinds = {
  revision: { begins: ["revision"], goes: ["log", "deployment"] },
  hold: { begins: ["hold"], goes: ["deployment"] },
  export_run: { begins: ["exportError", "exportStalls"], goes: ["export", "day"] },
  request: {
    begins: ["status", "connection", "delay"],
    goes: ["method", "path", "body", "header", "act"],
  },
} as const;
type Kind = keyof typeof kinds;

/** The fault that the options describe. */
export function readFault({ json: _, url: __, ...options }: Options): unknown {
  const { jsonBody, times, skip, ...rest } = options;
  const given = Object.keys(rest);
  if (jsonBody !== undefined) {
    if (Object.keys(options).length > 1) throw mistake("--json-body is the whole fault: leave the other options out.");
    return readJson(String(jsonBody));
  }
  const names = Object.keys(kinds) as Kind[];
  const kind = names.find((name) => kinds[name].begins.some((begin) => given.includes(begin)));
  if (kind === undefined) {
    throw mistake(
      "This fault would do nothing: say what happens, with --status, --connection, --delay, --revision, --hold, --export-error or --export-stalls.",
    );
  }
  const known: readonly string[] = [...kinds[kind].begins, ...kinds[kind].goes];
  const strange = given.find((name) => !known.includes(name));
  if (strange !== undefined)
    throw mistake(`${flag(strange)} does not go with ${flag(beginOf(kind, given))}: make two faults of it.`);
  return { ...bodies[kind](rest), ...(times !== undefined && { times }), ...(skip !== undefined && { skip }) };
}

const beginOf = (kind: Kind, given: readonly string[]) =>
  kinds[kind].begins.find((begin) => given.includes(begin)) ?? "";
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
    const course = statuses.length > 1 ? { statuses } : { ends: statuses[0] };
    return {
      revision: { ...course, ...(log !== undefined && { logs: log }), ...(deployment !== undefined && { deployment }) },
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

/** The kind of a fault, and what it does. */
export function describeFault(fault: Fault | StoredFault): { kind: string; does: string } {
  if ("revision" in fault) return { kind: "revision", does: describeRevision(fault.revision) };
  if ("hold" in fault) return { kind: "hold", does: describeHold(fault.hold) };
  if ("export_run" in fault) return { kind: "export run", does: describeExportRun(fault.export_run) };
  return { kind: "request", does: describeRequest(fault) };
}

function describeRequest({ method = "any method", path = "any path", ...does }: RequestFault): string {
  const { status, act, connection, delay_ms, headers = {}, body } = does;
  const parts = [
    delay_ms === undefined ? "" : `waits ${showDuration(delay_ms)}`,
    status === undefined ? "" : `${act ? "acts, then " : ""}answers ${status}`,
    connection === undefined ? "" : connections[connection],
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    body === undefined ? "" : `body ${shortened(typeof body === "string" ? body : JSON.stringify(body))}`,
  ];
  return `${method.toUpperCase()} ${path}: ${parts.filter(Boolean).join(", ")}`.replace(/^ANY METHOD/, "any method");
}

const connections = {
  refuse: "is closed before any byte (refuse)",
  "reset-before": "is reset, nothing done (reset-before)",
  "reset-after": "is done, then reset without an answer (reset-after)",
} as const satisfies Record<NonNullable<RequestFault["connection"]>, string>;

function describeRevision({ deployment, ends, statuses = [], logs = [] }: RevisionFault): string {
  const course = ends === undefined ? `goes through ${statuses.join(", ")}` : `ends ${ends}`;
  const said = logs.length === 0 ? "" : `, its log says ${shortened(logs.map(lineOf).join(" / "))}`;
  return `next revision of ${deployment ?? "any deployment"} ${course}${said}`;
}

const lineOf = (line: NonNullable<RevisionFault["logs"]>[number]) => (typeof line === "string" ? line : line.message);

function describeHold({ deployment, status }: Hold): string {
  return `revisions of ${deployment ?? "any deployment"} stay ${status} until this is removed`;
}

function describeExportRun({ export: id, day, error, stalls }: ExportRunFault): string {
  const what = `next attempt of a run of ${id === undefined ? "any export" : `export ${id}`}${day === undefined ? "" : `, day ${day},`}`;
  return stalls ? `${what} never ends` : `${what} fails: ${shortened(error ?? "")}`;
}

const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw mistake(`--json-body is no JSON: ${(error as Error).message}. Quote it whole: '{"status": 503}'.`);
  }
}

function readStatus(text: string): number {
  if (/^[2-5]\d\d$/.test(text)) return Number(text);
  throw mistake("It takes a status from 200 to 599.");
}

function readWhole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw mistake("It takes a whole number.");
}

function readHeader(line: string, before: unknown): Record<string, string> {
  const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw mistake('It takes a name and a value: "Retry-After: 1".');
  return { ...(before as Record<string, string> | undefined), [name.trim()]: value };
}
