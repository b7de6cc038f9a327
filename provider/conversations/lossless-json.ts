/** JSON whose numbers keep their spelling: JavaScript has other values for 2^53 + 1, `1.0` and `-0.0` of Python. */

/** A number as the server wrote it, where JavaScript would write it in another way. */
type RawNumber = object;

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): boolean;
};

/** A number that JavaScript may write in another way, or a text that looks like one. */
const UNUSUAL_NUMBER = /(?:^|[:,[\s])(?:-0|-?\d+[.eE]|-?\d{16})/;

/** Parses JSON. Numbers that JavaScript would change are objects that `JSON.stringify` writes as they were. */
export function parseLossless(text: string): unknown {
  // Looking at each number takes several times as long, and most conversations have only small integers.
  if (!UNUSUAL_NUMBER.test(text)) return JSON.parse(text);
  return parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
}

/** Whether a value is an object with keys: neither a list nor a number that keeps its spelling. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isRawJSON(value);

/** Returns the same text for equal values: keys are sorted, and numbers keep their spelling. */
export function toComparable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toComparable).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${toComparable(part)}`).join(",")}}`;
}

export const isSameJson = (left: unknown, right: unknown): boolean => toComparable(left) === toComparable(right);
