import { createHash } from "node:crypto";
import { elementContents, elementText } from "../../runtime/text/xml";
import { invalidArgument, S3Error } from "../errors";
import { checkWriteConditions } from "../requests/conditions";
import { findCopySource } from "../requests/copy-source";
import { parseRange } from "../requests/ranges";
import { readBody, readTextBody } from "../requests/read-body";
import { type BucketResponse, element, fields, ownerElement, quoteEtag, toIsoString, xmlResponse } from "../responses";
import type { BucketOperation } from "../service";
import type { Part } from "../storage/uploads";
import { headersToStore } from "./objects";

/** All parts except the last have at least this size. */
const MIN_PART_BYTES = 5 * 1024 ** 2;
const MAX_PARTS = 10_000;

const requireUpload = ({ service, request, bucket, key }: BucketOperation) => {
  service.index.requireBucket(bucket);
  return service.uploads.find(bucket, key, request.query.get("uploadId") ?? "");
};

export function createUpload({ service, request, bucket, key }: BucketOperation): BucketResponse {
  service.index.requireBucket(bucket);
  const { id } = service.uploads.start(bucket, key, headersToStore(request));
  return xmlResponse("InitiateMultipartUploadResult", fields({ Bucket: bucket, Key: key, UploadId: id }));
}

export async function uploadPart(operation: BucketOperation): Promise<BucketResponse> {
  const { service, request, verified } = operation;
  const upload = requireUpload(operation);
  const number = partNumber(operation);
  const { file, result } = await service.files.write((append) => readBody(request, verified, append));
  const { size, md5: etag, checksum } = result;
  service.commit(file, () => service.uploads.putPart(upload, { number, file, size, etag, modifiedAt: Date.now() }));
  const [name, value = ""] = checksum?.split(":") ?? [];
  return { status: 200, headers: { etag: quoteEtag(etag), ...(name && { [`x-amz-checksum-${name}`]: value }) } };
}

export async function copyPart(operation: BucketOperation): Promise<BucketResponse> {
  const { service, request } = operation;
  const upload = requireUpload(operation);
  const number = partNumber(operation);
  const { object } = findCopySource(request, service.index);
  const range = parseRange(request.header("x-amz-copy-source-range"), object.size);
  const md5 = createHash("md5");
  const { file } = await service.files.write((append) =>
    service.files.read(
      object.file,
      (piece) => {
        md5.update(piece);
        return append(piece);
      },
      range,
    ),
  );
  const size = range ? range.end - range.start + 1 : object.size;
  const [etag, modifiedAt] = [md5.digest("hex"), Date.now()];
  service.commit(file, () => service.uploads.putPart(upload, { number, file, size, etag, modifiedAt }));
  return xmlResponse("CopyPartResult", fields({ LastModified: toIsoString(modifiedAt), ETag: quoteEtag(etag) }));
}

function partNumber({ request }: BucketOperation): number {
  const text = request.query.get("partNumber") ?? "";
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= MAX_PARTS) return number;
  throw invalidArgument("partNumber", text, `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`);
}

export async function completeUpload(operation: BucketOperation): Promise<BucketResponse> {
  const { service, request, verified, bucket, key } = operation;
  const { index, files, uploads } = service;
  const upload = requireUpload(operation);
  const parts = selectParts(uploads.parts(upload), await readTextBody(request, verified), upload.id);
  checkWriteConditions(request, index.find(bucket, key));
  const { file } = await files.write(async (append) => {
    for (const part of parts) await files.read(part.file, append);
  });
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const md5 = createHash("md5");
  for (const part of parts) md5.update(part.etag, "hex");
  const etag = `${md5.digest("hex")}-${parts.length}`;
  const object = { key, file, size, etag, checksum: undefined, headers: upload.headers, modifiedAt: Date.now() };
  service.commit(file, () => {
    // The upload may have been aborted, or another writer may have been faster.
    requireUpload(operation);
    checkWriteConditions(request, index.find(bucket, key));
    index.put(bucket, object);
    uploads.remove(upload);
  });
  const location = `http://${request.header("host")}${request.rawPath}`;
  const result = { Location: location, Bucket: bucket, Key: key, ETag: quoteEtag(etag) };
  return xmlResponse("CompleteMultipartUploadResult", fields(result));
}

/** Returns the parts that a completion names. @throws S3Error unless all exist, are in order and large enough. */
function selectParts(stored: readonly Part[], xml: string, uploadId: string): Part[] {
  const requestedParts = elementContents(xml, "Part").map((part) => ({
    number: Number(elementText(part, "PartNumber")),
    etag: elementText(part, "ETag")?.replace(/^"|"$/g, ""),
  }));
  const isValid = requestedParts.every(({ number, etag }) => Number.isInteger(number) && etag);
  if (requestedParts.length === 0 || !isValid) throw new S3Error("MalformedXML");
  if (requestedParts.some(({ number }, index) => number <= (requestedParts[index - 1]?.number ?? 0))) {
    throw new S3Error("InvalidPartOrder", { UploadId: uploadId });
  }
  const parts = requestedParts.map(({ number, etag }) => {
    const part = stored.find((candidate) => candidate.number === number);
    if (part && part.etag === etag) return part;
    throw new S3Error("InvalidPart", { UploadId: uploadId, PartNumber: number, ETag: etag ?? "" });
  });
  const small = parts.slice(0, -1).find(({ size }) => size < MIN_PART_BYTES);
  if (!small) return parts;
  throw new S3Error("EntityTooSmall", {
    ProposedSize: small.size,
    MinSizeAllowed: MIN_PART_BYTES,
    PartNumber: small.number,
    ETag: small.etag,
  });
}

export function abortUpload(operation: BucketOperation): BucketResponse {
  operation.service.uploads.remove(requireUpload(operation));
  return { status: 204 };
}

export function listParts(operation: BucketOperation): BucketResponse {
  const { service, request, bucket, key } = operation;
  const upload = requireUpload(operation);
  const max = Math.min(Number(request.query.get("max-parts") ?? 1000) || 0, 1000);
  const marker = Number(request.query.get("part-number-marker") ?? 0) || 0;
  const remaining = service.uploads.parts(upload).filter(({ number }) => number > marker);
  const page = remaining.slice(0, max);
  return xmlResponse(
    "ListPartsResult",
    fields({ Bucket: bucket, Key: key, UploadId: upload.id, StorageClass: "STANDARD" }),
    fields({ PartNumberMarker: marker, NextPartNumberMarker: page.at(-1)?.number ?? 0, MaxParts: max }),
    fields({ IsTruncated: remaining.length > page.length }),
    ownerElement("Initiator"),
    ownerElement("Owner"),
    ...page.map(({ number, size, etag, modifiedAt }) =>
      element(
        "Part",
        fields({ PartNumber: number, LastModified: toIsoString(modifiedAt), ETag: quoteEtag(etag), Size: size }),
      ),
    ),
  );
}
