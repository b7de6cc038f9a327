import { Refusal } from "../errors";
import { judgeRead, judgeWrite } from "../requests/conditions";
import { readSource } from "../requests/copy-source";
import { type Range, rangeOf } from "../requests/ranges";
import { receive } from "../requests/read-body";
import type { BucketRequest } from "../requests/request";
import { type BucketAnswer, fields, iso, quoted, xmlAnswer } from "../responses";
import type { Call } from "../service";
import type { StoredObject } from "../storage/object-index";

/** Headers that are stored with an object and returned to readers. */
const kept = ["content-type", "cache-control", "content-disposition", "content-language", "expires"];

/** Returns the headers to store with an object: those above, user metadata, and the content encoding. */
export function keptHeaders(request: BucketRequest): Record<string, string> {
  const names = [...kept, ...request.headerNames.filter((name) => name.startsWith("x-amz-meta-"))];
  const found = names.flatMap((name) => {
    const value = request.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  // `aws-chunked` describes the transfer, not the content.
  const encodings = request.header("content-encoding")?.split(",") ?? [];
  const encoding = encodings.map((name) => name.trim()).filter((name) => name !== "" && name !== "aws-chunked");
  return Object.fromEntries([...found, ...(encoding.length > 0 ? [["content-encoding", encoding.join(",")]] : [])]);
}

export async function putObject({ room, request, proof, bucket, key }: Call): Promise<BucketAnswer> {
  const { catalogue, files } = room;
  catalogue.mustHaveBucket(bucket);
  judgeWrite(request, catalogue.find(bucket, key));
  const { file, result } = await files.write((append) => receive(request, proof, append));
  const { size, md5: etag, checksum } = result;
  const object = { key, file, size, etag, checksum, modifiedAt: Date.now(), headers: keptHeaders(request) };
  room.commit(file, () => {
    // Another writer may have been faster.
    judgeWrite(request, catalogue.find(bucket, key));
    catalogue.put(bucket, object);
  });
  return { status: 200, headers: { etag: quoted(etag), ...checksumHeader(checksum) } };
}

function checksumHeader(checksum: string | undefined): Record<string, string> {
  if (checksum === undefined) return {};
  const [name, value = ""] = checksum.split(":");
  return { [`x-amz-checksum-${name}`]: value, "x-amz-checksum-type": "FULL_OBJECT" };
}

export async function getObject({ room, request, bucket, key }: Call): Promise<BucketAnswer> {
  room.catalogue.mustHaveBucket(bucket);
  const object = room.catalogue.find(bucket, key);
  if (!object) throw new Refusal("NoSuchKey", { Key: key });
  const validators = { etag: quoted(object.etag), "last-modified": new Date(object.modifiedAt).toUTCString() };
  if (judgeRead(request, object) === "not-modified") return { status: 304, headers: validators };
  const range = rangeOf(request.header("range"), object.size);
  const headers = { ...validators, ...contentHeaders(request, object, range) };
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return { status, headers };
  const handle = await room.files.open(object.file);
  return { status, headers, body: { handle, start: range?.start ?? 0, end: range?.end ?? object.size - 1 } };
}

function contentHeaders(
  request: BucketRequest,
  object: StoredObject,
  range: Range | undefined,
): Record<string, string> {
  const { size, headers, checksum } = object;
  const length = range ? range.end - range.start + 1 : size;
  // The checksum is that of the whole object.
  const withChecksum = !range && request.header("x-amz-checksum-mode") === "ENABLED";
  return {
    "content-type": "binary/octet-stream",
    ...headers,
    ...overrides(request),
    "accept-ranges": "bytes",
    "content-length": String(length),
    ...(range && { "content-range": `bytes ${range.start}-${range.end}/${size}` }),
    ...(withChecksum && checksumHeader(checksum)),
  };
}

/** Returns the response headers that a signed URL sets. */
function overrides({ query }: BucketRequest): Record<string, string> {
  const names = [...kept, "content-encoding"];
  const wanted = names.map((name) => [name, query.get(`response-${name}`)]);
  return Object.fromEntries(wanted.filter(([, value]) => value !== undefined && !/[^\x20-\x7e]/.test(value)));
}

export function deleteObject({ room, request, bucket, key }: Call): BucketAnswer {
  room.catalogue.mustHaveBucket(bucket);
  if (request.header("if-match") !== undefined) judgeWrite(request, room.catalogue.find(bucket, key));
  room.catalogue.remove(bucket, key);
  return { status: 204 };
}

export async function copyObject({ room, request, bucket, key }: Call): Promise<BucketAnswer> {
  const { catalogue, files } = room;
  catalogue.mustHaveBucket(bucket);
  const source = readSource(request, catalogue);
  const replaces = request.header("x-amz-metadata-directive") === "REPLACE";
  if (source.bucket === bucket && source.object.key === key && !replaces) {
    const message =
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.";
    throw new Refusal("InvalidRequest", {}, message);
  }
  const { size, etag, checksum, headers } = source.object;
  const { file } = await files.write((append) => files.read(source.object.file, append));
  const object = { key, file, size, etag, checksum, headers: replaces ? keptHeaders(request) : headers };
  const modifiedAt = Date.now();
  room.commit(file, () => catalogue.put(bucket, { ...object, modifiedAt }));
  return xmlAnswer("CopyObjectResult", fields({ LastModified: iso(modifiedAt), ETag: quoted(etag) }));
}
