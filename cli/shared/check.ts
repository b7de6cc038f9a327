import type { AtStake } from "../conversations/at-stake";

/** Result of one check, as `--json` prints it. */
export interface Check {
  /** Stable identifier for other programs. */
  id: string;
  /** `note`: information, or a limitation that stops nothing; `skipped`: could not be checked. */
  status: "ok" | "note" | "fix" | "skipped";
  message: string;
  /** What to do now. */
  remedy?: string;
  /** What a deployment keeps, as numbers. */
  counts?: AtStake;
}

/** Checks of one subject, as `--json` prints them. */
export interface Group {
  title: string;
  checks: Check[];
}
