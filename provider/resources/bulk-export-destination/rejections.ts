/** Why a destination was refused: the store's words, as the service hands them on, told by the property to mend. */
import { HttpError } from "../../http/errors";
import { UserError } from "../../text/user-error";

/** What the key needs: the probe is written and deleted, and an export uploads in parts. */
const REQUIRED_ACTIONS = "s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket";

/** The words of a refusal -> the property, and the fix; the first that fits (interface-notes section 3). */
const CAUSES: [words: RegExp, property: string, fix: string][] = [
  [
    /signature/i,
    "credentials.secretAccessKey",
    "The store knows the key's id, but the secret is not that of this key: write the one that belongs to accessKeyId.",
  ],
  [
    /token/i,
    "credentials.sessionToken",
    "Temporary credentials expire, and their three parts belong together: write new ones, or a permanent key without sessionToken.",
  ],
  [
    /access ?key|key id/i,
    "credentials.accessKeyId",
    "The store does not know this key: write the id of one that exists and is active, at the store that config names.",
  ],
  [
    /endpoint|connect|resolve|unreachable|timed? ?out|ENOTFOUND|ECONNREFUSED/i,
    "config.endpointUrl",
    "Write the address of the store as the service reaches it, with https:// and without the bucket; leave it out for the cloud object store.",
  ],
  [/region|redirect|AuthorizationHeaderMalformed/i, "config.region", "Write the region that the bucket is in."],
  [
    /denied|forbidden|not authori[sz]ed/i,
    "credentials",
    `The key may not write to the bucket below the prefix. It needs ${REQUIRED_ACTIONS} there.`,
  ],
  [
    /bucket\b.*(valid|exist)|NoSuchBucket|InvalidBucket/i,
    "config.bucketName",
    "Write the bare name of a bucket that exists at this store, 3 to 63 characters; create it first.",
  ],
];

/** How a refusal begins (interface-notes section 3). */
const REJECTION_PREFIX = "Failed to validate S3 destination:";

const OTHER_CAUSE: (typeof CAUSES)[number] = [
  /./,
  "config",
  `Look whether the bucket exists at this store, and whether the key may do ${REQUIRED_ACTIONS} below the prefix.`,
];

/** @throws UserError that names the property and the fix when the destination was refused; else what it was given. */
export function throwExplained(error: unknown): never {
  if (!(error instanceof HttpError) || error.status !== 400) throw error;
  const cause = CAUSES.find(([pattern]) => pattern.test(storeMessage(error.detail)));
  if (!cause && !error.detail.startsWith(REJECTION_PREFIX)) throw error;
  const [, property, fix] = cause ?? OTHER_CAUSE;
  const id = error.requestId ? ` (request id ${error.requestId})` : "";
  throw new UserError(`${property}: ${error.detail}${id}\n${fix}\nNothing was changed.`);
}

/** The store's own words: those before the colon are the service's, and those in an address the user's. */
const storeMessage = (detail: string) => detail.replace(REJECTION_PREFIX, "").replace(/https?:\/\/\S+/g, "");
