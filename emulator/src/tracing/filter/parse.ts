import { FilterError } from "./filter-error";
import { Scanner, type Token } from "./scan";

/*
 * The filter language (API `2C.Filter`), in EBNF; spaces, tabs and line breaks may separate tokens.
 *
 *   filter     = junction | search | comparison ;
 *   junction   = ( "and" | "or" ) "(" filter { "," filter } ")" ;
 *   search     = "search" "(" [ field "," ] text ")" ;
 *   comparison = ( "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "has" | "in" ) "(" field "," value ")" ;
 *   value      = scalar | "[" [ scalar { "," scalar } ] "]" ;
 *   scalar     = text | number | "true" | "false" | "null" ;
 *   text       = '"' { character | escape } '"' | "'" { character | escape } "'" ;
 *   escape     = "\" ( '"' | "'" | "\" | "/" | "n" | "r" | "t" | "b" | "f" | "u" hex hex hex hex ) ;
 *   number     = [ "-" ] digit { digit } [ "." digit { digit } ] [ "e" [ "+" | "-" ] digit { digit } ] ;
 *   field      = a name of the table in fields.ts, which also lists its comparators and values ;
 */

export const comparators = ["eq", "neq", "gt", "gte", "lt", "lte", "has", "in", "search"] as const;
export type Comparator = (typeof comparators)[number];
const junctions = ["and", "or"] as const;

export interface Scalar {
  kind: "text" | "number" | "boolean" | "null";
  value: string | number | boolean | null;
  at: number;
}
export type Literal = Scalar | { kind: "list"; items: Scalar[]; at: number };

export interface Comparison {
  kind: "comparison";
  comparator: Comparator;
  at: number;
  field: { name: string; at: number };
  value: Literal;
}

/** A parsed filter. */
export type Filter = { kind: "and" | "or"; filters: Filter[] } | { kind: "search"; text: Scalar } | Comparison;

/** Limits far beyond hand-written filters and within those of SQLite. */
const maxCharacters = 16_384;
const maxDepth = 50;

/** Parses a filter. @throws FilterError */
export function parseFilter(text: string): Filter {
  if (text.length > maxCharacters) {
    throw new FilterError(`a filter can have at most ${maxCharacters} characters`, maxCharacters);
  }
  return new Parser(new Scanner(text)).parse();
}

class Parser {
  private token: Token;

  constructor(private readonly scanner: Scanner) {
    this.token = scanner.next();
  }

  parse(): Filter {
    const filter = this.filter(1);
    if (this.token.kind === "end") return filter;
    throw this.unexpectedToken("the end of the filter (combine conditions with and(…))");
  }

  private filter(depth: number): Filter {
    const { token } = this;
    const word = token.kind === "name" ? token.text : "";
    const junction = junctions.find((name) => name === word);
    const comparator = comparators.find((name) => name === word);
    if (!junction && !comparator)
      throw this.unexpectedToken(`a comparator (${[...junctions, ...comparators].join(", ")})`);
    if (junction && depth > maxDepth)
      throw new FilterError(`and(…) and or(…) can be nested at most ${maxDepth} levels deep`, token.at);
    this.advance();
    this.expect("(");
    const filter = junction
      ? { kind: junction, filters: this.filters(depth + 1) }
      : this.condition(comparator as Comparator, token.at);
    this.expect(")");
    return filter;
  }

  private filters(depth: number): Filter[] {
    const filters = [this.filter(depth)];
    while (this.is(",")) {
      this.advance();
      filters.push(this.filter(depth));
    }
    return filters;
  }

  private condition(comparator: Comparator, at: number): Filter {
    if (comparator === "search" && this.token.kind === "text") {
      return { kind: "search", text: this.scalar("a text") };
    }
    const { token } = this;
    if (token.kind !== "name") throw this.unexpectedToken(comparator === "search" ? "a text or a field" : "a field");
    this.advance();
    this.expect(",");
    return { kind: "comparison", comparator, at, field: { name: token.text, at: token.at }, value: this.value() };
  }

  private value(): Literal {
    const { at } = this.token;
    if (this.token.kind !== "[")
      return this.scalar("a value (a text in quotes, a number, true, false, null or a list)");
    this.advance();
    const items: Scalar[] = [];
    while (!this.is("]")) {
      if (items.length > 0) this.expect(",");
      items.push(this.scalar("a text in quotes, a number, true, false or null"));
    }
    this.advance();
    return { kind: "list", items, at };
  }

  private scalar(expectation: string): Scalar {
    const { token } = this;
    const scalar = toScalar(token);
    if (!scalar) throw this.unexpectedToken(expectation);
    this.advance();
    return scalar;
  }

  private expect(kind: "(" | ")" | "," | "]"): void {
    if (!this.is(kind)) throw this.unexpectedToken(`"${kind}"`);
    this.advance();
  }

  private is(kind: Token["kind"]): boolean {
    return this.token.kind === kind;
  }

  private advance(): void {
    this.token = this.scanner.next();
  }

  private unexpectedToken(expectation: string): FilterError {
    return new FilterError(`expected ${expectation}, found ${describeToken(this.token)}`, this.token.at);
  }
}

const literals: Record<string, boolean | null> = { true: true, false: false, null: null };

function toScalar(token: Token): Scalar | undefined {
  const { at } = token;
  if (token.kind === "text") return { kind: "text", value: token.text, at };
  if (token.kind === "number") return { kind: "number", value: token.number, at };
  const word = token.kind === "name" && Object.hasOwn(literals, token.text) ? literals[token.text] : undefined;
  return word === undefined ? undefined : { kind: word === null ? "null" : "boolean", value: word, at };
}

function describeToken(token: Token): string {
  if (token.kind === "end") return "the end";
  if (token.kind === "name") return token.text;
  if (token.kind === "text") return `the text ${JSON.stringify(token.text)}`;
  return token.kind === "number" ? String(token.number) : `"${token.kind}"`;
}
