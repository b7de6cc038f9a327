import type { Compression } from "../../runtime/options";
import type { S3Target } from "../s3/client";

/** One file of an export: the runs of one project in [from, to). */
export interface PartitionTask {
  /** Path of the SQLite file with the runs. */
  database: string;
  tenantId: string;
  sessionId: string;
  /** Microseconds since 1970 UTC, inclusive. */
  from: number;
  /** Microseconds since 1970 UTC, exclusive. */
  to: number;
  /** A boolean expression over the table alias `r`. */
  filter?: { sql: string; params: (string | number | null)[] } | undefined;
  /** Column names in any order. Default: all. */
  fields: string[] | undefined;
  compression: Compression;
  destination: S3Target;
  /** Full key of the object. Retries use the same key, so that they replace the file of a lost attempt. */
  key: string;
  /** Stops the work within a fraction of a second and aborts the upload. */
  signal: AbortSignal;
}

export interface PartitionResult {
  rowsWritten: number;
  /** Keys of the objects: one, or none without rows. */
  exportedFiles: string[];
}

/** A message to the worker. */
export type WorkerRequest = { start: Omit<PartitionTask, "signal"> } | { cancel: true };

/** The reply of the worker. BucketErrors are sent as data, because errors lose their fields between threads. */
export type WorkerResponse =
  | { result: PartitionResult }
  | { bucketError: { code: string; status: number; message: string } }
  | { error: unknown };
