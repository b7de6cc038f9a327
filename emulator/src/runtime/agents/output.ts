import { REDACTED } from "../validation/redact";

/** The longest line of a log; a longer one is split. In characters. */
const maxLineLength = 8192;

/** Values that are shorter occur in ordinary text. */
const shortestSecret = 4;

/** Splits the output of a process into lines without secret values. */
export class LineReader {
  private partial = "";

  constructor(
    private readonly redact: Redactor,
    private readonly onLine: (line: string) => void,
  ) {}

  write(text: string): void {
    const lines = (this.partial + text).split("\n");
    this.partial = lines.pop() ?? "";
    for (const line of lines) this.emit(this.redact.apply(line.endsWith("\r") ? line.slice(0, -1) : line));
    // A secret that the end cuts off is not visible yet, so as many characters as the longest one has stay.
    if (this.partial.length < maxLineLength + this.redact.longest) return;
    const text2 = this.redact.apply(this.partial);
    const keep = Math.min(this.redact.longest, text2.length);
    this.emit(text2.slice(0, text2.length - keep));
    this.partial = text2.slice(text2.length - keep);
  }

  end(): void {
    if (this.partial !== "") this.emit(this.redact.apply(this.partial));
    this.partial = "";
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
