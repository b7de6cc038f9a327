/**
 * The objects that the resources of a run manage, as all processes of the run know them. The engine deletes at the end of
 * a run what left the program: such an entry of state may name an object that another entry has just imported or resumed.
 */
import { messageOf } from "../../text/user-error";
import type { RunFolder } from "./run-folder";

/** An object, and the resource or the entry of state that names it. */
export interface NamedObject {
  kind: string;
  id: string;
  /** The ID and the URL of what contains it, where IDs are unique only within that: a program declares one of the two. */
  container?: string | undefined;
  containerUrl?: string | undefined;
  urn: string;
}

export interface ManagedObject extends NamedObject {
  /** How the resource came to manage it in this run. */
  how: "created" | "resumed" | "imported" | "kept";
}

/** A line of the exchange: what a resource manages from now on, or that it no longer manages anything. */
type Note = ManagedObject | { urn: string; how: "released" };

export class ManagedObjects {
  /** By process, and by URN. A process does not overwrite what another one notes about the same URN. */
  private readonly notes = new Map<string, Map<string, ManagedObject>>();
  /** Why a note of this process did not reach the others. */
  private lostNote: string | undefined;
  /** The first line of another process that cannot be read; there is no other copy of it. */
  private damaged: string | undefined;

  /** @param folder Absent when the run has one process. */
  constructor(private readonly folder?: Pick<RunFolder, "append" | "read" | "isJoined">) {}

  /** Notes that a resource manages an object. */
  note(object: ManagedObject): void {
    this.apply("", object);
    this.append(object);
  }

  /** Notes that a resource no longer manages its object, such as one that is replaced. */
  release(urn: string): void {
    if (!this.notes.get("")?.has(urn)) return;
    this.apply("", { urn, how: "released" });
    this.append({ urn, how: "released" });
  }

  /** Returns the resources of this run that manage an object, in any process, as far as it can be known. */
  managersOf(object: Omit<NamedObject, "urn">): ManagedObject[] {
    this.readOthers();
    return [...this.notes.values()].flatMap((byUrn) => [...byUrn.values()].filter((other) => isSame(object, other)));
  }

  /** Whether a resource of this process has noted that it manages an object. */
  isNoted(urn: string, id: string): boolean {
    return this.notes.get("")?.get(urn)?.id === id;
  }

  /** Returns why other processes would not know of an object that this one takes; undefined when they would. */
  writeProblem(): string | undefined {
    return this.readOthers() ?? this.lostNote;
  }

  /** Returns why it is not known what other processes manage, although they could note it; undefined when it is. */
  readProblem(): string | undefined {
    const problem = this.readOthers();
    return this.folder?.isJoined ? problem : undefined;
  }

  private append(note: Note): void {
    this.lostNote ??= problemOf(() => this.folder?.append(JSON.stringify(note)));
  }

  private readOthers(): string | undefined {
    const problem = problemOf(() => {
      // Every line is read, also after a damaged one.
      for (const { process, text } of this.folder?.read() ?? [])
        this.damaged = problemOf(() => this.apply(process, JSON.parse(text) as Note)) ?? this.damaged;
    });
    return problem ?? this.damaged;
  }

  private apply(process: string, note: Note): void {
    const byUrn = this.notes.get(process) ?? new Map<string, ManagedObject>();
    this.notes.set(process, byUrn);
    if (note.how === "released") byUrn.delete(note.urn);
    else byUrn.set(note.urn, note);
  }
}

/** Objects whose containers may be the same count as one. */
function isSame(left: Omit<NamedObject, "urn">, right: Omit<NamedObject, "urn">): boolean {
  if (left.kind !== right.kind || left.id.toLowerCase() !== right.id.toLowerCase()) return false;
  if (left.container !== undefined && right.container !== undefined)
    return left.container.toLowerCase() === right.container.toLowerCase();
  return (
    left.containerUrl === undefined || right.containerUrl === undefined || left.containerUrl === right.containerUrl
  );
}

function problemOf(exchange: () => void): string | undefined {
  try {
    exchange();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
