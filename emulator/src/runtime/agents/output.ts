import { stripVTControlCharacters } from "node:util";
import { REDACTED } from "../validation/redact";

/** The longest line of a log; a longer one is split. In characters. */
const maxLineLength = 8192;

/** Values that are shorter occur in ordinary text. */
const shortestSecret = 4;

/** Splits the output of a process into lines without secret values and the colors of a terminal. */
export class LineReader {
  private partial = "";

  constructor(
    private readonly redact: Redactor,
    private readonly onLine: (line: string) => void,
  ) {}

  write(text: string): void {
    const lines = (this.partial + text).split("\n");
    this.partial = lines.pop() ?? "";
    for (const line of lines) this.emit(this.clean(line.endsWith("\r") ? line.slice(0, -1) : line));
    // A secret that the end cuts off is not visible yet, so as many characters as the longest one has stay.
    if (this.partial.length < maxLineLength + this.redact.longest) return;
    const cleaned = this.clean(this.partial);
    const keep = Math.min(this.redact.longest, cleaned.length);
    this.emit(cleaned.slice(0, cleaned.length - keep));
    this.partial = cleaned.slice(cleaned.length - keep);
  }

  end(): void {
    if (this.partial !== "") this.emit(this.clean(this.partial));
    this.partial = "";
  }

  /** Colors are removed first, because they may be inside a secret. */
  private clean(text: string): string {
    return this.redact.apply(stripVTControlCharacters(text));
  }

  private emit(line: string): void {
    for (let start = 0; start === 0 || start < line.length; start += maxLineLength) {
      this.onLine(line.slice(start, start + maxLineLength));
    }
  }
}

/** Replaces secret values in text: as they are, line by line, and as they appear in JSON. */
export class Redactor {
  readonly longest: number;
  private readonly values: readonly string[];

  constructor(secrets: readonly string[]) {
    const forms = secrets.flatMap((value) => [value, ...value.split(/\r?\n/), JSON.stringify(value).slice(1, -1)]);
    const distinct = new Set(forms.map((form) => form.trim()).filter((form) => form.length >= shortestSecret));
    // A value that contains another one is replaced first.
    this.values = [...distinct].sort((a, b) => b.length - a.length);
    this.longest = this.values[0]?.length ?? 0;
  }

  apply(text: string): string {
    return this.values.reduce((result, value) => result.replaceAll(value, REDACTED), text);
  }
}

/** Whether a line reports a request for the health of the agent, as many servers do for each request. */
export function isHealthCheck(line: string): boolean {
  return /\bGET\b/.test(line) && /\/ok(?![\w/.-])/.test(line);
}

/** Lines that say nothing about the cause of an error, though they come last: of Node.js, npm, pnpm and yarn. */
const trailers =
  /^(Emitted '|\s|Node\.js v\d|npm (error|ERR!)|error Command failed|info Visit | ?ELIFECYCLE|[\]}^)]*$)/;

/** Returns the line that names the cause, in the output of a program that ended with an error. */
export function causeOf(line: string, previous: string | undefined): string | undefined {
  return trailers.test(line) ? previous : line;
}

/**
 * Returns the level of a line of the error output, which marks it. Many servers write their whole log there, so what
 * says that it is information, or reports a request, has that level. None is an error: that is the line that says how
 * the agent ended.
 */
export function levelOf(line: string): "INFO" | "WARNING" {
  return /\b(DEBUG|INFO|NOTICE)\b|" [1-4]\d\d\b/i.test(line.slice(0, 200)) ? "INFO" : "WARNING";
}
