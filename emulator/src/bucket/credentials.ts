import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, UsageError } from "../runtime/errors";
import type { BucketKey } from "./requests/signature";

/**
 * Returns the credentials of the buckets: the given ones, or those generated once and kept in the data folder.
 * @throws UsageError if no client could sign with the given ones.
 */
export function bucketKeyOf(folder: string, given: Partial<BucketKey>): BucketKey {
  if (given.accessKeyId !== undefined && !/^[\w.+=@-]{3,128}$/.test(given.accessKeyId)) {
    throw new UsageError("Invalid --bucket-key; use 3 to 128 letters, digits and the characters _ . + = @ -");
  }
  if (given.secretAccessKey !== undefined && !/^[\x21-\x7e]{8,}$/.test(given.secretAccessKey)) {
    throw new UsageError("Invalid --bucket-secret; use at least 8 characters without spaces.");
  }
  const { accessKeyId, secretAccessKey } = given;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  const kept = keptKey(folder);
  return { accessKeyId: accessKeyId ?? kept.accessKeyId, secretAccessKey: secretAccessKey ?? kept.secretAccessKey };
}

function keptKey(folder: string): BucketKey {
  const home = join(folder, "bucket");
  const path = join(home, "key.json");
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  const key: BucketKey = {
    accessKeyId: `EMULATOR${randomBytes(6).toString("hex").toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString("base64url"),
  };
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // The rename is atomic: a killed process leaves no partial key.
  writeFileSync(`${path}.new`, JSON.stringify(key), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return key;
}
