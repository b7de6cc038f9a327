/**
 * What a create does next, as a table. A thread may exist already: an interrupted run, or a request whose response was lost,
 * may have created it with or without its supersteps, and someone else may have chosen the same ID.
 */
import type { DecisionTable } from "../shared/agent-server/decision-table";

/** What is known of the thread that a create leads to. */
export interface Situation {
  /** Who assigns its ID. The client requests one, but a server may assign its own. */
  idBy: "client" | "server";
  /** Whether the threads with the ownership marker were searched, which alone show an earlier thread with the server's ID. */
  isSearched: boolean;
  /** What exists: nothing yet, the thread of this request, that of an earlier run, or both. */
  found: "nothing" | "new" | "earlier" | "both";
  /** Whether the program declares the ID, so that anyone may have created the thread. */
  declaresId: boolean;
  /** Whether the tags of the thread prove that this resource created it. */
  isProven: boolean;
  /** A response confirms the supersteps; otherwise the history of the thread shows whether it has all of them. */
  supersteps: "unknown" | "applied" | "missing";
  /** Whether the thread can be deleted and created once more: only once, and only on a server that supports deletion. */
  canRecreate: boolean;
}

export type Action =
  /** Searches for a thread of an earlier run. */
  | "search"
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
  /** Manages the thread of an earlier run. */
  | "resume"
  /** Deletes a thread without all of its supersteps, and starts over. */
  | "recreate"
  /** Keeps such a thread in state, so that the next run replaces it. */
  | "keepPartial";

export const DECISIONS: DecisionTable<Situation, Action> = [
  [{ idBy: "server", isSearched: false }, "search"],
  [{ found: "nothing" }, "create"],
  [{ found: "both" }, "discard"],
  [{ found: "earlier", declaresId: true, isProven: false }, "refuse"],
  [{ supersteps: "unknown" }, "inspect"],
  [{ found: "new", supersteps: "applied" }, "use"],
  [{ found: "earlier", supersteps: "applied" }, "resume"],
  [{ supersteps: "missing", canRecreate: true }, "recreate"],
  [{ supersteps: "missing", canRecreate: false }, "keepPartial"],
];
