import type { Tables } from "../runtime/storage/tables";

export const tables: Tables = {
  schema: `
  CREATE TABLE IF NOT EXISTS workspaces (id TEXT PRIMARY KEY, name TEXT NOT NULL);
`,
};
