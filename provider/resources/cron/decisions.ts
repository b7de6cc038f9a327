/**
 * What a create does next, as a table. The server chooses the ID and no request is idempotent, so the ownership marker in
 * the metadata is all that shows whether an interrupted run, or a request whose response was lost, created a cron.
 */

/** What is known of the cron that a create leads to. */
export interface Situation {
  /** Whether crons have an ownership marker: the setting `ownerMarker`. */
  hasMarker: boolean;
  /** The request of this run: its response named the cron, or it did not arrive or names none. */
  request: "unsent" | "answered" | "lost";
  /** Whether the marker was searched since the request, or before there was one. */
  isSearched: boolean;
  /** The crons with the marker. */
  found: "none" | "one" | "several";
}

export type Action =
  /** Searches for crons with the marker. */
  | "search"
  /** Sends the create request. */
  | "create"
  /** Manages the cron of this run's request. */
  | "use"
  /** Manages the cron of an earlier run. */
  | "resume"
  /** Fails without a change, because several crons have the marker. */
  | "refuse"
  /** Fails, because the request probably had no effect. */
  | "fail"
  /** Fails, and names the crons that the request may have created. */
  | "nameCandidates";

/** The first row that matches decides. */
const DECISIONS: readonly (readonly [situation: Partial<Situation>, action: Action])[] = [
  [{ request: "answered" }, "use"],
  [{ hasMarker: false, request: "unsent" }, "create"],
  [{ hasMarker: false, request: "lost" }, "nameCandidates"],
  [{ isSearched: false }, "search"],
  [{ found: "several" }, "refuse"],
  [{ found: "one", request: "unsent" }, "resume"],
  [{ found: "one", request: "lost" }, "use"],
  [{ found: "none", request: "unsent" }, "create"],
  [{ found: "none", request: "lost" }, "fail"],
];

export function decide(situation: Situation): Action {
  const row = DECISIONS.find(([pattern]) =>
    Object.entries(pattern).every(([column, value]) => situation[column as keyof Situation] === value),
  );
  return (row as (typeof DECISIONS)[number])[1];
}
