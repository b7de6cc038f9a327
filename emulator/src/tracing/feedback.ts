import { closestMatch } from "../runtime/text/did-you-mean";
import { isObject } from "../runtime/validation/validator";
import { RunError } from "./run-error";

/** Feedback on a run. */
export interface Feedback {
  key: string;
  score?: number | boolean | null;
  /** Any value; `feedback_stats` counts only strings. */
  value?: unknown;
}

/** The `feedback_stats` of one key. */
interface FeedbackStats {
  /** How many entries. */
  n: number;
  /** Mean of the scores; null without scores. */
  avg: number | null;
  /** How often each string occurs (API `2C.Exportable fields.Tags and feedback:values`: string-type feedback only). */
  values: Record<string, number>;
}

/** A row of the table `feedback`, without its run. */
export interface FeedbackRow {
  key: string;
  score: number | null;
  value: string | null;
}

/** Validates the `feedback` of a run. @throws RunError */
export function parseFeedback(value: unknown): FeedbackRow[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new RunError("feedback: expected a list of {key, score, value}");
  return value.map((item, index) => parseEntry(item, `feedback[${index}]`));
}

function parseEntry(item: unknown, path: string): FeedbackRow {
  if (!isObject(item)) throw new RunError(`${path}: expected an object with key, score and value`);
  const fieldNames = ["key", "score", "value"];
  const unknownField = Object.keys(item).find((name) => !fieldNames.includes(name));
  if (unknownField !== undefined)
    throw new RunError(
      `${path}: unknown field "${unknownField}"; did you mean ${closestMatch(unknownField, fieldNames)}?`,
    );
  const { key, score = null, value = null } = item;
  if (typeof key !== "string" || key === "") throw new RunError(`${path}.key: expected a non-empty string`);
  const numericScore = typeof score === "boolean" ? Number(score) : score;
  if (numericScore !== null && (typeof numericScore !== "number" || !Number.isFinite(numericScore)))
    throw new RunError(`${path}.score: expected a number, true or false`);
  return { key, score: numericScore, value: value === null ? null : JSON.stringify(value) };
}

/** Returns the `feedback_stats` as JSON; null without feedback. */
export function feedbackStats(rows: readonly FeedbackRow[]): string | null {
  if (rows.length === 0) return null;
  const keys = [...new Set(rows.map((row) => row.key))];
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, statsOf(rows.filter((row) => row.key === key))])));
}

function statsOf(rows: readonly FeedbackRow[]): FeedbackStats {
  const scores = rows.flatMap(({ score }) => (score === null ? [] : [score]));
  const texts = rows.flatMap(({ value }) => (value?.startsWith('"') ? [String(JSON.parse(value))] : []));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const avg = scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { n: rows.length, avg, values: Object.fromEntries(counts) };
}
