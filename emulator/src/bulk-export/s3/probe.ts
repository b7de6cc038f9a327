import { randomUUID } from "node:crypto";
import { BucketError, S3Client, type S3Target } from "./client";

/** How long a bucket may take over one request of a probe. */
const PROBE_MS = 10_000;

/**
 * Proves that a destination can be written to: puts a small text under `<prefix>/tmp/` and tries to delete it again
 * (interface-notes.md section 3). Throws BucketError when the text cannot be written.
 */
export async function probeDestination(target: S3Target, prefix: string, signal?: AbortSignal): Promise<void> {
  const client = new S3Client(target, { signal, timeoutMs: PROBE_MS });
  const key = [...prefix.split("/"), "tmp", `${randomUUID()}.txt`].filter(Boolean).join("/");
  await client.put(key, Buffer.from("This object only proves that the bucket can be written to.\n"));
  // A key that may write but not delete is enough for exports.
  await client.delete(key).catch((error) => {
    if (!(error instanceof BucketError)) throw error;
  });
}

/** The beginnings that live services are known for, by what went wrong; the second half says it closer. */
const refusals: Record<string, string> = {
  AccessDenied: "Access Denied: the credentials may not write to the bucket",
  AllAccessDisabled: "Access Denied: all access to the bucket is disabled",
  InvalidAccessKeyId: "The access Key ID you provided does not exist",
  // As a store says it whose users are not those of the cloud's.
  XAdminUserNotFound: "The access Key ID you provided does not exist",
  SignatureDoesNotMatch: "The secret access key does not belong to the access Key ID: the signature does not match",
  InvalidToken: "The session token is not valid",
  ExpiredToken: "The session token has expired",
  RequestTimeTooSkewed: "The difference between the request time and the bucket's time is too large",
  NoSuchBucket: "Bucket is not valid: it does not exist",
  PermanentRedirect: "Bucket is not valid in this region: it is in another one",
  AuthorizationHeaderMalformed: "Bucket is not valid in this region: it is in another one",
};

/** What follows "Failed to validate S3 destination: " in the detail of a refused destination. */
export function explainRefusal({ code, message }: BucketError): string {
  const known = refusals[code];
  if (known !== undefined) return known;
  if (code === "InvalidBucketName") return `Bucket is not valid: ${message}`;
  if (code === "InvalidEndpoint" || code === "UnknownHost" || code === "InvalidAnswer") {
    return `Invalid endpoint: ${message}`;
  }
  if (code === "Unreachable" || code === "Timeout") return `Could not connect to the endpoint: ${message}`;
  return `${message} (${code})`;
}
