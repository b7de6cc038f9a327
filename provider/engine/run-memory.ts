/** What one process remembers across all resource types, so that nothing is reported twice. */
import { OutputChanges } from "../plan/output-changes";

export class RunMemory {
  /** What becomes of resources whose outputs others refer to. */
  readonly outputChanges = new OutputChanges();
  private readonly seenTexts = new Set<string>();
  private readonly reporterByCause = new Map<string, string>();

  /** Whether this text was not given before. */
  isFirstOccurrence(text: string): boolean {
    if (this.seenTexts.has(text)) return false;
    this.seenTexts.add(text);
    return true;
  }

  /** Returns the resource that reported this cause before another one did; undefined for the first. */
  reportedBy(cause: string, resource: string): string | undefined {
    const reporter = this.reporterByCause.get(cause);
    if (reporter === undefined) this.reporterByCause.set(cause, resource);
    return reporter === resource ? undefined : reporter;
  }
}
