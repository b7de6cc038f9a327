/** Result of one check. */
export interface Check {
  /** Stable identifier for other programs. */
  id: string;
  /** `note`: information, or a limitation that stops nothing; `skipped`: could not be checked. */
  status: "ok" | "note" | "fix" | "skipped";
  message: string;
  /** What to do now. */
  remedy?: string;
}

/** A check as `--json` prints it. */
export interface CheckJson extends Pick<Check, "id" | "status"> {
  says: string;
  todo?: string;
}

export const toJson = ({ message: says, remedy: todo, ...check }: Check): CheckJson => ({
  ...check,
  says,
  ...(todo !== undefined && { todo }),
});

/** Checks of one subject. */
export interface Group {
  title: string;
  checks: Check[];
}
