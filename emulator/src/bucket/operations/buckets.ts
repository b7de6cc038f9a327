import { elementContents, elementText } from "../../runtime/text/xml";
import { S3Error } from "../errors";
import { readTextBody } from "../requests/read-body";
import { type BucketResponse, element, fields, ownerElement, toIsoString, xmlResponse } from "../responses";
import type { BucketOperation } from "../service";

/** Maximum number of keys in one delete request. */
const MAX_KEYS = 1000;

/** The region that responses name; buckets accept any region. */
const region = "us-east-1";

export function listBuckets({ service }: BucketOperation): BucketResponse {
  const buckets = service.index
    .buckets()
    .map(({ name, createdAt }) => element("Bucket", fields({ Name: name, CreationDate: toIsoString(createdAt) })));
  return xmlResponse("ListAllMyBucketsResult", ownerElement("Owner"), element("Buckets", ...buckets));
}

/** The region in the body is ignored. */
export function createBucket({ service, bucket }: BucketOperation): BucketResponse {
  if (!isBucketName(bucket)) throw new S3Error("InvalidBucketName", { BucketName: bucket });
  if (service.index.hasBucket(bucket)) throw new S3Error("BucketAlreadyOwnedByYou", { BucketName: bucket });
  service.index.addBucket(bucket);
  return { status: 200, headers: { location: `/${bucket}` } };
}

/** S3 bucket names: 3 to 63 lower-case letters, digits, hyphens and dots, and not an IP address. */
export function isBucketName(name: string): boolean {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) return false;
  return !/\.\.|\.-|-\./.test(name) && !/^\d+\.\d+\.\d+\.\d+$/.test(name);
}

export function headBucket({ service, bucket }: BucketOperation): BucketResponse {
  service.index.requireBucket(bucket);
  return { status: 200, headers: { "x-amz-bucket-region": region } };
}

export function deleteBucket({ service, bucket }: BucketOperation): BucketResponse {
  service.index.removeBucket(bucket);
  return { status: 204 };
}

/** An empty location means us-east-1. */
export function bucketLocation({ service, bucket }: BucketOperation): BucketResponse {
  service.index.requireBucket(bucket);
  return xmlResponse("LocationConstraint");
}

/** Versioning is never enabled. */
export function bucketVersioning({ service, bucket }: BucketOperation): BucketResponse {
  service.index.requireBucket(bucket);
  return xmlResponse("VersioningConfiguration");
}

/** Deletes many objects. Missing objects count as deleted. */
export async function deleteObjects({ service, request, verified, bucket }: BucketOperation): Promise<BucketResponse> {
  service.index.requireBucket(bucket);
  const hasDigest = ["content-md5", "x-amz-trailer"].some((name) => request.header(name) !== undefined);
  if (!hasDigest && !request.headerNames.some((name) => name.startsWith("x-amz-checksum-"))) {
    throw new S3Error("InvalidRequest", {}, "Missing required header for this request: Content-MD5");
  }
  const xml = await readTextBody(request, verified);
  const keys = elementContents(xml, "Object").map((object) => elementText(object, "Key"));
  if (keys.length === 0 || keys.length > MAX_KEYS) throw new S3Error("MalformedXML");
  const deleted = keys.map((key) => {
    if (!key) throw new S3Error("MalformedXML");
    service.index.remove(bucket, key);
    return element("Deleted", fields({ Key: key }));
  });
  return xmlResponse("DeleteResult", ...(elementText(xml, "Quiet") === "true" ? [] : deleted));
}
