import { clean } from "../text/clean";
import { redact } from "../text/redact";
import type { Report } from "./log";

/** Lines on rows, each without the secrets of its resource and those of the settings. */
export class OutgoingText implements Report {
  private readonly secrets = new Map<string, Set<string>>();

  constructor(private readonly report: Report) {}

  /** From now on no text of this resource holds these values; no text at all where the URN is empty. */
  protect(urn: string, values: Iterable<string>): void {
    const known = this.secrets.get(urn) ?? new Set();
    for (const value of values) known.add(value);
    this.secrets.set(urn, known);
  }

  /** Returns the text without the values of secrets, as long as it was. */
  redact(urn: string, text: string): string {
    return redact(text, this.known(urn));
  }

  clean(urn: string, text: string): string {
    return clean(text, this.known(urn));
  }

  /** A status is one line. */
  progress(urn: string, text: string): void {
    this.report.progress(urn, this.clean(urn, text).replace(/\s*\n\s*/g, " "));
  }

  info(urn: string, text: string): void {
    this.report.info(urn, this.clean(urn, text));
  }

  warn(urn: string, text: string): void {
    this.report.warn(urn, this.clean(urn, text));
  }

  flush(): Promise<void> {
    return this.report.flush();
  }

  private known(urn: string): string[] {
    return [...(this.secrets.get("") ?? []), ...(urn === "" ? [] : (this.secrets.get(urn) ?? []))];
  }
}
