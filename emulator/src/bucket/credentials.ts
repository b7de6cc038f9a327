import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, UsageError } from "../runtime/errors";
import type { BucketKey } from "./requests/signature";

/**
 * Returns the credentials of the buckets: the given ones, or those generated once and kept in the data folder.
 * @throws UsageError if no client could sign with the given ones.
 */
export function resolveBucketKey(folder: string, options: Partial<BucketKey>): BucketKey {
  if (options.accessKeyId !== undefined && !/^[\w.+=@-]{3,128}$/.test(options.accessKeyId)) {
    throw new UsageError("Invalid --bucket-key; use 3 to 128 letters, digits and the characters _ . + = @ -");
  }
  if (options.secretAccessKey !== undefined && !/^[\x21-\x7e]{8,}$/.test(options.secretAccessKey)) {
    throw new UsageError("Invalid --bucket-secret; use at least 8 characters without spaces.");
  }
  const { accessKeyId, secretAccessKey } = options;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  const stored = readOrCreateKey(folder);
  return { accessKeyId: accessKeyId ?? stored.accessKeyId, secretAccessKey: secretAccessKey ?? stored.secretAccessKey };
}

function readOrCreateKey(folder: string): BucketKey {
  const bucketFolder = join(folder, "bucket");
  const path = join(bucketFolder, "key.json");
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const key: BucketKey = {
    accessKeyId: `EMULATOR${randomBytes(6).toString("hex").toUpperCase()}`,
    // Hexadecimal, because other characters have a meaning in shells, and an option begins with a hyphen.
    secretAccessKey: randomBytes(20).toString("hex"),
  };
  mkdirSync(bucketFolder, { recursive: true, mode: 0o700 });
  // The rename is atomic: a killed process leaves no partial key.
  writeFileSync(`${path}.new`, JSON.stringify(key), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return key;
}
