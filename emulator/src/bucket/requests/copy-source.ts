import { invalidArgument, S3Error } from "../errors";
import type { ObjectIndex, StoredObject } from "../storage/object-index";
import { checkReadConditions } from "./conditions";
import type { BucketRequest } from "./request";

/** Returns the source of a copy. @throws S3Error if it does not exist or a condition fails. */
export function findCopySource(request: BucketRequest, index: ObjectIndex): { bucket: string; object: StoredObject } {
  const header = request.header("x-amz-copy-source") ?? "";
  const match = /^\/?([^/?]+)\/([^?]+)$/.exec(header);
  if (!match) {
    const message = "Copy Source must mention the source bucket and key: sourcebucket/sourcekey";
    throw invalidArgument("x-amz-copy-source", header, message);
  }
  const [bucket = "", key = ""] = match.slice(1).map(decode);
  index.requireBucket(bucket);
  const object = index.find(bucket, key);
  if (!object) throw new S3Error("NoSuchKey", { Key: key });
  const isNotModified = checkReadConditions(request, object, "x-amz-copy-source-") === "not-modified";
  if (isNotModified) throw new S3Error("PreconditionFailed", { Condition: "x-amz-copy-source-If-None-Match" });
  return { bucket, object };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error("InvalidURI", { URI: text });
  }
}
