import { S3Error } from "../errors";
import { checkReadConditions, checkWriteConditions } from "../requests/conditions";
import { findCopySource } from "../requests/copy-source";
import { parseRange, type Range } from "../requests/ranges";
import { readBody } from "../requests/read-body";
import type { BucketRequest } from "../requests/request";
import { type BucketResponse, fields, quoteEtag, toIsoString, xmlResponse } from "../responses";
import type { BucketOperation } from "../service";
import type { StoredObject } from "../storage/object-index";

/** Headers that are stored with an object and returned to readers. */
const storedHeaderNames = ["content-type", "cache-control", "content-disposition", "content-language", "expires"];

/** Returns the headers to store with an object: those above, user metadata, and the content encoding. */
export function headersToStore(request: BucketRequest): Record<string, string> {
  const names = [...storedHeaderNames, ...request.headerNames.filter((name) => name.startsWith("x-amz-meta-"))];
  const entries = names.flatMap((name) => {
    const value = request.header(name);
    return value === undefined ? [] : [[name, value]];
  });
  // `aws-chunked` describes the transfer, not the content.
  const encodings = request.header("content-encoding")?.split(",") ?? [];
  const encoding = encodings.map((name) => name.trim()).filter((name) => name !== "" && name !== "aws-chunked");
  return Object.fromEntries([...entries, ...(encoding.length > 0 ? [["content-encoding", encoding.join(",")]] : [])]);
}

export async function putObject({ service, request, verified, bucket, key }: BucketOperation): Promise<BucketResponse> {
  const { index, files } = service;
  index.requireBucket(bucket);
  checkWriteConditions(request, index.find(bucket, key));
  const { file, result } = await files.write((append) => readBody(request, verified, append));
  const { size, md5: etag, checksum } = result;
  const object = { key, file, size, etag, checksum, modifiedAt: Date.now(), headers: headersToStore(request) };
  service.commit(file, () => {
    // Another writer may have been faster.
    checkWriteConditions(request, index.find(bucket, key));
    index.put(bucket, object);
  });
  return { status: 200, headers: { etag: quoteEtag(etag), ...checksumHeader(checksum) } };
}

function checksumHeader(checksum: string | undefined): Record<string, string> {
  if (checksum === undefined) return {};
  const [name, value = ""] = checksum.split(":");
  return { [`x-amz-checksum-${name}`]: value, "x-amz-checksum-type": "FULL_OBJECT" };
}

export async function getObject({ service, request, bucket, key }: BucketOperation): Promise<BucketResponse> {
  service.index.requireBucket(bucket);
  const object = service.index.find(bucket, key);
  if (!object) throw new S3Error("NoSuchKey", { Key: key });
  const validators = { etag: quoteEtag(object.etag), "last-modified": new Date(object.modifiedAt).toUTCString() };
  if (checkReadConditions(request, object) === "not-modified") return { status: 304, headers: validators };
  const range = parseRange(request.header("range"), object.size);
  const headers = { ...validators, ...contentHeaders(request, object, range) };
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return { status, headers };
  const handle = await service.files.open(object.file);
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
  const names = [...storedHeaderNames, "content-encoding"];
  const entries = names.map((name) => [name, query.get(`response-${name}`)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && !/[^\x20-\x7e]/.test(value)));
}

export function deleteObject({ service, request, bucket, key }: BucketOperation): BucketResponse {
  service.index.requireBucket(bucket);
  if (request.header("if-match") !== undefined) checkWriteConditions(request, service.index.find(bucket, key));
  service.index.remove(bucket, key);
  return { status: 204 };
}

export async function copyObject({ service, request, bucket, key }: BucketOperation): Promise<BucketResponse> {
  const { index, files } = service;
  index.requireBucket(bucket);
  const source = findCopySource(request, index);
  const replacesMetadata = request.header("x-amz-metadata-directive") === "REPLACE";
  if (source.bucket === bucket && source.object.key === key && !replacesMetadata) {
    const message =
      "This copy request is illegal because it is trying to copy an object to itself without changing the " +
      "object's metadata, storage class, website redirect location or encryption attributes.";
    throw new S3Error("InvalidRequest", {}, message);
  }
  const { size, etag, checksum, headers } = source.object;
  const { file } = await files.write((append) => files.read(source.object.file, append));
  const object = { key, file, size, etag, checksum, headers: replacesMetadata ? headersToStore(request) : headers };
  const modifiedAt = Date.now();
  service.commit(file, () => index.put(bucket, { ...object, modifiedAt }));
  return xmlResponse("CopyObjectResult", fields({ LastModified: toIsoString(modifiedAt), ETag: quoteEtag(etag) }));
}
