/**
 * What a create does next, as a table. The first row reads, so nothing is written before the server has shown what is
 * there; only an object that was absent then, and that shows the request of this run, is ever deleted.
 */
import type { Content } from "./kind";

export interface Situation {
  /** Whether the server was asked for it since the request, or before there was one. */
  isRead: boolean;
  /** What exists: nothing, ours, someone else's in its place, several of ours, or a new one beside an earlier one. */
  found: "none" | "own" | "foreign" | "several" | "both";
  /** The request of this run. `lost`: no response shows what became of it. */
  request: "unsent" | "answered" | "lost";
  /** How much of what the program asks for the object has. A response confirms all of it. */
  content: Content;
  /** Whether the request of this run created it. */
  isNew: boolean;
}

export type Action =
  | "read"
  | "send"
  /** Fails without a change, because the object is that of someone else, or because several have the marker. */
  | "refuse"
  /** Fails, because nothing was created as far as the server shows. */
  | "report"
  /** Deletes the new object in favor of the earlier one. */
  | "discard"
  /** Reads how much of its content the object has. */
  | "inspect"
  /** Deletes the earlier object, which no update can make what the program declares, and which has no history. */
  | "recreate"
  /** Deletes the new object, which lacks content, or keeps an earlier one in state to be replaced, and fails. */
  | "giveUp"
  | "use"
  /** Manages the object of an earlier run, with a warning. */
  | "resume";

/** The first row whose situation matches decides. */
type DecisionTable<S, A> = readonly (readonly [situation: Partial<S>, action: A])[];

export const CREATE: DecisionTable<Situation, Action> = [
  [{ isRead: false }, "read"],
  [{ found: "several" }, "refuse"],
  [{ found: "foreign" }, "refuse"],
  [{ found: "none", request: "unsent" }, "send"],
  [{ found: "none" }, "report"],
  [{ found: "both" }, "discard"],
  [{ content: "unseen" }, "inspect"],
  [{ content: "unfit" }, "recreate"],
  [{ content: "none" }, "giveUp"],
  [{ isNew: true, content: "partial" }, "giveUp"],
  [{ isNew: true }, "use"],
  [{ isNew: false }, "resume"],
];

/** Returns the action for a situation. Some row matches each situation. */
export function decide<S extends object, A>(table: DecisionTable<S, A>, situation: S): A {
  const matches = (pattern: Partial<S>) =>
    Object.entries(pattern).every(([column, value]) => situation[column as keyof S] === value);
  const row = table.find(([pattern]) => matches(pattern));
  return (row as (typeof table)[number])[1];
}
