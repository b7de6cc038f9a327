import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode, UsageError } from "../runtime/errors";
import type { BucketKey } from "./requests/signature";

/**
 * The key of the buckets: what was given, else what was made up at the first start with this folder and is kept there.
 * Throws UsageError for a key that no client could sign with.
 */
export function bucketKeyOf(folder: string, given: Partial<BucketKey>): BucketKey {
  if (given.accessKeyId !== undefined && !/^[\w.+=@-]{3,128}$/.test(given.accessKeyId)) {
    throw new UsageError("--bucket-key takes 3 to 128 letters, digits and characters of _.+=@-");
  }
  if (given.secretAccessKey !== undefined && !/^[\x21-\x7e]{8,}$/.test(given.secretAccessKey)) {
    throw new UsageError("--bucket-secret takes 8 or more characters, without spaces.");
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
  // Whoever dies in the middle leaves no half a key.
  writeFileSync(`${path}.new`, JSON.stringify(key), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return key;
}
