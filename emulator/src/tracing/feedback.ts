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
interface Stats {
  /** How many entries. */
  n: number;
  /** Mean of the scores; null without scores. */
  avg: number | null;
  /** How often each string occurs (interface.md section 2 C: string-type feedback only). */
  values: Record<string, number>;
}

/** A row of the table `feedback`, without its run. */
export interface FeedbackRow {
  key: string;
  score: number | null;
  value: string | null;
}

/** Validates the `feedback` of a run. @throws RunError */
export function readFeedback(value: unknown): FeedbackRow[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new RunError("feedback: expected a list of {key, score, value}");
  return value.map((item, index) => readOne(item, `feedback[${index}]`));
}

function readOne(item: unknown, where: string): FeedbackRow {
  if (!isObject(item)) throw new RunError(`${where}: expected an object with key, score and value`);
  const known = ["key", "score", "value"];
  const strange = Object.keys(item).find((name) => !known.includes(name));
  if (strange !== undefined)
    throw new RunError(`${where}: unknown field "${strange}"; did you mean ${closestMatch(strange, known)}?`);
  const { key, score = null, value = null } = item;
  if (typeof key !== "string" || key === "") throw new RunError(`${where}.key: expected a non-empty string`);
  const judged = typeof score === "boolean" ? Number(score) : score;
  if (judged !== null && (typeof judged !== "number" || !Number.isFinite(judged)))
    throw new RunError(`${where}.score: expected a number, true or false`);
  return { key, score: judged, value: value === null ? null : JSON.stringify(value) };
}

/** Returns the `feedback_stats` as JSON; null without feedback. */
export function feedbackStats(rows: readonly FeedbackRow[]): string | null {
  if (rows.length === 0) return null;
  const keys = [...new Set(rows.map((row) => row.key))];
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, statsOf(rows.filter((row) => row.key === key))])));
}

function statsOf(rows: readonly FeedbackRow[]): Stats {
  const scores = rows.flatMap(({ score }) => (score === null ? [] : [score]));
  const texts = rows.flatMap(({ value }) => (value?.startsWith('"') ? [String(JSON.parse(value))] : []));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const avg = scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return { n: rows.length, avg, values: Object.fromEntries(counts) };
}
