import type { Compression } from "../../runtime/options";
import type { S3Target } from "../s3/client";

/** One file of an export: the runs of one project in [from, to). */
export interface PartitionTask {
  /** Path of the SQLite file with the runs. */
  database: string;
  tenantId: string;
  sessionId: string;
  /** Microseconds since 1970 UTC; the first that is in. */
  from: number;
  /** Microseconds since 1970 UTC; the first that is out. */
  to: number;
  /** A boolean expression over the table alias `r`. */
  filter?: { sql: string; params: (string | number | null)[] } | undefined;
  /** Names of columns, in any order. Default: all. */
  fields: string[] | undefined;
  compression: Compression;
  destination: S3Target;
  /** Full key of the object. A retry gives the same one, so that it replaces what a lost attempt wrote. */
  key: string;
  /** Ends the work within a fraction of a second, and takes back what was uploaded. */
  signal: AbortSignal;
}

export interface PartitionResult {
  rowsWritten: number;
  /** Keys of the objects: one, or none when there was no row. */
  exportedFiles: string[];
}

/** What a worker is told: to begin, or to stop what it does. */
export type Order = { begin: Omit<PartitionTask, "signal"> } | { cancel: true };

/** How it ended. Errors lose their fields on the way between threads, so those of a bucket go as data. */
export type Outcome =
  | { result: PartitionResult }
  | { bucketError: { code: string; status: number; message: string } }
  | { error: unknown };
