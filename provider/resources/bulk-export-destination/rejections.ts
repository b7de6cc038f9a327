/** Explains why a destination was rejected: finds the property to fix in the store's message. */
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";

/** Permissions of the access key: the server writes and deletes a probe, and exports use multipart uploads. */
const REQUIRED_ACTIONS = "s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket";

/** Message pattern -> the property and the remedy; the first match is used (API `7:destinations.detail`). */
const CAUSES: [words: RegExp, property: string, remedy: string][] = [
  [
    /signature/i,
    "credentials.secretAccessKey",
    "The store recognizes the access key ID, but the secret does not match it. Use the secret that belongs to accessKeyId.",
  ],
  [
    /token/i,
    "credentials.sessionToken",
    "Temporary credentials expire, and their three parts belong together. Use new ones, or a permanent access key without sessionToken.",
  ],
  [
    /access ?key|key id/i,
    "credentials.accessKeyId",
    "The store does not recognize this access key. Use the ID of an active key of the store in config.",
  ],
  [
    /endpoint|connect|resolve|unreachable|timed? ?out|ENOTFOUND|ECONNREFUSED/i,
    "config.endpointUrl",
    "Use a URL of the store that the server can reach, with https:// and without the bucket. Omit it for the cloud object store.",
  ],
  [/region|redirect|AuthorizationHeaderMalformed/i, "config.region", "Use the region of the bucket."],
  [
    /denied|forbidden|not authori[sz]ed/i,
    "credentials",
    `The access key has no write access to the bucket below the prefix. It needs ${REQUIRED_ACTIONS}.`,
  ],
  [
    /bucket\b.*(valid|exist)|NoSuchBucket|InvalidBucket/i,
    "config.bucketName",
    "Use the name of a bucket that exists in this store, 3 to 63 characters, without s3:// or a path. Create the bucket first if needed.",
  ],
];

/** How the server's rejection begins (API `7:destinations.detail`). */
const REJECTION_PREFIX = "Failed to validate S3 destination:";

const OTHER_CAUSE: (typeof CAUSES)[number] = [
  /./,
  "config",
  `Check that the bucket exists in this store and that the access key has ${REQUIRED_ACTIONS} below the prefix.`,
];

/** @throws UserError with the property and the fix when the destination was rejected; otherwise the given error. */
export function throwExplained(error: unknown): never {
  if (!(error instanceof HttpError) || error.status !== 400) throw error;
  const cause = CAUSES.find(([pattern]) => pattern.test(storeMessage(error.detail)));
  if (!cause && !error.detail.startsWith(REJECTION_PREFIX)) throw error;
  const [, property, remedy] = cause ?? OTHER_CAUSE;
  throw new UserError(`${property}: ${error.quote}\n${remedy}\nNo changes were made.`);
}

/** Returns the store's own message, without the server's prefix and without URLs. */
const storeMessage = (detail: string) => detail.replace(REJECTION_PREFIX, "").replace(/https?:\/\/\S+/g, "");
