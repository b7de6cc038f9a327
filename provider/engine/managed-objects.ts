/**
 * The objects that the resources of a run manage, as all processes of the run know them. The engine deletes at the end of
 * a run what left the program: such an entry of state may name an object that another entry has just imported or resumed.
 */
import type { RunFolder } from "./run-folder";

export interface ManagedObject {
  kind: string;
  id: string;
  /** The ID of the object that contains it, where IDs are unique only within that one. */
  container?: string | undefined;
  urn: string;
  /** How the resource came to manage it in this run. */
  how: "created" | "resumed" | "imported" | "kept";
}

/** A line of the exchange: what a resource manages from now on, or that it no longer manages anything. */
type Note = ManagedObject | { urn: string; how: "released" };

export class ManagedObjects {
  /** By process, and by URN. A process does not overwrite what another one notes about the same URN. */
  private readonly notes = new Map<string, Map<string, ManagedObject>>();
  private problem: string | undefined;

  /** @param folder Absent when the run has one process. */
  constructor(private readonly folder?: Pick<RunFolder, "append" | "read">) {}

  /** Notes that a resource manages an object. */
  note(object: ManagedObject): void {
    this.apply("", object);
    this.append(object);
  }

  /** Notes that this run replaces the object of a resource. */
  release(urn: string): void {
    if (!this.notes.get("")?.has(urn)) return;
    this.apply("", { urn, how: "released" });
    this.append({ urn, how: "released" });
  }

  /**
   * Returns the resources of this run that manage an object, in any process. What other processes note is missing only where
   * they refuse to take existing objects, too.
   */
  managersOf({ kind, id, container }: Pick<ManagedObject, "kind" | "id" | "container">): ManagedObject[] {
    this.tryExchange(() => this.readOthers());
    const isSame = (other: ManagedObject) =>
      other.kind === kind &&
      other.id === id &&
      // Without both containers, the objects may be the same.
      (container === undefined || other.container === undefined || other.container === container);
    return [...this.notes.values()].flatMap((byUrn) => [...byUrn.values()].filter(isSame));
  }

  /** Whether a resource of this process has noted that it manages an object. */
  isNoted(urn: string, id: string): boolean {
    return this.notes.get("")?.get(urn)?.id === id;
  }

  /** Returns why other processes would not know of an object that this one takes; undefined when they would. */
  exchangeProblem(): string | undefined {
    this.tryExchange(() => this.readOthers());
    return this.problem;
  }

  private append(note: Note): void {
    this.tryExchange(() => this.folder?.append(JSON.stringify(note)));
  }

  private readOthers(): void {
    for (const { process, text } of this.folder?.read() ?? []) this.apply(process, JSON.parse(text) as Note);
  }

  private apply(process: string, note: Note): void {
    const byUrn = this.notes.get(process) ?? new Map<string, ManagedObject>();
    this.notes.set(process, byUrn);
    if (note.how === "released") byUrn.delete(note.urn);
    else byUrn.set(note.urn, note);
  }

  private tryExchange(exchange: () => void): void {
    try {
      exchange();
    } catch (error) {
      this.problem ??= error instanceof Error ? error.message : String(error);
    }
  }
}
