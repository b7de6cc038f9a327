/**
 * Finds the words of a script that name the program to run. What such a program runs in turn, such as that of `xargs`
 * or `sh -c`, is not among them.
 */

/** Words after which a shell, or the command itself, still expects a program. */
const beforeProgram = new Set(
  ["if", "then", "elif", "else", "while", "until", "do", "!", "{"].concat(
    ["command", "env", "exec", "nohup", "time"], // They may have options and assignments.
  ),
);

/** Characters that end a word. */
const blank = /[ \t]/;
const operator = /[\n;|&()`<>]/;
const redirection = /\d*(?:<<-?|[<>])[>&|]?[ \t]*/y;
const assignment = /^[A-Za-z_]\w*\+?=/;

/** What this reader does not follow. */
const unread = /\\`|\b(?:function|coproc)\b|\bexec\s+-\w*a|\benv\s+-\w*[uCS]/;

/**
 * Returns the words, without quotes, in the order of the script; all of it as one of them where that is not certain.
 */
export function programsIn(script: string): string[] {
  const reader = new ScriptReader(script);
  reader.readList("");
  return unread.test(script) ? [...reader.programs, script] : reader.programs;
}

class ScriptReader {
  programs: string[] = [];
  private at = 0;

  constructor(private readonly script: string) {}

  /** Reads commands up to a character that ends them. */
  readList(end: string): void {
    let isProgramNext = true;
    for (; this.at < this.script.length; ) {
      const char = this.script.charAt(this.at);
      redirection.lastIndex = this.at;
      if (char === end) break;
      if (blank.test(char)) this.at++;
      else if (this.script.startsWith("\\\n", this.at)) this.at += 2;
      else if (char === "#") this.skipPast(/(?=\n)|$/g);
      else if (redirection.test(this.script)) this.readTarget();
      else if (operator.test(char)) {
        this.at++;
        if (char === "(") this.readNested(")");
        if (char === "`") this.readNested("`");
        isProgramNext = char !== "`";
      } else isProgramNext = this.take(this.readWord(), isProgramNext);
    }
  }

  /** Takes a word. Returns whether the next one can be a program. */
  private take(word: string, isProgram: boolean): boolean {
    if (!isProgram) return false;
    if (beforeProgram.has(word) || assignment.test(word) || word.startsWith("-")) return true;
    if (word === "eval") {
      // To the end of the line: its text may contain what ends a command.
      const [text = ""] = this.script.slice(this.at).split("\n", 1);
      this.programs.push(...programsIn(text.replace(/["']/g, " ")));
    } else this.programs.push(word);
    return false;
  }

  private readTarget(): void {
    this.at = redirection.lastIndex;
    this.readWord();
  }

  private readNested(end: string): void {
    this.readList(end);
    this.at++;
  }

  /** `$((` may also begin a command with a subshell. */
  private skipArithmetic(): void {
    const begin = this.at;
    this.skipPast(/\)\)|$/g);
    const text = this.script.slice(begin, this.at);
    if (!text.endsWith("))") || /[;&|\n]/.test(text)) this.programs.push(text);
  }

  private skipPast(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    pattern.exec(this.script);
    this.at = pattern.lastIndex;
  }

  /** Reads a word, and the commands that it contains. */
  private readWord(): string {
    let word = "";
    let quote = "";
    for (; this.at < this.script.length; ) {
      const char = this.script.charAt(this.at++);
      if (quote === "'" ? char === "'" : quote !== "" && char === quote) quote = "";
      else if (quote === "'") word += char;
      else if (quote === "" && (char === "'" || char === '"')) quote = char;
      else if (char === "\\") word += this.script.charAt(this.at++);
      else if (char === "`") this.readNested("`");
      else if (char === "$" && this.script.startsWith("((", this.at)) this.skipArithmetic();
      else if (char === "$" && this.script.charAt(this.at) === "(") {
        this.at++;
        this.readNested(")");
      } else if (quote === "" && (blank.test(char) || operator.test(char))) {
        this.at--;
        return word;
      } else word += char;
    }
    return word;
  }
}
