/** Errors of a bucket: they name it, the key, and S3's code, and never a credential or a signature. */
import { UserError } from "../../../text/user-error";
import { textOf } from "./xml";

export interface Rejection {
  /** `GET s3://bucket/key`. */
  what: string;
  status: number;
  body: string;
  /** Where the bucket is, as the response says. */
  region?: string | undefined;
}

export class BucketError extends UserError {
  override name = "BucketError";

  constructor(
    readonly status: number,
    /** S3's code, such as AccessDenied. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** In another region, a bucket is not found, or the signature is of the wrong one. */
const OTHER_REGION: ReadonlySet<string> = new Set([
  ...["PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException"],
]);

const REMEDIES: Readonly<Record<string, string>> = {
  AccessDenied:
    "The credentials need s3:GetObject to compare a backup, and also s3:ListBucket, s3:PutObject, " +
    "s3:DeleteObject and s3:AbortMultipartUpload to write or restore one.",
  NoSuchBucket: "Create the bucket, or correct its name.",
  InvalidAccessKeyId: "The store does not know the access key: correct AWS_ACCESS_KEY_ID, or sign in again.",
  SignatureDoesNotMatch: "The secret key does not belong to the access key: correct AWS_SECRET_ACCESS_KEY.",
  ExpiredToken: "The session has expired: sign in again.",
  InvalidToken: "AWS_SESSION_TOKEN does not belong to the access key: correct or remove it.",
  RequestTimeTooSkewed: "Correct the clock of this machine.",
  NotImplemented: "The store lacks what a backup needs of S3: conditional writes and multipart uploads.",
};

export function toBucketError({ what, status, body, region }: Rejection): BucketError {
  const code = textOf(body, "Code") ?? (status === 403 ? "AccessDenied" : status === 301 ? "PermanentRedirect" : "");
  const detail = textOf(body, "Message") ?? "";
  const found = region ?? textOf(body, "Region");
  const isElsewhere = OTHER_REGION.has(code);
  const place = found === undefined ? "another region" : `the region ${found}`;
  const remedy = isElsewhere ? `The bucket is in ${place}: set AWS_REGION to it.` : REMEDIES[code];
  const reason = [status, code].filter(Boolean).join(" ");
  const parts = [`${what} failed: ${reason}${detail === "" ? "" : `: ${withoutDot(detail)}`}.`, remedy];
  return new BucketError(status, code, parts.filter(Boolean).join(" "));
}

const withoutDot = (text: string) => text.slice(0, 300).replace(/\.+$/, "");
