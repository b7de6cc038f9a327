import { closestMatch } from "../runtime/text/did-you-mean";
import { isObject } from "../runtime/validation/validator";
import { RunError } from "./run-error";

/** One opinion about a run. */
export interface Feedback {
  key: string;
  score?: number | boolean | null;
  /** Anything; only texts are counted one by one in `feedback_stats`. */
  value?: unknown;
}

/** What `feedback_stats` says of one key. */
interface Stats {
  /** How many opinions. */
  n: number;
  /** Mean of the scores; null without any. */
  avg: number | null;
  /** How often each text was the value. interface.md section 2 C: string-type feedback only. */
  values: Record<string, number>;
}

/** A row of the table `feedback`, but for its run. */
export interface FeedbackRow {
  key: string;
  score: number | null;
  value: string | null;
}

/** Checks what a run says under `feedback`. Throws RunError. */
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
    throw new RunError(`${where}: there is no field "${strange}"; did you mean ${closestMatch(strange, known)}?`);
  const { key, score = null, value = null } = item;
  if (typeof key !== "string" || key === "") throw new RunError(`${where}.key: expected a text that is not empty`);
  const judged = typeof score === "boolean" ? Number(score) : score;
  if (judged !== null && (typeof judged !== "number" || !Number.isFinite(judged)))
    throw new RunError(`${where}.score: expected a number, true or false`);
  return { key, score: judged, value: value === null ? null : JSON.stringify(value) };
}

/** The `feedback_stats` of these opinions as JSON; null without any. */
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
