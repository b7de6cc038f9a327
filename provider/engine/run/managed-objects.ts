/**
 * The objects that the resources of a run manage, in all its processes, protected from deletions: the engine deletes at
 * its end what left the program, although another resource may have taken that very object; and for `--replace` or
 * `pulumi state taint` it creates the new object first, and that create may find the old one.
 */
import type { Definition } from "../../definition/definition";
import { type Move, Moves, successionOf } from "../../definition/moves";
import { aliasesOption, OwnershipError, REPLACE_HINT } from "../../definition/ownership";
import type { Facts, ResourceData } from "../../plan/facts";
import { normalizeUrl } from "../../schema/normal-form";
import type { PropertyMap } from "../../schema/schema";
import { messageOf } from "../../text/user-error";
import type { RunFolder } from "./run-folder";

/** An object, and the resource or the entry of state that names it. */
export interface NamedObject {
  kind: string;
  id: string;
  /** The ID and the URL of what contains it, where IDs are unique only within that: a program declares one. */
  container?: string | undefined;
  containerUrl?: string | undefined;
  urn: string;
}

export interface ManagedObject extends NamedObject {
  /** How the resource came to manage it in this run. */
  how: "created" | "resumed" | "imported" | "kept";
}

/** A line of the exchange: what a resource manages from now on, that it manages nothing, or what moves to it. */
type Note = ManagedObject | { urn: string; how: "released" } | (Move & { how: "moves" });

/** @param properties The inputs that name what contains the object. */
export function namedObject(
  { kind, schema }: Definition,
  id: string,
  properties: PropertyMap,
  { urn = "" }: Facts,
): NamedObject {
  const { id: idKey = "", url: urlKey = "" } = schema.container ?? {};
  const [container, url] = [properties[idKey], properties[urlKey]].map((value) =>
    typeof value === "string" ? value : undefined,
  );
  return { kind, id, urn, container, containerUrl: url && normalizeUrl(url) };
}

export class ManagedObjects {
  /** By process, and by URN. A process does not overwrite what another one notes about the same URN. */
  private readonly notes = new Map<string, Map<string, ManagedObject>>();
  private readonly knownMoves = new Moves();
  /** Why a note of this process did not reach the others. */
  private lostNote: string | undefined;
  /** The first line of another process that cannot be read; there is no other copy of it. */
  private damaged: string | undefined;

  /** @param folder Absent when the run has one process. */
  constructor(private readonly folder?: Pick<RunFolder, "append" | "read" | "isJoined">) {}

  /** Notes that a resource manages an object, or nothing any more. */
  note(note: Note): void {
    this.apply("", note);
    this.lostNote ??= problemOf(() => this.folder?.append(JSON.stringify(note)));
  }

  /** What moves between objects, in any process of this run. */
  get moves(): Moves {
    this.readOthers();
    return this.knownMoves;
  }

  /** Notes that a resource no longer manages its object, such as one that is replaced. */
  release(urn: string): void {
    if (this.notes.get("")?.has(urn)) this.note({ urn, how: "released" });
  }

  /** Notes that this run created an object, unless the resource has resumed or imported it. */
  noteCreated(object: NamedObject): void {
    if (this.notes.get("")?.get(object.urn)?.id !== object.id) this.note({ ...object, how: "created" });
  }

  /**
   * Notes that a resource has an existing object now, so that no other process of this run deletes it.
   * @throws OwnershipError when others could not know, or when another resource of this run manages the object.
   */
  noteExisting(object: ManagedObject): void {
    const { kind, id, urn } = object;
    const other = this.managersOf(object).find((manager) => manager.urn !== urn);
    if (other)
      throw new OwnershipError(
        `${kind} ${id} is also managed by ${other.urn}, and two resources cannot manage the same object. No ` +
          "changes were made. Remove one of them from the program.",
      );
    this.note(object);
    const problem = this.unsharedProblem(kind, id);
    if (problem === undefined) return;
    this.release(urn);
    throw new OwnershipError(problem);
  }

  /** Returns why other processes would not know that a resource takes an object; undefined when they would. */
  unsharedProblem(kind: string, id: string): string | undefined {
    const problem = this.readOthers() ?? this.lostNote;
    if (problem === undefined) return undefined;
    return (
      `${kind} ${id} was not taken, because the other provider processes of this run would not know ` +
      `(${problem}), and an old entry of this stack's state could delete it. No changes were made. Set TMPDIR ` +
      "(on Windows, TEMP) to a folder on a local disk that only you can write to, and run the command again."
    );
  }

  /** Returns why an object is kept that the engine wants to delete. @throws OwnershipError when this run took it. */
  reasonToKeep(object: NamedObject): string | undefined {
    const { kind, id, urn } = object;
    const problem = this.readOthers();
    const managers = this.managersOf(object);
    const own = managers.find((manager) => manager.urn === urn);
    // Resumed in place of another one that was to replace it: this entry is what that replacement left.
    const isDeclaredAgain = own?.how === "resumed" && this.knownMoves.of(urn)?.from.includes(id);
    if (own && own.how !== "kept" && !isDeclaredAgain) {
      throw new OwnershipError(
        `${kind} ${id} was created earlier in this run; refusing to delete it, because the engine mistook it ` +
          `for the resource being replaced. Nothing was lost.\n${REPLACE_HINT}\nThen run \`pulumi up\` again.`,
      );
    }
    if (own)
      return (
        `${kind} ${id} was not deleted, because the program still declares it. Only an old entry of it was ` +
        "removed from state, which an import or an unfinished replacement leaves."
      );
    const [other] = managers;
    if (other) return describeTwoEntries(object, other);
    // Where the folder cannot be used, no other process could note anything.
    if (problem === undefined || !this.folder?.isJoined) return undefined;
    throw new OwnershipError(
      `Could not determine whether another resource of this run manages ${kind} ${id} (${problem}). Nothing ` +
        "was deleted. Run the command again.",
    );
  }

  /** Returns the resources of this run that manage an object, in any process, as far as it can be known. */
  private managersOf(object: Omit<NamedObject, "urn">): ManagedObject[] {
    this.readOthers();
    return [...this.notes.values()].flatMap((byUrn) => [...byUrn.values()].filter((other) => isSame(object, other)));
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
    if (note.how === "moves") this.knownMoves.note(note);
    else if (note.how === "released") byUrn.delete(note.urn);
    else byUrn.set(note.urn, note);
  }
}

interface Compared {
  id: string;
  before: ResourceData;
  after: ResourceData;
  /** Whether a new object receives what it contains. */
  isPassedOn: boolean;
}

/** Notes what an object passes on, or has received in an earlier run: what the program declares on it moves as well. */
export function noteMove(
  definition: Definition,
  objects: ManagedObjects,
  { id, before, after, isPassedOn }: Compared,
): void {
  const succession = successionOf(definition);
  const earlier = succession?.earlierIds(before.properties) ?? [];
  if (!succession || (!isPassedOn && earlier.length === 0)) return;
  const { urn = "" } = after.facts;
  const note = { how: "moves", urn, declared: succession.declared(after.properties) } as const;
  const own = succession.isWhole(before.properties) ? [id] : [];
  if (isPassedOn) objects.note({ ...note, from: [...earlier, ...own] });
  else objects.note({ ...note, from: earlier, to: id });
}

const TAKEN = {
  created: "this run created it as",
  resumed: "this run resumed it as",
  imported: "this run imported it as",
  kept: "the program still declares it as",
};

function describeTwoEntries({ kind, id, urn }: NamedObject, other: ManagedObject): string {
  const kept = `${kind} ${id} was not deleted, because ${TAKEN[other.how]} ${other.urn}.`;
  // An import by the command may leave no URN in state.
  if (urn === "") return kept;
  return (
    `${kept} The entry ${urn} was removed from this stack's state only.\n` +
    "If you renamed or moved the resource, use this option the next time:  " +
    `${aliasesOption(`/${urn}`, `/${other.urn}`)}\n` +
    "To delete the object, remove the other resource from the program, too."
  );
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
