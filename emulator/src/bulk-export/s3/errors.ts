import { errorCode } from "../../runtime/errors";
import { elementText } from "../../runtime/text/xml";

/** Codes of our own, beside those of S3, for a bucket that did not answer as one. */
type OwnCode = "InvalidEndpoint" | "InvalidCredentials" | "UnknownHost" | "Unreachable" | "Timeout" | "InvalidAnswer";

/**
 * A bucket refused, or could not be asked. `code` is S3's own word ("AccessDenied", "NoSuchBucket", …) or an OwnCode;
 * `status` that of HTTP, 0 without an answer. Never holds a credential.
 */
export class BucketError extends Error {
  override readonly name = "BucketError";

  constructor(
    readonly code: OwnCode | (string & {}),
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The error that an answer carries: S3's XML, or what can be said of an answer without it. */
export function fromAnswer(status: number, body: string, origin: string): BucketError {
  const code = elementText(body, "Code");
  if (code !== undefined && /<Error[\s>]/.test(body)) {
    return new BucketError(code, status, elementText(body, "Message") ?? code);
  }
  if (status === 403) return new BucketError("AccessDenied", status, "Access Denied");
  return notABucket(status, origin);
}

/** A success or failure that no object store would answer. */
export function notABucket(status: number, origin: string): BucketError {
  return new BucketError("InvalidAnswer", status, `${origin} answered ${status}, but not as an S3 object store does`);
}

export function timedOut(origin: string): BucketError {
  return new BucketError("Timeout", 0, `${origin} did not answer in time`);
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ETIMEDOUT: "it did not answer the connection",
  EHOSTUNREACH: "there is no way to this host",
  ENETUNREACH: "there is no way to this network",
};

/** The error of a request that got no answer. */
export function fromFailure(error: unknown, origin: string): BucketError {
  const code = errorCode(error) ?? "";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new BucketError("UnknownHost", 0, `the host of ${origin} is not known`);
  }
  const why = unreachable[code] ?? (error instanceof Error ? error.message : String(error));
  return new BucketError("Unreachable", 0, `${origin} could not be reached: ${why || code}`);
}
