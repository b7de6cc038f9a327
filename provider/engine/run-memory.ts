/** The memory that all resource types of one process share, so that nothing is reported twice. */
import { OutputChanges } from "../plan/output-changes";

export class RunMemory {
  /** What this run does with resources whose outputs others reference. */
  readonly outputChanges = new OutputChanges();
  private readonly seenTexts = new Set<string>();
  private readonly reporterByCause = new Map<string, string>();

  /** Whether this text occurs for the first time. */
  isFirstOccurrence(text: string): boolean {
    if (this.seenTexts.has(text)) return false;
    this.seenTexts.add(text);
    return true;
  }

  /** Returns the other resource that reported this cause first; undefined when this one did. */
  reportedBy(cause: string, resource: string): string | undefined {
    const reporter = this.reporterByCause.get(cause);
    if (reporter === undefined) this.reporterByCause.set(cause, resource);
    return reporter === resource ? undefined : reporter;
  }
}
