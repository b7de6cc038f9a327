import { FilterError } from "./filter-error";

/** A token of a filter. `at` counts characters, not UTF-16 code units. */
export type Token = { at: number } & (
  | { kind: "name" | "text"; text: string }
  | { kind: "number"; number: number }
  | { kind: "(" | ")" | "[" | "]" | "," | "end" }
);

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** Reads a filter token by token. */
export class Scanner {
  private readonly characters: string[];
  private position = 0;

  constructor(text: string) {
    this.characters = [...text];
  }

  next(): Token {
    this.takeWhile(/[ \t\r\n]/);
    const at = this.position;
    const first = this.characters[at];
    if (first === undefined) return { kind: "end", at };
    if (first === "(" || first === ")" || first === "[" || first === "]" || first === ",") {
      this.position++;
      return { kind: first, at };
    }
    if (first === '"' || first === "'") return { kind: "text", text: this.quotedText(first), at };
    if (/[a-z_]/i.test(first)) return { kind: "name", text: this.takeWhile(/\w/), at };
    if (/[-\d]/.test(first)) return { kind: "number", number: this.number(at), at };
    throw new FilterError(`unexpected ${JSON.stringify(first)}`, at);
  }

  private takeWhile(allowed: RegExp): string {
    const from = this.position;
    while (allowed.test(this.characters[this.position] ?? "")) this.position++;
    return this.characters.slice(from, this.position).join("");
  }

  private number(at: number): number {
    const text = this.takeWhile(/[-+.\w]/);
    if (!/^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text)) throw new FilterError(`${text} is not a valid number`, at);
    const number = Number(text);
    if (Number.isFinite(number)) return number;
    throw new FilterError(`the number ${text} is too large`, at);
  }

  private quotedText(quote: string): string {
    const at = this.position;
    const content: string[] = [];
    for (this.position++; this.position < this.characters.length; this.position++) {
      const character = this.characters[this.position] ?? "";
      if (character === quote) {
        this.position++;
        return content.join("");
      }
      content.push(character === "\\" ? this.escape() : character);
    }
    throw new FilterError(`the text that starts here has no closing ${quote}`, at);
  }

  /** Reads an escape sequence as in JSON, plus the single quote. Ends on its last character. */
  private escape(): string {
    const at = this.position;
    const letter = this.characters[++this.position] ?? "";
    if (letter === "u") {
      const digits = this.characters.slice(at + 2, at + 6).join("");
      if (!/^[\da-f]{4}$/i.test(digits)) throw new FilterError("expected four hexadecimal digits after \\u", at);
      this.position += 4;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if (letter !== "" && `"'\\/`.includes(letter)) return letter;
    const escaped = escapes[letter];
    if (escaped !== undefined) return escaped;
    throw new FilterError(`invalid escape sequence; expected one of " ' \\ / n r t b f u after the backslash`, at);
  }
}
