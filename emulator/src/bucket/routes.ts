import { S3Error } from "./errors";
import * as buckets from "./operations/buckets";
import * as lists from "./operations/lists";
import * as multipart from "./operations/multipart";
import * as objects from "./operations/objects";
import type { BucketRequest } from "./requests/request";
import type { OperationHandler } from "./service";

/** What a path addresses. */
type Level = "service" | "bucket" | "object";

interface BucketRoute {
  method: string;
  level: Level;
  /** Query parameters that select this operation. */
  query: readonly string[];
  /** The header that selects this operation. */
  header?: string;
  run: OperationHandler;
}

function route(method: string, level: Level, query: string, run: OperationHandler): BucketRoute {
  return { method, level, query: query.split(" ").filter(Boolean), run };
}
const COPY_SOURCE = { header: "x-amz-copy-source" };

/** The first match wins, so more specific routes come first. */
export const routes: readonly BucketRoute[] = [
  route("GET", "service", "", buckets.listBuckets),
  route("GET", "bucket", "location", buckets.bucketLocation),
  route("GET", "bucket", "versioning", buckets.bucketVersioning),
  route("GET", "bucket", "uploads", lists.listUploads),
  route("GET", "bucket", "list-type", lists.listObjectsV2),
  route("GET", "bucket", "", lists.listObjects),
  route("HEAD", "bucket", "", buckets.headBucket),
  route("PUT", "bucket", "", buckets.createBucket),
  route("DELETE", "bucket", "", buckets.deleteBucket),
  route("POST", "bucket", "delete", buckets.deleteObjects),
  route("GET", "object", "uploadId", multipart.listParts),
  route("GET", "object", "", objects.getObject),
  route("HEAD", "object", "", objects.getObject),
  { ...route("PUT", "object", "partNumber uploadId", multipart.copyPart), ...COPY_SOURCE },
  route("PUT", "object", "partNumber uploadId", multipart.uploadPart),
  { ...route("PUT", "object", "", objects.copyObject), ...COPY_SOURCE },
  route("PUT", "object", "", objects.putObject),
  route("DELETE", "object", "uploadId", multipart.abortUpload),
  route("DELETE", "object", "", objects.deleteObject),
  route("POST", "object", "uploads", multipart.createUpload),
  route("POST", "object", "uploadId", multipart.completeUpload),
];

/** Query parameters of other S3 operations, which must not be mistaken for the plain ones. */
const unsupportedParameters = new Set([
  ...["accelerate", "acl", "analytics", "attributes", "cors", "delete", "encryption", "intelligent-tiering"],
  ...["inventory", "legal-hold", "lifecycle", "location", "logging", "metrics", "notification", "object-lock"],
  ...["ownershipControls", "partNumber", "policy", "policyStatus", "publicAccessBlock", "replication"],
  ...["requestPayment", "restore", "retention", "select", "tagging", "torrent", "uploadId", "uploads"],
  ...["versionId", "versioning", "versions", "website"],
]);

/** Returns the operation of a request. @throws S3Error for operations that are not implemented or do not exist. */
export function findOperation(request: BucketRequest): OperationHandler {
  const { method, query } = request;
  const level: Level = request.bucket === undefined ? "service" : request.key === undefined ? "bucket" : "object";
  const candidates = routes.filter((route) => route.level === level && route.method === method);
  const match = candidates.find(
    (route) =>
      route.query.every((name) => query.has(name)) &&
      (route.header === undefined || request.header(route.header) !== undefined),
  );
  const unsupported = [...query.keys()].find((name) => unsupportedParameters.has(name) && !match?.query.includes(name));
  if (unsupported !== undefined) throw new S3Error("NotImplemented", { Parameter: unsupported });
  if (!match) throw new S3Error("MethodNotAllowed", { Method: method, ResourceType: level.toUpperCase() });
  return match.run;
}
