/** The memory that all resource types of one process share, so that nothing is reported twice. */
import { OutputChanges } from "../plan/output-changes";
import { ManagedObjects } from "./managed-objects";
import { RunFolder } from "./run-folder";

export class RunMemory {
  /** Whether the program runs, so that the settings are current. Otherwise the engine takes them from state. */
  isProgramRunning = false;
  /** What this run does with resources whose outputs others reference. */
  readonly outputChanges = new OutputChanges();

  /** @param objects The objects that this run manages. By default, the run has no other process. */
  constructor(readonly objects: ManagedObjects = new ManagedObjects()) {}

  /** @param address The address of the engine; without one, there is no other process. */
  static of(address: string | undefined): RunMemory {
    return new RunMemory(new ManagedObjects(address === undefined ? undefined : new RunFolder(address)));
  }

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
