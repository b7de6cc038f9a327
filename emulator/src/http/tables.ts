import type { Tables } from "../runtime/storage/tables";

/** API keys that were seeded, and what each opens. */
export const authTables: Tables = {
  schema: `
  CREATE TABLE IF NOT EXISTS keys (key TEXT PRIMARY KEY, organization INTEGER NOT NULL, workspaces TEXT NOT NULL, expires_at TEXT);
`,
};
