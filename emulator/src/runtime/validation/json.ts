/** Position and message of a JSON syntax error, in the wording of Python's json module. */
export interface JsonError {
  position: number;
  message: string;
}

/**
 * Parses JSON. Limiting the depth lets callers recurse into the value safely.
 * @throws SyntaxError for invalid JSON, and for a number that is too large, which would become null.
 * @throws JsonDepthError if it is nested deeper than `maxDepth`.
 */
export function parseJson(text: string, maxDepth: number): unknown {
  const value: unknown = JSON.parse(text);
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw new JsonDepthError("Nested too deeply");
    if (level.some((item) => typeof item === "number" && !Number.isFinite(item))) throw new SyntaxError("Too large");
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return value;
}

export class JsonDepthError extends Error {}

const literal = /true|false|null|NaN|-?Infinity|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Locates the error in a text that JSON.parse rejected. V8's own message quotes the text, which may be secret. */
export function findJsonError(text: string): JsonError {
  try {
    const end = skipSpace(text, value(text, skipSpace(text, 0)));
    return { position: end, message: end < text.length ? "Extra data" : "Expecting value" };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    if (error instanceof RangeError) return { position: 0, message: "Nested too deeply" };
    throw error;
  }
}

class JsonSyntaxError extends Error implements JsonError {
  constructor(
    readonly position: number,
    message: string,
  ) {
    super(message);
  }
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (" \t\n\r".includes(text[end] ?? "x")) end++;
  return end;
}

function value(text: string, at: number): number {
  if (text[at] === "{") return skipObject(text, at);
  if (text[at] === "[") return skipArray(text, at);
  if (text[at] === '"') return skipString(text, at);
  literal.lastIndex = at;
  if (!literal.test(text)) throw new JsonSyntaxError(at, "Expecting value");
  return literal.lastIndex;
}

function skipArray(text: string, start: number): number {
  let at = skipSpace(text, start + 1);
  if (text[at] === "]") return at + 1;
  for (;;) {
    at = skipSpace(text, value(text, at));
    if (text[at] === "]") return at + 1;
    if (text[at] !== ",") throw new JsonSyntaxError(at, "Expecting ',' delimiter");
    at = skipSpace(text, at + 1);
  }
}

function skipObject(text: string, start: number): number {
  let at = skipSpace(text, start + 1);
  if (text[at] === "}") return at + 1;
  for (;;) {
    if (text[at] !== '"') throw new JsonSyntaxError(at, "Expecting property name enclosed in double quotes");
    at = skipSpace(text, skipString(text, at));
    if (text[at] !== ":") throw new JsonSyntaxError(at, "Expecting ':' delimiter");
    at = skipSpace(text, value(text, skipSpace(text, at + 1)));
    if (text[at] === "}") return at + 1;
    if (text[at] !== ",") throw new JsonSyntaxError(at, "Expecting ',' delimiter");
    at = skipSpace(text, at + 1);
  }
}

function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === '"') return at + 1;
    if (character < " ") throw new JsonSyntaxError(at, "Invalid control character at");
    if (character !== "\\") continue;
    const escapeSequence = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6));
    if (!escapeSequence) throw new JsonSyntaxError(at, "Invalid \\escape");
    at += escapeSequence[0].length;
  }
  throw new JsonSyntaxError(start, "Unterminated string starting at");
}
