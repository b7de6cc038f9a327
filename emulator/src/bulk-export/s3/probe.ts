import { randomUUID } from "node:crypto";
import { BucketError, S3Client, type S3Target } from "./client";

/** Timeout of one request of a probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 10_000;

/**
 * Verifies that a destination is writable: writes a small object under `<prefix>/tmp/` and tries to delete it
 * (API `4C.POST /api/v1/bulk-exports/destinations:probe`). @throws BucketError if it cannot be written.
 */
export async function probeDestination(target: S3Target, prefix: string, signal?: AbortSignal): Promise<void> {
  const client = new S3Client(target, { signal, timeoutMs: PROBE_TIMEOUT_MS });
  const key = [...prefix.split("/"), "tmp", `${randomUUID()}.txt`].filter(Boolean).join("/");
  await client.put(key, Buffer.from("This object verifies that the bucket is writable.\n"));
  // Permission to write without permission to delete is sufficient for exports.
  await client.delete(key).catch((error) => {
    if (!(error instanceof BucketError)) throw error;
  });
}

/** Messages by error code. They start as those of real servers do. */
const messagesByCode: Record<string, string> = {
  AccessDenied: "Access Denied: the credentials may not write to the bucket",
  AllAccessDisabled: "Access Denied: all access to the bucket is disabled",
  InvalidAccessKeyId: "The access Key ID you provided does not exist",
  // From stores with users of their own.
  XAdminUserNotFound: "The access Key ID you provided does not exist",
  SignatureDoesNotMatch: "The secret access key does not belong to the access Key ID: the signature does not match",
  InvalidToken: "The session token is not valid",
  ExpiredToken: "The session token has expired",
  RequestTimeTooSkewed: "The difference between the request time and the bucket's time is too large",
  NoSuchBucket: "Bucket is not valid: it does not exist",
  PermanentRedirect: "Bucket is not valid in this region: it is in another one",
  AuthorizationHeaderMalformed: "Bucket is not valid in this region: it is in another one",
};

/** Returns the text after "Failed to validate S3 destination: " in the `detail` of an invalid destination. */
export function explainBucketError({ code, message }: BucketError): string {
  const knownMessage = messagesByCode[code];
  if (knownMessage !== undefined) return knownMessage;
  if (code === "InvalidBucketName") return `Bucket is not valid: ${message}`;
  if (code === "InvalidEndpoint" || code === "UnknownHost" || code === "InvalidAnswer") {
    return `Invalid endpoint: ${message}`;
  }
  if (code === "Unreachable" || code === "Timeout") return `Could not connect to the endpoint: ${message}`;
  return `${message} (${code})`;
}
