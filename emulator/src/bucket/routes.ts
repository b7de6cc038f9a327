import { Refusal } from "./errors";
import * as buckets from "./operations/buckets";
import * as lists from "./operations/lists";
import * as multipart from "./operations/multipart";
import * as objects from "./operations/objects";
import type { BucketRequest } from "./requests/request";
import type { Operation } from "./service";

/** What of the service a path means. */
type Level = "service" | "bucket" | "object";

interface BucketRoute {
  method: string;
  level: Level;
  /** The query parameters that make it this operation. */
  query: readonly string[];
  /** The header that does. */
  header?: string;
  run: Operation;
}

function route(method: string, level: Level, query: string, run: Operation, header?: string): BucketRoute {
  return { method, level, query: query.split(" ").filter(Boolean), run, ...(header && { header }) };
}

/** The first that fits is taken, so what asks for more stands before. */
const routes: readonly BucketRoute[] = [
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
  route("PUT", "object", "partNumber uploadId", multipart.copyPart, "x-amz-copy-source"),
  route("PUT", "object", "partNumber uploadId", multipart.uploadPart),
  route("PUT", "object", "", objects.copyObject, "x-amz-copy-source"),
  route("PUT", "object", "", objects.putObject),
  route("DELETE", "object", "uploadId", multipart.abortUpload),
  route("DELETE", "object", "", objects.deleteObject),
  route("POST", "object", "uploads", multipart.createUpload),
  route("POST", "object", "uploadId", multipart.completeUpload),
];

/** Query parameters that name another operation of S3, which must not be taken for the plain one. */
const others = new Set([
  ...["accelerate", "acl", "analytics", "attributes", "cors", "delete", "encryption", "intelligent-tiering"],
  ...["inventory", "legal-hold", "lifecycle", "location", "logging", "metrics", "notification", "object-lock"],
  ...["ownershipControls", "partNumber", "policy", "policyStatus", "publicAccessBlock", "replication"],
  ...["requestPayment", "restore", "retention", "select", "tagging", "torrent", "uploadId", "uploads"],
  ...["versionId", "versioning", "versions", "website"],
]);

/** The operation that a request asks for. Throws Refusal for one of S3 that is not served here, and for none of S3. */
export function operationOf(request: BucketRequest): Operation {
  const { method, query } = request;
  const level: Level = request.bucket === undefined ? "service" : request.key === undefined ? "bucket" : "object";
  const own = routes.filter((route) => route.level === level && route.method === method);
  const found = own.find(
    (route) =>
      route.query.every((name) => query.has(name)) &&
      (route.header === undefined || request.header(route.header) !== undefined),
  );
  const other = [...query.keys()].find((name) => others.has(name) && !found?.query.includes(name));
  if (other !== undefined) throw new Refusal("NotImplemented", { Parameter: other });
  if (!found) throw new Refusal("MethodNotAllowed", { Method: method, ResourceType: level.toUpperCase() });
  return found.run;
}
