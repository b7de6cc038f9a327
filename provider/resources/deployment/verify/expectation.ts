/** Compares an answer with what a check expects of it. */
import { isPropertyMap } from "../../../schema/schema";
import { truncate } from "../../../text/format";
import type { Expectation } from "../schema/verify";
import type { Mismatch } from "./check-run";

export interface Answer {
  /** What texts are compared with; undefined when there is no answer. */
  text: string | undefined;
  /** What JSON is compared with; undefined when it has another form. */
  json: unknown;
}

/** Shows a value that a program declared, which may be secret. */
export type Show = (value: unknown) => string;

/** What an attempt needs besides its check. */
export interface AttemptOptions {
  timeoutMs: number;
  show: Show;
}

/** Returns the first condition that does not hold. @param show Formats expected values. */
export function compare(expected: Omit<Expectation, "status">, answer: Answer, show: Show): Mismatch | undefined {
  const { contains, matches, json } = expected;
  const { text } = answer;
  const actual = describeText(text);
  if (contains !== undefined && !text?.includes(contains))
    return { expected: `a text that contains ${show(contains)}`, actual };
  // Each line has a beginning and an end, since answers often end with a line break.
  if (matches !== undefined && (text === undefined || !new RegExp(matches, "m").test(text)))
    return { expected: `a text that matches ${show(matches)}`, actual };
  if (json === undefined) return undefined;
  if (answer.json === undefined) return { expected: `JSON with ${show(json)}`, actual: `no JSON, but ${actual}` };
  return comparePart(json, answer.json, show);
}

/** More than an error shows. */
const MAX_LENGTH = 20_000;

function describeText(text: string | undefined): string {
  if (text === undefined) return "no text";
  return text.trim() === "" ? "an empty text" : JSON.stringify(truncate(text, MAX_LENGTH));
}

/** Compares a part of JSON: objects contain these keys, lists have these items, and other values are equal. */
function comparePart(expected: unknown, actual: unknown, show: Show, path = ""): Mismatch | undefined {
  const isSameForm = Array.isArray(expected)
    ? Array.isArray(actual) && actual.length === expected.length
    : isPropertyMap(expected)
      ? isPropertyMap(actual)
      : expected === actual;
  if (!isSameForm) {
    const where = path === "" ? "JSON" : path;
    return {
      expected: `${where} with ${show(expected)}`,
      actual: `${where} with ${JSON.stringify(actual) ?? "nothing"}`,
    };
  }
  if (typeof expected !== "object" || expected === null) return undefined;
  for (const [key, item] of Object.entries(expected)) {
    const below = Array.isArray(expected) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const found = Object.hasOwn(actual as object, key) ? (actual as Record<string, unknown>)[key] : undefined;
    const mismatch = comparePart(item, found, show, below);
    if (mismatch) return mismatch;
  }
  return undefined;
}
