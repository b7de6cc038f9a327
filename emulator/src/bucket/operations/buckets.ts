import { elementContents, elementText } from "../../runtime/text/xml";
import { Refusal } from "../errors";
import { receiveText } from "../requests/read-body";
import { type BucketAnswer, element, fields, iso, owner, xmlAnswer } from "../responses";
import type { Call } from "../service";

/** Maximum number of keys in one delete request. */
const mostKeys = 1000;

/** The region that responses name; buckets accept any region. */
const region = "us-east-1";

export function listBuckets({ room }: Call): BucketAnswer {
  const buckets = room.catalogue
    .buckets()
    .map(({ name, createdAt }) => element("Bucket", fields({ Name: name, CreationDate: iso(createdAt) })));
  return xmlAnswer("ListAllMyBucketsResult", owner("Owner"), element("Buckets", ...buckets));
}

/** The region in the body is ignored. */
export function createBucket({ room, bucket }: Call): BucketAnswer {
  if (!isBucketName(bucket)) throw new Refusal("InvalidBucketName", { BucketName: bucket });
  if (room.catalogue.hasBucket(bucket)) throw new Refusal("BucketAlreadyOwnedByYou", { BucketName: bucket });
  room.catalogue.addBucket(bucket);
  return { status: 200, headers: { location: `/${bucket}` } };
}

/** S3 bucket names: 3 to 63 lower-case letters, digits, hyphens and dots, and not an IP address. */
export function isBucketName(name: string): boolean {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) return false;
  return !/\.\.|\.-|-\./.test(name) && !/^\d+\.\d+\.\d+\.\d+$/.test(name);
}

export function headBucket({ room, bucket }: Call): BucketAnswer {
  room.catalogue.mustHaveBucket(bucket);
  return { status: 200, headers: { "x-amz-bucket-region": region } };
}

export function deleteBucket({ room, bucket }: Call): BucketAnswer {
  room.catalogue.removeBucket(bucket);
  return { status: 204 };
}

/** An empty location means us-east-1. */
export function bucketLocation({ room, bucket }: Call): BucketAnswer {
  room.catalogue.mustHaveBucket(bucket);
  return xmlAnswer("LocationConstraint");
}

/** Versioning is never enabled. */
export function bucketVersioning({ room, bucket }: Call): BucketAnswer {
  room.catalogue.mustHaveBucket(bucket);
  return xmlAnswer("VersioningConfiguration");
}

/** Deletes many objects. Missing objects count as deleted. */
export async function deleteObjects({ room, request, proof, bucket }: Call): Promise<BucketAnswer> {
  room.catalogue.mustHaveBucket(bucket);
  const checked = ["content-md5", "x-amz-trailer"].some((name) => request.header(name) !== undefined);
  if (!checked && !request.headerNames.some((name) => name.startsWith("x-amz-checksum-"))) {
    throw new Refusal("InvalidRequest", {}, "Missing required header for this request: Content-MD5");
  }
  const xml = await receiveText(request, proof);
  const keys = elementContents(xml, "Object").map((object) => elementText(object, "Key"));
  if (keys.length === 0 || keys.length > mostKeys) throw new Refusal("MalformedXML");
  const deleted = keys.map((key) => {
    if (!key) throw new Refusal("MalformedXML");
    room.catalogue.remove(bucket, key);
    return element("Deleted", fields({ Key: key }));
  });
  return xmlAnswer("DeleteResult", ...(elementText(xml, "Quiet") === "true" ? [] : deleted));
}
