import { Refusal } from "../errors";
import type { StoredObject } from "../storage/object-index";
import type { BucketRequest } from "./request";

/** Returns whether a list of ETags, or `*`, includes this one. */
function names(list: string, etag: string): boolean {
  return list.split(",").some((entry) => ["*", etag].includes(entry.trim().replace(/^W\//, "").replace(/^"|"$/g, "")));
}

function failed(condition: string): Refusal {
  return new Refusal("PreconditionFailed", { Condition: condition });
}

function timeIn(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Evaluates the conditions of a read, in headers with this prefix. Conditions on the ETag take precedence over the time.
 * @throws S3Error if one fails.
 */
export function judgeRead(request: BucketRequest, object: StoredObject, prefix = ""): "send" | "not-modified" {
  const header = (name: string) => request.header(prefix + name);
  // HTTP dates have a resolution of one second.
  const modified = Math.floor(object.modifiedAt / 1000) * 1000;
  const [match, noneMatch] = [header("if-match"), header("if-none-match")];
  const [since, until] = [timeIn(header("if-modified-since")), timeIn(header("if-unmodified-since"))];
  if (match !== undefined && !names(match, object.etag)) throw failed("If-Match");
  if (match === undefined && until !== undefined && modified > until) throw failed("If-Unmodified-Since");
  const unwanted = noneMatch === undefined ? since !== undefined && modified <= since : names(noneMatch, object.etag);
  return unwanted ? "not-modified" : "send";
}

/** Evaluates the conditions of a write against the existing object. @throws S3Error if one fails. */
export function judgeWrite(request: BucketRequest, object: StoredObject | undefined): void {
  const [match, noneMatch] = [request.header("if-match"), request.header("if-none-match")];
  if (noneMatch !== undefined && noneMatch !== "*") throw new Refusal("NotImplemented", { Header: "If-None-Match" });
  if (noneMatch !== undefined && object) throw failed("If-None-Match");
  if (match === undefined) return;
  if (!object) throw new Refusal("NoSuchKey", { Key: request.key ?? "" });
  if (!names(match, object.etag)) throw failed("If-Match");
}
