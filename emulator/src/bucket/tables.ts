import type { Tables } from "../runtime/storage/store";

/**
 * The index of the buckets; contents are in files named by `file`. Keys are sorted by their UTF-8 bytes, as S3 lists
 * them. Times are milliseconds since 1970 UTC of the real clock.
 */
export const tables: Tables = {
  schema: `
  CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, created_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS bucket_objects (
    bucket TEXT NOT NULL, key TEXT NOT NULL, file TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, etag TEXT NOT NULL,
    modified_at INTEGER NOT NULL, headers TEXT NOT NULL, checksum TEXT, PRIMARY KEY (bucket, key));
  CREATE TABLE IF NOT EXISTS bucket_uploads (
    id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, started_at INTEGER NOT NULL, headers TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS bucket_parts (
    upload TEXT NOT NULL, number INTEGER NOT NULL, file TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, etag TEXT NOT NULL,
    modified_at INTEGER NOT NULL, PRIMARY KEY (upload, number));
`,
};
