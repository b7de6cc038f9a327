import { S3Error } from "../errors";
import type { StoredObject } from "../storage/object-index";
import type { BucketRequest } from "./request";

/** Returns whether a list of ETags, or `*`, includes this one. */
function matchesEtag(list: string, etag: string): boolean {
  return list.split(",").some((entry) => ["*", etag].includes(entry.trim().replace(/^W\//, "").replace(/^"|"$/g, "")));
}

function preconditionFailed(condition: string): S3Error {
  return new S3Error("PreconditionFailed", { Condition: condition });
}

function parseHttpDate(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Evaluates the conditions of a read, in headers with this prefix. Conditions on the ETag take precedence over the
 * time.
 * @throws S3Error if one fails.
 */
export function checkReadConditions(
  request: BucketRequest,
  object: StoredObject,
  prefix = "",
): "send" | "not-modified" {
  const header = (name: string) => request.header(prefix + name);
  // HTTP dates have a resolution of one second.
  const modified = Math.floor(object.modifiedAt / 1000) * 1000;
  const [match, noneMatch] = [header("if-match"), header("if-none-match")];
  const [since, until] = [parseHttpDate(header("if-modified-since")), parseHttpDate(header("if-unmodified-since"))];
  if (match !== undefined && !matchesEtag(match, object.etag)) throw preconditionFailed("If-Match");
  if (match === undefined && until !== undefined && modified > until) throw preconditionFailed("If-Unmodified-Since");
  const isNotModified =
    noneMatch === undefined ? since !== undefined && modified <= since : matchesEtag(noneMatch, object.etag);
  return isNotModified ? "not-modified" : "send";
}

/** Evaluates the conditions of a write against the existing object. @throws S3Error if one fails. */
export function checkWriteConditions(request: BucketRequest, object: StoredObject | undefined): void {
  const [match, noneMatch] = [request.header("if-match"), request.header("if-none-match")];
  if (noneMatch !== undefined && noneMatch !== "*") throw new S3Error("NotImplemented", { Header: "If-None-Match" });
  if (noneMatch !== undefined && object) throw preconditionFailed("If-None-Match");
  if (match === undefined) return;
  if (!object) throw new S3Error("NoSuchKey", { Key: request.key ?? "" });
  if (!matchesEtag(match, object.etag)) throw preconditionFailed("If-Match");
}
