/** Result of one check. */
export interface Check {
  /** Stable identifier for other programs. */
  id: string;
  /** `note`: information, or a limitation that stops nothing; `skipped`: could not be checked. */
  status: "ok" | "note" | "fix" | "skipped";
  says: string;
  /** What to do now. */
  todo?: string;
}

/** Checks of one subject. */
export interface Group {
  title: string;
  checks: Check[];
}
