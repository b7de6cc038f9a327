import { S3Error } from "../errors";
import type { BucketRequest } from "./request";

/** The unverified authorization of a request: who signed what, and when. */
export interface SignedRequest {
  accessKeyId: string;
  /** "20260102/us-east-1/s3/aws4_request". */
  scope: string;
  signedHeaders: readonly string[];
  signature: string;
  /** "20260102T030405Z", and the same in milliseconds since 1970. */
  time: string;
  at: number;
  /** Lifetime of a signed URL in seconds; undefined for signed headers. */
  expiresIn: number | undefined;
  payload: string;
}

const MAX_LIFETIME_SECONDS = 7 * 24 * 3600;

/** Reads a Signature Version 4 from the headers or the query. @throws S3Error if it is incomplete. */
export function readSignature(request: BucketRequest): SignedRequest {
  if (request.query.has("X-Amz-Algorithm")) return fromQuery(request);
  // These two parameters indicate Signature Version 2.
  const isVersion2 = request.query.has("AWSAccessKeyId") && request.query.has("Signature");
  const authorization = request.header("authorization");
  if (authorization === undefined && !isVersion2) throw new S3Error("AccessDenied");
  if (!authorization?.startsWith("AWS4-HMAC-SHA256 ")) {
    const message = "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.";
    throw new S3Error("InvalidRequest", {}, message);
  }
  return fromHeaders(request, authorization);
}

function fromHeaders(request: BucketRequest, authorization: string): SignedRequest {
  const malformed = (reason: string) =>
    new S3Error("AuthorizationHeaderMalformed", {}, `The authorization header is malformed; ${reason}.`);
  const fields = authorization.slice(authorization.indexOf(" ")).split(",");
  const field = (name: string) => {
    const match = fields.map((text) => text.trim()).find((text) => text.startsWith(`${name}=`));
    if (match === undefined) throw malformed(`the authorization header requires the ${name} component`);
    return match.slice(name.length + 1);
  };
  const payload = request.header("x-amz-content-sha256");
  if (payload === undefined) {
    throw new S3Error("InvalidRequest", {}, "Missing required header for this request: x-amz-content-sha256");
  }
  const time = parseTime(request.header("x-amz-date") ?? fromHttpDate(request.header("date")));
  if (time === undefined) {
    throw new S3Error("AccessDenied", {}, "AWS authentication requires a valid Date or x-amz-date header");
  }
  return {
    ...parseCredential(field("Credential"), time.time, malformed),
    ...time,
    signedHeaders: field("SignedHeaders").split(";"),
    signature: field("Signature"),
    expiresIn: undefined,
    payload,
  };
}

function fromQuery(request: BucketRequest): SignedRequest {
  const malformed = (reason: string) => new S3Error("AuthorizationQueryParametersError", {}, reason);
  const parameter = (name: string) => {
    const value = request.query.get(name);
    if (value) return value;
    const all = ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature", "X-Amz-Date", "X-Amz-SignedHeaders"];
    throw malformed(
      `Query-string authentication version 4 requires the ${all.join(", ")}, and X-Amz-Expires parameters.`,
    );
  };
  if (parameter("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256") {
    throw malformed('X-Amz-Algorithm only supports "AWS4-HMAC-SHA256"');
  }
  const expires = parameter("X-Amz-Expires");
  if (!/^\d+$/.test(expires)) throw malformed("X-Amz-Expires should be a number");
  if (Number(expires) > MAX_LIFETIME_SECONDS) {
    throw malformed(
      "X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less " +
        `than ${MAX_LIFETIME_SECONDS} seconds`,
    );
  }
  const time = parseTime(parameter("X-Amz-Date"));
  if (time === undefined) throw malformed("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  return {
    ...parseCredential(parameter("X-Amz-Credential"), time.time, malformed),
    ...time,
    signedHeaders: parameter("X-Amz-SignedHeaders").split(";"),
    signature: parameter("X-Amz-Signature"),
    expiresIn: Number(expires),
    payload: request.header("x-amz-content-sha256") ?? request.query.get("X-Amz-Content-Sha256") ?? "UNSIGNED-PAYLOAD",
  };
}

/** Accepts any region, because emulated buckets exist in all regions. */
function parseCredential(
  credential: string,
  time: string,
  malformed: (reason: string) => S3Error,
): Pick<SignedRequest, "accessKeyId" | "scope"> {
  const match = /^(.+)\/((\d{8})\/[^/]+\/([^/]+)\/([^/]+))$/.exec(credential);
  if (!match) {
    throw malformed('the Credential is mal-formed; expecting "<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request"');
  }
  const [, accessKeyId = "", scope = "", date = "", service, terminal] = match;
  if (service !== "s3") throw malformed(`incorrect service "${service}". This endpoint belongs to "s3"`);
  if (terminal !== "aws4_request")
    throw malformed(`incorrect terminal "${terminal}". This endpoint uses "aws4_request"`);
  if (!time.startsWith(date)) {
    const day = time.slice(0, 8);
    throw malformed(`Invalid credential date "${date}". This date is not the same as X-Amz-Date: "${day}"`);
  }
  return { accessKeyId, scope };
}

/** Parses "20260102T030405Z"; undefined if it is invalid. */
function parseTime(time: string | undefined): Pick<SignedRequest, "time" | "at"> | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time ?? "");
  if (!match || time === undefined) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at) ? undefined : { time, at };
}

function fromHttpDate(text: string | undefined): string | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");
}
