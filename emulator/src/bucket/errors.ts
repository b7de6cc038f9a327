import { escapeXml } from "../runtime/text/xml";

/** S3 error codes with their status and message. */
const errors = {
  AccessDenied: [403, "Access Denied"],
  AuthorizationHeaderMalformed: [400, "The authorization header that you provided is not valid."],
  AuthorizationQueryParametersError: [400, "The authorization query parameters that you provided are not valid."],
  BadDigest: [400, "The Content-MD5 or checksum value that you specified did not match what the server received."],
  BucketAlreadyOwnedByYou: [409, "Your previous request to create the named bucket succeeded and you already own it."],
  BucketNotEmpty: [409, "The bucket you tried to delete is not empty"],
  EntityTooLarge: [400, "Your proposed upload exceeds the maximum allowed size"],
  EntityTooSmall: [400, "Your proposed upload is smaller than the minimum allowed size"],
  IncompleteBody: [400, "You did not provide the number of bytes specified by the Content-Length HTTP header"],
  InternalError: [500, "We encountered an internal error. Please try again."],
  InvalidAccessKeyId: [403, "The AWS Access Key Id you provided does not exist in our records."],
  InvalidArgument: [400, "Invalid Argument"],
  InvalidBucketName: [400, "The specified bucket is not valid."],
  InvalidDigest: [400, "The Content-MD5 or checksum value that you specified is not valid."],
  InvalidPart: [
    400,
    "One or more of the specified parts could not be found.  The part may not have been uploaded, or the " +
      "specified entity tag may not match the part's entity tag.",
  ],
  InvalidPartOrder: [400, "The list of parts was not in ascending order. Parts must be ordered by part number."],
  InvalidRange: [416, "The requested range is not satisfiable"],
  InvalidRequest: [400, "Invalid Request"],
  InvalidURI: [400, "Couldn't parse the specified URI."],
  KeyTooLongError: [400, "Your key is too long"],
  MalformedXML: [400, "The XML you provided was not well-formed or did not validate against our published schema"],
  MethodNotAllowed: [405, "The specified method is not allowed against this resource."],
  MissingContentLength: [411, "You must provide the Content-Length HTTP header."],
  NoSuchBucket: [404, "The specified bucket does not exist"],
  NoSuchKey: [404, "The specified key does not exist."],
  NoSuchUpload: [
    404,
    "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted " +
      "or completed.",
  ],
  NotImplemented: [501, "A header you provided implies functionality that is not implemented"],
  PreconditionFailed: [412, "At least one of the pre-conditions you specified did not hold"],
  RequestTimeTooSkewed: [403, "The difference between the request time and the current time is too large."],
  SignatureDoesNotMatch: [
    403,
    "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
  ],
  XAmzContentSHA256Mismatch: [400, "The provided 'x-amz-content-sha256' header does not match what was computed."],
} as const satisfies Record<string, readonly [number, string]>;

export type S3ErrorCode = keyof typeof errors;

/** An error as S3 returns it; `details` are further elements such as `Key`. */
export class S3Error extends Error {
  readonly status: number;

  constructor(
    readonly code: S3ErrorCode,
    readonly details: Record<string, string | number> = {},
    message: string = errors[code][1],
  ) {
    super(message);
    [this.status] = errors[code];
  }

  /** Formats the body of the response. */
  toXml(requestId: string): string {
    const elements = Object.entries({ Code: this.code, Message: this.message, ...this.details, RequestId: requestId });
    const inner = elements.map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`).join("");
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner}<HostId>emulator</HostId></Error>`;
  }
}

export function invalidArgument(name: string, value: string, message: string): S3Error {
  return new S3Error("InvalidArgument", { ArgumentName: name, ArgumentValue: value }, message);
}
