import type { Context } from "../../runtime/context";
import { BucketError, type S3Target } from "../s3/client";
import type { DestinationRecord } from "./records";
import type { DestinationConfig, DestinationCredentials } from "./schemas";

/** Returns the bucket of a destination with its credentials. @throws BucketError without credentials. */
export function toS3Target(
  { settings, bucketKey }: Context,
  config: DestinationConfig,
  given: DestinationCredentials | null | undefined,
): S3Target {
  // Without a key, the platform of today assumes a role, or has credentials of its own. Here both open the emulator's
  // bucket.
  const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = bucketKey;
  const identity = settings.platform === "today" ? { access_key_id, secret_access_key } : undefined;
  const credentials: DestinationCredentials | undefined = given ?? identity;
  if (!credentials) throw new BucketError("NoCredentials", 0, "Unable to locate credentials");
  const style = config.config_kwargs_s3?.addressing_style ?? "auto";
  // Without the bucket in the prefix, the endpoint URL already contains it (API `2C.Output layout:bucket`).
  const isInEndpoint = config.include_bucket_in_prefix === false && config.endpoint_url != null;
  return {
    bucketName: config.bucket_name,
    region: config.region ?? undefined,
    endpointUrl: config.endpoint_url ?? undefined,
    addressingStyle: isInEndpoint ? "endpoint" : style,
    accessKeyId: credentials.access_key_id,
    secretAccessKey: credentials.secret_access_key,
    sessionToken: credentials.session_token ?? undefined,
  };
}

/** Returns the bucket of a stored destination. */
export function storedTarget(context: Context, { id, config, credentials }: DestinationRecord): S3Target {
  const { secretBox } = context;
  return toS3Target(context, config, credentials === null ? null : JSON.parse(secretBox.open(credentials, id)));
}
