/** What one check found. */
export interface Check {
  /** By which a machine knows it; stays the same. */
  id: string;
  /** `note` is worth knowing and stops nothing; `skipped` could not be checked, and says why. */
  status: "ok" | "note" | "fix" | "skipped";
  says: string;
  /** What to do now. */
  todo?: string;
}

/** Checks of one thing. */
export interface Group {
  title: string;
  checks: Check[];
}
