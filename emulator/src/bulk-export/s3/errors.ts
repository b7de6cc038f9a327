import { errorCode } from "../../runtime/errors";
import { elementText } from "../../runtime/text/xml";

/** Our own codes, in addition to those of S3, for a bucket that did not respond as one. */
type ClientErrorCode =
  | "InvalidEndpoint"
  | "InvalidCredentials"
  | "UnknownHost"
  | "Unreachable"
  | "Timeout"
  | "InvalidAnswer";

/**
 * An error of a bucket. `code` is S3's code ("AccessDenied", "NoSuchBucket", …) or an OwnCode; `status` is the HTTP
 * status, or 0 without a response. Never contains credentials.
 */
export class BucketError extends Error {
  override readonly name = "BucketError";

  constructor(
    readonly code: ClientErrorCode | (string & {}),
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Returns the error of a response: S3's XML error, or a generic one without it. */
export function fromResponse(status: number, body: string, origin: string): BucketError {
  const code = elementText(body, "Code");
  if (code !== undefined && /<Error[\s>]/.test(body)) {
    return new BucketError(code, status, elementText(body, "Message") ?? code);
  }
  if (status === 403) return new BucketError("AccessDenied", status, "Access Denied");
  return notABucket(status, origin);
}

/** Returns the error for a response that no object store would send. */
export function notABucket(status: number, origin: string): BucketError {
  return new BucketError("InvalidAnswer", status, `${origin} responded with ${status}, but not as an S3 object store`);
}

export function timedOut(origin: string): BucketError {
  return new BucketError("Timeout", 0, `${origin} did not respond in time`);
}

const connectionFailures: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "no route to host",
  ENETUNREACH: "no route to network",
};

/** Returns the error of a request without a response. */
export function fromFailure(error: unknown, origin: string): BucketError {
  const code = errorCode(error) ?? "";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new BucketError("UnknownHost", 0, `the host of ${origin} could not be resolved`);
  }
  const reason = connectionFailures[code] ?? (error instanceof Error ? error.message : String(error));
  return new BucketError("Unreachable", 0, `${origin} could not be reached: ${reason || code}`);
}
