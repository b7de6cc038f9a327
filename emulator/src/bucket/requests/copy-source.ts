import { invalidArgument, Refusal } from "../errors";
import type { Catalogue, StoredObject } from "../storage/object-index";
import { judgeRead } from "./conditions";
import type { BucketRequest } from "./request";

/** Returns the source of a copy. @throws S3Error if it does not exist or a condition fails. */
export function readSource(request: BucketRequest, catalogue: Catalogue): { bucket: string; object: StoredObject } {
  const header = request.header("x-amz-copy-source") ?? "";
  const found = /^\/?([^/?]+)\/([^?]+)$/.exec(header);
  if (!found) {
    const message = "Copy Source must mention the source bucket and key: sourcebucket/sourcekey";
    throw invalidArgument("x-amz-copy-source", header, message);
  }
  const [bucket = "", key = ""] = found.slice(1).map(decode);
  catalogue.mustHaveBucket(bucket);
  const object = catalogue.find(bucket, key);
  if (!object) throw new Refusal("NoSuchKey", { Key: key });
  const unwanted = judgeRead(request, object, "x-amz-copy-source-") === "not-modified";
  if (unwanted) throw new Refusal("PreconditionFailed", { Condition: "x-amz-copy-source-If-None-Match" });
  return { bucket, object };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal("InvalidURI", { URI: text });
  }
}
