/**
 * What a create does next, as a table. A thread may exist already: an interrupted run, or a request whose response was lost,
 * may have created it with or without its supersteps, and someone else may have chosen the same ID. So the first row reads,
 * and only a thread that was absent then, and that shows this request, is ever deleted.
 */
import type { DecisionTable } from "../../objects/decision-table";

/** What is known of the thread that a create leads to. */
export interface Situation {
  /**
   * Whether the server was asked for an earlier thread: by the requested ID, or by the ownership marker where the server
   * assigns IDs.
   */
  isRead: boolean;
  /** What exists: nothing, the thread of this request, one that may be that of an earlier run, or both. */
  found: "nothing" | "new" | "earlier" | "both";
  /** Whether the ID or the metadata of the thread prove that this resource created it. */
  isOwn: boolean;
  /** How much of the initial state it has. A response confirms all of it; otherwise its history and its state show it. */
  supersteps: "unknown" | "applied" | "some" | "none";
}

export type Action =
  /** Looks for an earlier thread. */
  | "read"
  /** Sends the create request. */
  | "create"
  /** Deletes the new thread in favor of the earlier one. */
  | "discard"
  /** Fails without a change, because the thread is someone else's. */
  | "refuse"
  /** Counts the supersteps that were applied. */
  | "inspect"
  /** Manages the new thread. */
  | "use"
  /** Deletes the new thread, which lacks supersteps, and fails. */
  | "rollBack"
  /** Keeps a thread that has no state at all in state without its supersteps, so that the next run replaces it, and fails. */
  | "keepEmpty"
  /** Manages the thread of an earlier run. Its history may lack supersteps because the server deleted old checkpoints. */
  | "resume";

export const DECISIONS: DecisionTable<Situation, Action> = [
  [{ isRead: false }, "read"],
  [{ found: "nothing" }, "create"],
  [{ isOwn: false }, "refuse"],
  [{ found: "both" }, "discard"],
  [{ supersteps: "unknown" }, "inspect"],
  [{ found: "new", supersteps: "applied" }, "use"],
  [{ found: "new" }, "rollBack"],
  [{ supersteps: "none" }, "keepEmpty"],
  [{ found: "earlier" }, "resume"],
];
