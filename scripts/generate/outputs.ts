/** What the commands print with --json, other than doctor, whose schema is written. */

/** The function of each command whose result it prints, by its file. */
export const OUTPUTS: Readonly<Record<string, readonly [file: string, name: string]>> = {
  adopt: ["cli/adopt/report.ts", "toJson"],
  backup: ["cli/conversations/text.ts", "backupJson"],
  init: ["cli/init/report.ts", "toJson"],
  requests: ["cli/requests/text.ts", "requestsJson"],
  restore: ["cli/conversations/text.ts", "restoreJson"],
  review: ["cli/review/summary.ts", "reviewJson"],
  types: ["cli/types/output.ts", "typesJson"],
  "types-check": ["cli/types/output.ts", "checkJson"],
  verify: ["cli/conversations/text.ts", "verifyJson"],
};
