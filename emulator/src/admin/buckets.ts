import { isBucketName } from "../bucket/operations/buckets";
import type { BucketKey } from "../bucket/requests/signature";
import { toIsoString } from "../bucket/responses";
import type { BucketService } from "../bucket/service";
import type { AdminRoute } from "../http/admin-gateway";
import { ApiError } from "../runtime/errors";

/** The address of the bucket server, and its credentials. */
export type BucketAccess = BucketKey & { url: string };

/** `/_emulator/buckets`: manages buckets without signatures. */
export function bucketAdminRoutes({ index }: BucketService, access: BucketAccess): AdminRoute[] {
  return [
    {
      method: "GET",
      path: "/buckets",
      handle: () => ({
        url: access.url,
        access_key_id: access.accessKeyId,
        secret_access_key: access.secretAccessKey,
        buckets: index.buckets().map(({ name, createdAt }) => {
          return { name, created_at: toIsoString(createdAt), ...index.measure(name) };
        }),
      }),
    },
    {
      method: "PUT",
      path: "/buckets/{name}",
      status: 201,
      handle({ params: { name = "" } }) {
        if (!isBucketName(name))
          throw new ApiError(400, "Invalid bucket name; use 3 to 63 lower-case letters, digits, hyphens and dots");
        if (!index.hasBucket(name)) index.addBucket(name);
        return { name };
      },
    },
    {
      method: "DELETE",
      path: "/buckets/{name}",
      handle({ params: { name = "" } }) {
        if (!index.hasBucket(name)) throw new ApiError(404, `Bucket ${name} does not exist`);
        index.removeBucketWithObjects(name);
      },
    },
  ];
}
