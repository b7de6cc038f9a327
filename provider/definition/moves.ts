/**
 * Objects whose content another one takes in this run, or took in an earlier one: the conversations of a deployment
 * that is replaced. What the program declares on the old one moves with them.
 */
import type { PropertyMap } from "../schema/schema";

/** What a new object receives from the one that it replaces, such as conversations. */
export interface Succession<I, S> {
  /** Returns how a replacement keeps the content; undefined where it is lost. */
  keeps(change: { previous: I & Partial<S>; inputs: Partial<I> }): Kept | undefined;
  /** Returns what a delete does with the content, in a few words; undefined where it is lost. */
  keepsOnDelete(previous: Partial<I>): string | undefined;
  /** Returns the IDs of the objects whose content it has, the oldest first. */
  earlierIds(state: Partial<S>): readonly string[];
  /** Whether it has received all of it, so that a new object receives that of this one. */
  isWhole(state: Partial<S>): boolean;
  /** Returns what the program declares of it, for the delete of the old object. */
  declared(inputs: Partial<I>): unknown;
}

/** Returns how an object passes its content on; undefined where it does not. */
export const successionOf = ({
  succession,
}: {
  succession?: Succession<PropertyMap, PropertyMap> | "container";
}): Succession<PropertyMap, PropertyMap> | undefined => (succession === "container" ? undefined : succession);

export interface Kept {
  /** What happens to the content, in a few words. */
  note: string;
  /** Whether the new object is created before the old one is deleted. */
  createsFirst: boolean;
}

export interface Move {
  urn: string;
  /** IDs of the objects whose content it is, the oldest first. */
  from: readonly string[];
  /** ID of the object that has it; absent until that is created. */
  to?: string | undefined;
  /** What the program declares of the move. */
  declared?: unknown;
}

/** The moves of a run, in all its processes, for one resource. */
export interface MovesOfRun extends Pick<Moves, "of" | "from" | "originOf"> {
  /** Notes that the content of other objects moves to this resource. */
  noteOwn(move: Omit<Move, "urn">): void;
}

export class Moves {
  private readonly byUrn = new Map<string, Move>();

  note(move: Move): void {
    this.byUrn.set(move.urn, move);
  }

  /** Returns the move of a resource. */
  of(urn: string): Move | undefined {
    return this.byUrn.get(urn);
  }

  /** Returns the move of the content of an object; undefined where it stays. */
  from(id: unknown): Move | undefined {
    return [...this.byUrn.values()].find(({ from, to }) => to !== id && from.some((one) => one === id));
  }

  /** Returns the ID of the object that had the content of this one first: its own where it took none. */
  originOf(id: string): string {
    return [...this.byUrn.values()].find(({ to }) => to === id)?.from[0] ?? id;
  }
}
