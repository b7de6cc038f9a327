import { cleanMessage } from "../text/clean";
import { redact } from "../text/redact";
import type { Report } from "./host/log";

/** Redacts the secrets of a resource and of the settings in every line to the display. */
export class OutgoingText implements Report {
  private readonly secrets = new Map<string, Set<string>>();

  constructor(private readonly report: Report) {}

  /** Redacts these values in all text of this resource; in all text when the URN is empty. */
  protect(urn: string, values: Iterable<string>): void {
    const secretsFor = this.secrets.get(urn) ?? new Set();
    for (const value of values) secretsFor.add(value);
    this.secrets.set(urn, secretsFor);
  }

  /** Redacts a text without truncating it. */
  redact(urn: string, text: string): string {
    return redact(text, this.secretsFor(urn));
  }

  clean(urn: string, text: string): string {
    return cleanMessage(text, this.secretsFor(urn));
  }

  /** Shows a status on one line. */
  progress(urn: string, text: string): void {
    this.report.progress(urn, this.clean(urn, text).replace(/\s*\n\s*/g, " "));
  }

  info(urn: string, text: string): void {
    this.report.info(urn, this.clean(urn, text));
  }

  warn(urn: string, text: string): void {
    this.report.warn(urn, this.clean(urn, text));
  }

  debug(urn: string, text: string): void {
    this.report.debug(urn, this.clean(urn, text));
  }

  flush(): Promise<void> {
    return this.report.flush();
  }

  private secretsFor(urn: string): string[] {
    return [...(this.secrets.get("") ?? []), ...(urn === "" ? [] : (this.secrets.get(urn) ?? []))];
  }
}
