import { randomUUID } from "node:crypto";
import type { SQLInputValue } from "node:sqlite";
import type { Row } from "../runtime/storage/store";
import { closestMatch } from "../runtime/text/did-you-mean";
import { parseUuid } from "../runtime/validation/uuid";
import { type Column, type ColumnKind, columns } from "./columns";
import type { FeedbackRow } from "./feedback";
import { type Feedback, feedbackStats, parseFeedback } from "./feedback";
import { RunError } from "./run-error";
import { formatCompact, parseMicros } from "./timestamp";

interface KindTypes {
  string: string;
  uuid: string;
  timestamp: string;
  int: number;
  double: number;
  boolean: boolean;
  strings: readonly string[];
  json: unknown;
}

/**
 * A trace run to load: any exportable fields by name, with times in ISO 8601 (UTC without a zone). Only `name` and
 * `start_time` are required; null means absent.
 */
export type RunInput = { name: string; start_time: string; feedback?: readonly Feedback[] } & {
  [C in (typeof columns)[number] as C["name"]]?: KindTypes[C["kind"]] | null;
};

/** A run as a request contains it: toRunRow checks it. */
export type UncheckedRun = Readonly<Record<string, unknown>>;

/** What the children of a run inherit. */
export interface Lineage {
  trace_id: string;
  dotted_order: string;
  /** JSON. */
  parent_run_ids: string;
}

/** Where a run is stored. */
export interface RunTarget {
  tenantId: string;
  sessionId: string;
  /** Returns the lineage of a stored run of this workspace. */
  lineageOf(id: string): Lineage | undefined;
}

/** Parsers by kind; they return undefined for invalid values. */
const parsers: Record<ColumnKind, { expected: string; parse(value: unknown): SQLInputValue | undefined }> = {
  string: { expected: "a string", parse: (value) => (typeof value === "string" ? value : undefined) },
  uuid: { expected: "a UUID", parse: normalizeUuid },
  timestamp: { expected: "an ISO 8601 time such as 2026-01-02T03:04:05.678Z, not after 2255", parse: parseTimestamp },
  int: { expected: "a whole number", parse: (value) => (Number.isSafeInteger(value) ? Number(value) : undefined) },
  double: { expected: "a number", parse: (value) => (Number.isFinite(value) ? Number(value) : undefined) },
  boolean: { expected: "true or false", parse: (value) => (typeof value === "boolean" ? Number(value) : undefined) },
  strings: {
    expected: "a list of strings",
    parse: (value) =>
      Array.isArray(value) && value.every((item) => typeof item === "string") ? JSON.stringify(value) : undefined,
  },
  json: { expected: "JSON", parse: (value) => JSON.stringify(value) },
};

const columnsByName = new Map<string, Column>(columns.map((column) => [column.name, column]));
const names = [...columnsByName.keys(), "feedback"];
const emptyRow: Row = Object.fromEntries(columns.map(({ name }) => [name, null]));

function parseTimestamp(value: unknown): number | undefined {
  const micros = typeof value === "string" ? parseMicros(value) : undefined;
  return Number.isSafeInteger(micros) ? micros : undefined;
}

const canonicalUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function normalizeUuid(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  // The usual form; each of up to a million runs has five of them.
  if (canonicalUuid.test(value)) return value;
  const parsed = parseUuid(value);
  return "uuid" in parsed ? parsed.uuid : undefined;
}

/** Converts a run to a row with all defaults. @throws RunError */
export function toRunRow(input: UncheckedRun, target: RunTarget): { row: Row; feedback: FeedbackRow[] } {
  const row: Row = { ...emptyRow };
  for (const name of Object.keys(input)) {
    const value = input[name];
    if (name === "feedback" || value === null || value === undefined) continue;
    const column = columnsByName.get(name);
    if (!column) throw new RunError(`unknown field "${name}"; did you mean ${closestMatch(name, names)}?`);
    const { parse, expected } = parsers[column.kind];
    const parsed = parse(value);
    if (parsed === undefined) throw new RunError(`${name}: expected ${expected}`);
    row[name] = parsed;
  }
  for (const name of ["name", "start_time"]) if (row[name] === null) throw new RunError(`${name} is required`);
  const feedback = parseFeedback(input.feedback);
  if (feedback.length > 0 && row.feedback_stats !== null)
    throw new RunError("feedback_stats is derived from feedback; omit one of them");
  fillTarget(row, target);
  fillLineage(row, target);
  fillDefaults(row);
  row.feedback_stats ??= feedbackStats(feedback);
  return { row, feedback };
}

function fillTarget(row: Row, { tenantId, sessionId }: RunTarget): void {
  for (const [name, expectedId] of [
    ["tenant_id", tenantId],
    ["session_id", sessionId],
  ] as const) {
    row[name] ??= expectedId;
    if (row[name] !== expectedId)
      throw new RunError(`${name}: runs are loaded into ${expectedId}; omit the field or use that value`);
  }
}

/** Fills in the position of a run in its trace from its dotted_order or its parent. */
function fillLineage(row: Row, target: RunTarget): void {
  row.id ??= randomUUID();
  const { parent_run_id: parent, dotted_order: order } = row;
  row.is_root ??= Number(parent === null);
  if (row.is_root !== Number(parent === null))
    throw new RunError("is_root: must be true without a parent_run_id, and false with one");
  const complete = row.trace_id !== null && order !== null && row.parent_run_ids !== null;
  if (complete) return;
  const lineage =
    parent === null ? undefined : (lineageFromOrder(order) ?? lineageFromParent(String(parent), row, target));
  row.trace_id ??= lineage?.trace_id ?? row.id;
  row.dotted_order ??= lineage?.dotted_order ?? orderSegment(row);
  row.parent_run_ids ??= lineage?.parent_run_ids ?? "[]";
}

/** Parses `<time>Z<root ID>. … .<time>Z<own ID>`. */
function lineageFromOrder(order: unknown): Lineage | undefined {
  if (typeof order !== "string") return undefined;
  const ids = order.split(".").map((part) => normalizeUuid(part.slice(-36)));
  const parents = ids.slice(0, -1);
  const [root] = ids;
  if (root === undefined || ids.includes(undefined))
    throw new RunError(
      "dotted_order: expected segments such as 20260102T030405678901Z followed by an ID, separated by dots",
    );
  return { trace_id: root, dotted_order: order, parent_run_ids: JSON.stringify(parents) };
}

function lineageFromParent(parent: string, row: Row, { lineageOf }: RunTarget): Lineage {
  const parentLineage = lineageOf(parent);
  if (!parentLineage)
    throw new RunError(`parent_run_id: ${parent} is not loaded yet; load parents first, or set dotted_order`);
  return {
    trace_id: parentLineage.trace_id,
    dotted_order: `${parentLineage.dotted_order}.${orderSegment(row)}`,
    parent_run_ids: JSON.stringify([...JSON.parse(parentLineage.parent_run_ids), parent]),
  };
}

function orderSegment({ start_time, id }: Row): string {
  return formatCompact(Number(start_time)) + String(id);
}

function fillDefaults(row: Row): void {
  const { start_time, end_time, error } = row;
  if (end_time !== null && Number(end_time) < Number(start_time))
    throw new RunError("end_time: must not be before start_time");
  row.run_type ??= "chain";
  row.status ??= error !== null ? "error" : end_time !== null ? "success" : "pending";
  row.total_tokens ??= sum(row.prompt_tokens, row.completion_tokens);
  row.total_cost ??= sum(row.prompt_cost, row.completion_cost);
}

function sum(left: unknown, right: unknown): number | null {
  return left === null || right === null ? null : Number(left) + Number(right);
}
