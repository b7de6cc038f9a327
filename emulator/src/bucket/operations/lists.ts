import { invalidArgument } from "../errors";
import type { BucketRequest } from "../requests/request";
import { type BucketAnswer, element, fields, iso, owner, quoted, xmlAnswer } from "../responses";
import type { Call } from "../service";
import type { Catalogue, StoredObject } from "../storage/object-index";
import { type Page, pageOf } from "./pagination";

/** Maximum entries of a page. */
const mostEntries = 1000;

/** ListObjectsV2: pages by an opaque token. */
export function listObjectsV2({ room, request, bucket }: Call): BucketAnswer {
  room.catalogue.mustHaveBucket(bucket);
  const { prefix, delimiter, max, text } = asked(request, "max-keys");
  const token = request.query.get("continuation-token");
  const startAfter = request.query.get("start-after");
  const after = token === undefined ? (startAfter ?? "") : readToken(token);
  const page = pageOf(objects(room.catalogue, bucket, prefix, after), { prefix, delimiter, after, max });
  return xmlAnswer(
    "ListBucketResult",
    fields({ Name: bucket, Prefix: text(prefix), Delimiter: text(delimiter || undefined) }),
    fields({ MaxKeys: max, KeyCount: page.entries.length + page.prefixes.length, EncodingType: encoding(request) }),
    fields({ StartAfter: text(startAfter), ContinuationToken: token }),
    fields({ IsTruncated: page.next !== undefined, NextContinuationToken: page.next && writeToken(page.next) }),
    ...contents(page, text, request.query.get("fetch-owner") === "true"),
  );
}

/** ListObjects, version 1: pages by the last key. */
export function listObjects({ room, request, bucket }: Call): BucketAnswer {
  room.catalogue.mustHaveBucket(bucket);
  const { prefix, delimiter, max, text } = asked(request, "max-keys");
  const marker = request.query.get("marker") ?? "";
  const page = pageOf(objects(room.catalogue, bucket, prefix, marker), { prefix, delimiter, after: marker, max });
  // Without a delimiter, clients continue from the last key.
  const next = delimiter === "" ? undefined : page.next;
  return xmlAnswer(
    "ListBucketResult",
    fields({ Name: bucket, Prefix: text(prefix), Marker: text(marker), Delimiter: text(delimiter || undefined) }),
    fields({ MaxKeys: max, EncodingType: encoding(request), IsTruncated: page.next !== undefined }),
    fields({ NextMarker: text(next) }),
    ...contents(page, text, true),
  );
}

/** ListMultipartUploads: pages by key and upload ID. */
export function listUploads({ room, request, bucket }: Call): BucketAnswer {
  room.catalogue.mustHaveBucket(bucket);
  const { prefix, delimiter, max, text } = asked(request, "max-uploads");
  const after = request.query.get("key-marker") ?? "";
  const idMarker = request.query.get("upload-id-marker") ?? "";
  const all = room.uploads.list(bucket).filter(({ key }) => key.startsWith(prefix));
  // The marker's own upload ends the previous page; without an upload ID, all uploads of its key do.
  const place = all.findIndex(({ key, id }) => key === after && id === idMarker);
  const rest = place === -1 ? all.filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0) : all;
  const page = pageOf(rest.slice(place + 1), { prefix, delimiter, after, max });
  const last = page.next !== undefined && page.entries.at(-1)?.key === page.next ? page.entries.at(-1)?.id : undefined;
  return xmlAnswer(
    "ListMultipartUploadsResult",
    fields({ Bucket: bucket, KeyMarker: text(after), UploadIdMarker: idMarker, Prefix: text(prefix) }),
    fields({ Delimiter: text(delimiter || undefined), MaxUploads: max, EncodingType: encoding(request) }),
    fields({ IsTruncated: page.next !== undefined, NextKeyMarker: text(page.next), NextUploadIdMarker: last }),
    ...page.entries.map(({ key, id, startedAt }) => {
      const upload = fields({ Key: text(key), UploadId: id, StorageClass: "STANDARD", Initiated: iso(startedAt) });
      return element("Upload", upload, owner("Initiator"), owner("Owner"));
    }),
    ...rolledUp(page, text),
  );
}

type ToText = (value: string | undefined) => string | undefined;

/** Parses the parameters that all lists share; `text` encodes keys as the client requested. */
function asked(request: BucketRequest, limit: string) {
  const { query } = request;
  const count = query.get(limit) ?? String(mostEntries);
  if (!/^\d+$/.test(count) || Number(count) > 2 ** 31 - 1) {
    throw invalidArgument(limit, count, `Argument ${limit} must be an integer between 0 and 2147483647`);
  }
  const wanted = query.get("encoding-type");
  if (wanted !== undefined && wanted !== "url") {
    throw invalidArgument("encoding-type", wanted, "Invalid Encoding Method specified in Request");
  }
  const text: ToText = (value) => (wanted === undefined || value === undefined ? value : urlText(value));
  const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter") ?? ""];
  return { prefix, delimiter, max: Math.min(Number(count), mostEntries), text };
}

const encoding = ({ query }: BucketRequest) => query.get("encoding-type");

/** Keys may contain characters that XML cannot represent. */
function urlText(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/");
}

function* objects(catalogue: Catalogue, bucket: string, prefix: string, after: string): Generator<StoredObject> {
  let last = after;
  for (;;) {
    const some = catalogue.objectsFrom(bucket, prefix, last, mostEntries + 1);
    yield* some;
    const end = some.at(-1);
    if (end === undefined) return;
    last = end.key;
  }
}

function contents(page: Page<StoredObject>, text: ToText, withOwner: boolean): string[] {
  const entries = page.entries.map(({ key, size, etag, modifiedAt }) => {
    const object = fields({ Key: text(key), LastModified: iso(modifiedAt), ETag: quoted(etag), Size: size });
    return element("Contents", object, fields({ StorageClass: "STANDARD" }), withOwner ? owner("Owner") : "");
  });
  return [...entries, ...rolledUp(page, text)];
}

function rolledUp(page: Page<unknown>, text: ToText): string[] {
  return page.prefixes.map((prefix) => element("CommonPrefixes", fields({ Prefix: text(prefix) })));
}

function writeToken(last: string): string {
  return Buffer.from(`1${last}`).toString("base64url");
}

function readToken(token: string): string {
  const last = Buffer.from(token, "base64url").toString();
  if (last.startsWith("1") && writeToken(last.slice(1)) === token) return last.slice(1);
  throw invalidArgument("continuation-token", token, "The continuation token provided is incorrect");
}
