/** Validation rules across the inputs of a kind. */
import type { Settings } from "../settings/settings";

/** A validation rule across fields. Runs when all of its paths are known; returns what is wrong, if anything. */
export interface Rule<I> {
  paths: string[];
  /**
   * A warning does not stop the operation, since a newer server may accept the value. A rejection is a warning of what
   * servers probably reject; for a changed value it stops a replacement, which deletes before it creates. Default: error.
   */
  severity?: "error" | "warning" | "rejection";
  check: (inputs: I, previous: Partial<I>, settings: RuleSettings) => CheckFailure | CheckFailure[] | undefined;
}

export type RuleSettings = Pick<Settings, "ownerMarker" | "vocabulary">;

export interface CheckFailure {
  path: string;
  /** What is wrong, and what is expected. */
  reason: string;
}
