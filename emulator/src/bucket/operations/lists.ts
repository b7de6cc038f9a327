import { invalidArgument } from "../errors";
import type { BucketRequest } from "../requests/request";
import { type BucketResponse, element, fields, ownerElement, quoteEtag, toIsoString, xmlResponse } from "../responses";
import type { BucketOperation } from "../service";
import type { ObjectIndex, StoredObject } from "../storage/object-index";
import { type Page, paginate } from "./pagination";

/** Maximum entries of a page. */
const MAX_ENTRIES = 1000;

/** ListObjectsV2: pages by an opaque token. */
export function listObjectsV2({ service, request, bucket }: BucketOperation): BucketResponse {
  service.index.requireBucket(bucket);
  const { prefix, delimiter, max, text } = parseListQuery(request, "max-keys");
  const token = request.query.get("continuation-token");
  const startAfter = request.query.get("start-after");
  const after = token === undefined ? (startAfter ?? "") : decodeToken(token);
  const page = paginate(objects(service.index, bucket, prefix, after), { prefix, delimiter, after, max });
  return xmlResponse(
    "ListBucketResult",
    fields({ Name: bucket, Prefix: text(prefix), Delimiter: text(delimiter || undefined) }),
    fields({ MaxKeys: max, KeyCount: page.entries.length + page.prefixes.length, EncodingType: encoding(request) }),
    fields({ StartAfter: text(startAfter), ContinuationToken: token }),
    fields({ IsTruncated: page.next !== undefined, NextContinuationToken: page.next && encodeToken(page.next) }),
    ...contents(page, text, request.query.get("fetch-owner") === "true"),
  );
}

/** ListObjects, version 1: pages by the last key. */
export function listObjects({ service, request, bucket }: BucketOperation): BucketResponse {
  service.index.requireBucket(bucket);
  const { prefix, delimiter, max, text } = parseListQuery(request, "max-keys");
  const marker = request.query.get("marker") ?? "";
  const page = paginate(objects(service.index, bucket, prefix, marker), { prefix, delimiter, after: marker, max });
  // Without a delimiter, clients continue from the last key.
  const next = delimiter === "" ? undefined : page.next;
  return xmlResponse(
    "ListBucketResult",
    fields({ Name: bucket, Prefix: text(prefix), Marker: text(marker), Delimiter: text(delimiter || undefined) }),
    fields({ MaxKeys: max, EncodingType: encoding(request), IsTruncated: page.next !== undefined }),
    fields({ NextMarker: text(next) }),
    ...contents(page, text, true),
  );
}

/** ListMultipartUploads: pages by key and upload ID. */
export function listUploads({ service, request, bucket }: BucketOperation): BucketResponse {
  service.index.requireBucket(bucket);
  const { prefix, delimiter, max, text } = parseListQuery(request, "max-uploads");
  const after = request.query.get("key-marker") ?? "";
  const idMarker = request.query.get("upload-id-marker") ?? "";
  const all = service.uploads.list(bucket).filter(({ key }) => key.startsWith(prefix));
  // The marker's own upload ends the previous page; without an upload ID, all uploads of its key do.
  const markerIndex = all.findIndex(({ key, id }) => key === after && id === idMarker);
  const remaining =
    markerIndex === -1 ? all.filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0) : all;
  const page = paginate(remaining.slice(markerIndex + 1), { prefix, delimiter, after, max });
  const last = page.next !== undefined && page.entries.at(-1)?.key === page.next ? page.entries.at(-1)?.id : undefined;
  return xmlResponse(
    "ListMultipartUploadsResult",
    fields({ Bucket: bucket, KeyMarker: text(after), UploadIdMarker: idMarker, Prefix: text(prefix) }),
    fields({ Delimiter: text(delimiter || undefined), MaxUploads: max, EncodingType: encoding(request) }),
    fields({ IsTruncated: page.next !== undefined, NextKeyMarker: text(page.next), NextUploadIdMarker: last }),
    ...page.entries.map(({ key, id, startedAt }) => {
      const upload = fields({
        Key: text(key),
        UploadId: id,
        StorageClass: "STANDARD",
        Initiated: toIsoString(startedAt),
      });
      return element("Upload", upload, ownerElement("Initiator"), ownerElement("Owner"));
    }),
    ...commonPrefixes(page, text),
  );
}

type ToText = (value: string | undefined) => string | undefined;

/** Parses the parameters that all lists share; `text` encodes keys as the client requested. */
function parseListQuery(request: BucketRequest, limit: string) {
  const { query } = request;
  const count = query.get(limit) ?? String(MAX_ENTRIES);
  if (!/^\d+$/.test(count) || Number(count) > 2 ** 31 - 1) {
    throw invalidArgument(limit, count, `Argument ${limit} must be an integer between 0 and 2147483647`);
  }
  const encodingType = query.get("encoding-type");
  if (encodingType !== undefined && encodingType !== "url") {
    throw invalidArgument("encoding-type", encodingType, "Invalid Encoding Method specified in Request");
  }
  const text: ToText = (value) => (encodingType === undefined || value === undefined ? value : urlEncode(value));
  const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter") ?? ""];
  return { prefix, delimiter, max: Math.min(Number(count), MAX_ENTRIES), text };
}

const encoding = ({ query }: BucketRequest) => query.get("encoding-type");

/** Keys may contain characters that XML cannot represent. */
function urlEncode(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/");
}

function* objects(index: ObjectIndex, bucket: string, prefix: string, after: string): Generator<StoredObject> {
  let last = after;
  for (;;) {
    const batch = index.objectsFrom(bucket, prefix, last, MAX_ENTRIES + 1);
    yield* batch;
    const lastObject = batch.at(-1);
    if (lastObject === undefined) return;
    last = lastObject.key;
  }
}

function contents(page: Page<StoredObject>, text: ToText, withOwner: boolean): string[] {
  const entries = page.entries.map(({ key, size, etag, modifiedAt }) => {
    const object = fields({ Key: text(key), LastModified: toIsoString(modifiedAt), ETag: quoteEtag(etag), Size: size });
    return element("Contents", object, fields({ StorageClass: "STANDARD" }), withOwner ? ownerElement("Owner") : "");
  });
  return [...entries, ...commonPrefixes(page, text)];
}

function commonPrefixes(page: Page<unknown>, text: ToText): string[] {
  return page.prefixes.map((prefix) => element("CommonPrefixes", fields({ Prefix: text(prefix) })));
}

function encodeToken(last: string): string {
  return Buffer.from(`1${last}`).toString("base64url");
}

function decodeToken(token: string): string {
  const last = Buffer.from(token, "base64url").toString();
  if (last.startsWith("1") && encodeToken(last.slice(1)) === token) return last.slice(1);
  throw invalidArgument("continuation-token", token, "The continuation token provided is incorrect");
}
