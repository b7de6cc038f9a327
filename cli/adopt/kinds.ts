// Generated from the definitions by `npm run generate`. Do not edit.
/** The values of `--only`. */
export const KINDS = ["deployments", "destinations", "exports", "schedules", "threads", "assistants", "crons"];
