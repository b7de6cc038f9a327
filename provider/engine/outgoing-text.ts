import { cleanMessage } from "../text/clean";
import { redact } from "../text/redact";
import type { Report } from "./log";

/** Lines on rows, each without the secrets of its resource and those of the settings. */
export class OutgoingText implements Report {
  private readonly secrets = new Map<string, Set<string>>();

  constructor(private readonly report: Report) {}

  /** From now on no text of this resource holds these values; no text at all where the URN is empty. */
  protect(urn: string, values: Iterable<string>): void {
    const secretsFor = this.secrets.get(urn) ?? new Set();
    for (const value of values) secretsFor.add(value);
    this.secrets.set(urn, secretsFor);
  }

  /** Returns the text without the values of secrets, as long as it was. */
  redact(urn: string, text: string): string {
    return redact(text, this.secretsFor(urn));
  }

  clean(urn: string, text: string): string {
    return cleanMessage(text, this.secretsFor(urn));
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

  private secretsFor(urn: string): string[] {
    return [...(this.secrets.get("") ?? []), ...(urn === "" ? [] : (this.secrets.get(urn) ?? []))];
  }
}
