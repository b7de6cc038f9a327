/**
 * Compares a file of types with the ones that would be written now. The comments and the layout of formatters do not
 * count.
 */
import { compare, type Language } from "./type";

/** A difference between a file and the server's schemas. */
export interface Difference {
  type: string;
  /** Absent where the whole type is new, gone or another one. */
  field?: string;
  change: "added" | "removed" | "changed";
  before?: string;
  after?: string;
}

/** The fields of each type, as text; a type without fields has one with an empty name. */
type Types = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Returns what differs between two files of a language, by type and field. */
export function findDifferences(before: string, after: string, language: Language): Difference[] {
  const read = language === "python" ? readPython : readTypeScript;
  const [old, current] = [read(before), read(after)];
  return [...new Set([...old.keys(), ...current.keys()])].sort(compare).flatMap((type) => {
    const [was, is] = [old.get(type), current.get(type)];
    if (!was || !is) return [{ type, change: is ? ("added" as const) : ("removed" as const) }];
    const fields = [...new Set([...was.keys(), ...is.keys()])].sort(compare);
    return fields.flatMap((field) => differenceOf({ type, ...(field && { field }) }, was.get(field), is.get(field)));
  });
}

function differenceOf(at: Pick<Difference, "type" | "field">, before?: string, after?: string): Difference[] {
  if (before === after) return [];
  if (before === undefined) return [{ ...at, change: "added", ...(after !== undefined && { after }) }];
  return after === undefined ? [{ ...at, change: "removed", before }] : [{ ...at, change: "changed", before, after }];
}

/** Returns a difference as one line. */
export function formatDifference({ type, field, change, before, after }: Difference): string {
  const name = field === undefined ? type : `${type}: ${field}`;
  if (change === "changed") return `${name} changed from ${before} to ${after}`;
  return `${name} was ${change}${after === undefined ? "" : ` (${after})`}`;
}

const COMMENT = { typescript: /\/\*[\s\S]*?\*\/|\/\/[^\n]*/, python: /#[^\n]*|"""(?:[^\\]|\\[\s\S])*?"""/ };
const TOKEN = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|-?[\p{L}\p{N}_$.]+|\n|\S/u;

/** Returns the words and signs of a text. Each line feed is one, because it ends a statement of Python. */
function tokensOf(text: string, language: Language): string[] {
  const pattern = new RegExp(`${COMMENT[language].source}|(${TOKEN.source})`, "gu");
  return [...text.matchAll(pattern)].flatMap(([, token]) => (token === undefined ? [] : [inDoubleQuotes(token)]));
}

function inDoubleQuotes(token: string): string {
  if (!token.startsWith("'")) return token;
  return `"${token
    .slice(1, -1)
    .replaceAll("\\'", "'")
    .replace(/(?<!\\)"/g, '\\"')}"`;
}

type Tokens = readonly string[];
const OPENING: Tokens = ["(", "[", "{"];
const CLOSING: Tokens = [")", "]", "}"];

/** Splits tokens at signs that are in no brackets. */
function split(tokens: Tokens, ...separators: string[]): string[][] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (OPENING.includes(token)) depth++;
    if (CLOSING.includes(token)) depth--;
    if (depth === 0 && separators.includes(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.some((token) => token !== "\n"));
}

/** Returns a type without what formatters add: lines, and a sign before the first or after the last part of a list. */
function textOf(tokens: Tokens): string {
  const kept = tokens.filter((token, index) => {
    const [before = "(", next = ")"] = [tokens[index - 1], tokens[index + 1]];
    return token === "|" ? !OPENING.includes(before) : ![",", ";"].includes(token) || !CLOSING.includes(next);
  });
  const text = kept.join(" ");
  return text.replace(/ (?=[)\],;:?]|\[\])|(?<=[([]|\.\.\.) /g, "").replace(/(?<=[\w")]) \[/g, "[");
}

/** Returns the fields of an object, and whether each is required. */
function fieldsOf(
  members: readonly Tokens[],
  requiredText: (key: string[], type: string) => string,
): [string, string][] {
  return members.map((member) => {
    const [key = [], ...type] = split(member, ":");
    const name = textOf(key.filter((token) => token !== "?")).replace(/^"([A-Za-z_$][\w$]*)"$/, "$1");
    return [name, requiredText(key, textOf(type.flat()))];
  });
}

const inBrackets = (tokens: Tokens): Tokens => tokens.slice(1, -1);

function readTypeScript(text: string): Types {
  const statements = split(
    tokensOf(text, "typescript").filter((token) => token !== "\n"),
    ";",
  );
  const types = statements.map(([_export, _type, name = "", _is, ...type]): [string, Map<string, string>] => {
    const isObject = type[0] === "{" && split(type, "|", "&").length === 1 && type.at(-1) === "}";
    if (!isObject) return [name, new Map([["", textOf(type)]])];
    const members = split(inBrackets(type), ";", ",");
    return [name, new Map(fieldsOf(members, (key, type) => (key.includes("?") ? type : `${type}, required`)))];
  });
  return new Map(types);
}

function readPython(text: string): Types {
  const types = new Map<string, Map<string, string>>();
  const withRequired = (_key: unknown, type: string) =>
    type.replace(/^NotRequired\[(.*)\]$/s, "$1") === type ? `${type}, required` : type.slice("NotRequired[".length, -1);
  let current = "";
  for (const lines of split(tokensOf(text, "python"), "\n")) {
    const statement = lines.filter((token) => token !== "\n");
    const [first = "", second = "", third = "", ...more] = statement;
    if (first === "class") {
      current = second;
      types.set(current, new Map());
    } else if (second === "=" && third === "TypedDict") {
      const [, fields = []] = split(inBrackets(more), ",");
      types.set(first, new Map(fieldsOf(split(inBrackets(fields), ","), withRequired)));
    } else if (second === ":" && third === "TypeAlias") types.set(first, new Map([["", textOf(more.slice(1))]]));
    else if (second === ":") for (const field of fieldsOf([statement], withRequired)) types.get(current)?.set(...field);
  }
  return types;
}
