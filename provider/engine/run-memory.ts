/** What one process remembers across all resource types, so that nothing is reported twice. */
import { Fates } from "../plan/fates";

export class RunMemory {
  /** What becomes of resources whose outputs others refer to. */
  readonly fates = new Fates();
  private readonly said = new Set<string>();
  private readonly reporters = new Map<string, string>();

  /** Whether this text was not given before. */
  isFirst(text: string): boolean {
    if (this.said.has(text)) return false;
    this.said.add(text);
    return true;
  }

  /** Returns the resource that reported this cause before another one did; undefined for the first. */
  reporterOf(cause: string, resource: string): string | undefined {
    const reporter = this.reporters.get(cause);
    if (reporter === undefined) this.reporters.set(cause, resource);
    return reporter === resource ? undefined : reporter;
  }
}
