import { parseUuid } from "../../runtime/validation/uuid";
import { parseMicros } from "../timestamp";
import type { Comparator, Scalar } from "./parse";

type Param = string | number;

/** The type of a field: the comparators that it supports, and how a literal becomes a SQLite value. */
export interface FieldKind {
  comparators: readonly Comparator[];
  expected: string;
  /** Returns undefined if the value has another type. Not called for null. */
  toParam(scalar: Scalar): Param | undefined;
}

/** A field of the filter language. */
export interface Field {
  kind: FieldKind;
  /** SQL over the row `r` of runs, or over the row `m` of metadata or `f` of feedback entries. */
  sql: string;
  /**
   * The kind of entry that contains it, and whether it is the entry's key: conditions within one `and` refer to the
   * same entry.
   */
  entry?: { of: "metadata" | "feedback"; key: boolean };
}

const orderedComparators = ["eq", "neq", "gt", "gte", "lt", "lte", "in"] as const;

const text: FieldKind = {
  comparators: ["eq", "neq", "in", "search"],
  expected: "a text in quotes",
  toParam: ({ value }) => (typeof value === "string" ? value : undefined),
};
const key: FieldKind = { ...text, comparators: ["eq", "in"] };
const tags: FieldKind = { ...text, comparators: ["has"] };
const number: FieldKind = {
  comparators: orderedComparators,
  expected: "a number",
  toParam: ({ value }) => (typeof value === "number" ? value : undefined),
};
const boolean: FieldKind = {
  comparators: ["eq", "neq"],
  expected: "true or false",
  toParam: ({ value }) => (typeof value === "boolean" ? Number(value) : undefined),
};
const uuid: FieldKind = {
  comparators: ["eq", "neq", "in"],
  expected: "a UUID in quotes",
  toParam({ value }) {
    const parsed = typeof value === "string" ? parseUuid(value) : undefined;
    return parsed && "uuid" in parsed ? parsed.uuid : undefined;
  },
};
const instant: FieldKind = {
  comparators: orderedComparators,
  expected: 'an ISO 8601 time in quotes such as "2026-01-02T03:04:05Z"',
  toParam: ({ value }) => (typeof value === "string" ? parseMicros(value) : undefined),
};
const duration: FieldKind = {
  comparators: orderedComparators,
  expected: 'a number of seconds, or a text such as "1.5s", "200ms", "2m" or "1h"',
  toParam: ({ value }) => (typeof value === "number" ? Math.round(value * 1e6) : parseDurationMicros(value)),
};
/** Any type; compile.ts compares both value and type. */
const anyValue: FieldKind = { comparators: ["eq", "neq", "in"], expected: "a value", toParam: () => undefined };

const units: Record<string, number> = { ms: 1e3, s: 1e6, m: 60e6, h: 3600e6 };

function parseDurationMicros(value: unknown): number | undefined {
  const [, count, unit] = typeof value === "string" ? (/^(-?\d+(?:\.\d+)?) ?(ms|s|m|h)$/.exec(value) ?? []) : [];
  return count === undefined ? undefined : Math.round(Number(count) * (units[unit ?? ""] ?? 0));
}

/** All fields of the language: API `2C.Filter`. */
export const fields: ReadonlyMap<string, Field> = new Map(
  Object.entries({
    id: { kind: uuid, sql: "r.id" },
    name: { kind: text, sql: "r.name" },
    run_type: { kind: text, sql: "r.run_type" },
    status: { kind: text, sql: "r.status" },
    is_root: { kind: boolean, sql: "r.is_root" },
    start_time: { kind: instant, sql: "r.start_time" },
    end_time: { kind: instant, sql: "r.end_time" },
    latency: { kind: duration, sql: "(r.end_time - r.start_time)" },
    total_tokens: { kind: number, sql: "r.total_tokens" },
    prompt_tokens: { kind: number, sql: "r.prompt_tokens" },
    completion_tokens: { kind: number, sql: "r.completion_tokens" },
    total_cost: { kind: number, sql: "r.total_cost" },
    error: { kind: text, sql: "r.error" },
    tags: { kind: tags, sql: "r.tags" },
    trace_id: { kind: uuid, sql: "r.trace_id" },
    parent_run_id: { kind: uuid, sql: "r.parent_run_id" },
    metadata_key: { kind: key, sql: "m.key", entry: { of: "metadata", key: true } },
    metadata_value: { kind: anyValue, sql: "m.value", entry: { of: "metadata", key: false } },
    feedback_key: { kind: key, sql: "f.key", entry: { of: "feedback", key: true } },
    feedback_score: { kind: number, sql: "f.score", entry: { of: "feedback", key: false } },
  }),
);
