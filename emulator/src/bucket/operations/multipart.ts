import { createHash } from "node:crypto";
import { elementContents, elementText } from "../../runtime/text/xml";
import { invalidArgument, Refusal } from "../errors";
import { judgeWrite } from "../requests/conditions";
import { readSource } from "../requests/copy-source";
import { rangeOf } from "../requests/ranges";
import { receive, receiveText } from "../requests/read-body";
import { type BucketAnswer, element, fields, iso, owner, quoted, xmlAnswer } from "../responses";
import type { Call } from "../service";
import type { Part } from "../storage/uploads";
import { keptHeaders } from "./objects";

/** All parts except the last have at least this size. */
const leastBytes = 5 * 1024 ** 2;
const mostParts = 10_000;

const uploadOf = ({ room, request, bucket, key }: Call) => {
  room.catalogue.mustHaveBucket(bucket);
  return room.uploads.find(bucket, key, request.query.get("uploadId") ?? "");
};

export function createUpload({ room, request, bucket, key }: Call): BucketAnswer {
  room.catalogue.mustHaveBucket(bucket);
  const { id } = room.uploads.start(bucket, key, keptHeaders(request));
  return xmlAnswer("InitiateMultipartUploadResult", fields({ Bucket: bucket, Key: key, UploadId: id }));
}

export async function uploadPart(call: Call): Promise<BucketAnswer> {
  const { room, request, proof } = call;
  const upload = uploadOf(call);
  const number = partNumber(call);
  const { file, result } = await room.files.write((append) => receive(request, proof, append));
  const { size, md5: etag, checksum } = result;
  room.commit(file, () => room.uploads.putPart(upload, { number, file, size, etag, modifiedAt: Date.now() }));
  const [name, value = ""] = checksum?.split(":") ?? [];
  return { status: 200, headers: { etag: quoted(etag), ...(name && { [`x-amz-checksum-${name}`]: value }) } };
}

export async function copyPart(call: Call): Promise<BucketAnswer> {
  const { room, request } = call;
  const upload = uploadOf(call);
  const number = partNumber(call);
  const { object } = readSource(request, room.catalogue);
  const range = rangeOf(request.header("x-amz-copy-source-range"), object.size);
  const md5 = createHash("md5");
  const { file } = await room.files.write((append) =>
    room.files.read(
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
  room.commit(file, () => room.uploads.putPart(upload, { number, file, size, etag, modifiedAt }));
  return xmlAnswer("CopyPartResult", fields({ LastModified: iso(modifiedAt), ETag: quoted(etag) }));
}

function partNumber({ request }: Call): number {
  const text = request.query.get("partNumber") ?? "";
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= mostParts) return number;
  throw invalidArgument("partNumber", text, `Part number must be an integer between 1 and ${mostParts}, inclusive`);
}

export async function completeUpload(call: Call): Promise<BucketAnswer> {
  const { room, request, proof, bucket, key } = call;
  const { catalogue, files, uploads } = room;
  const upload = uploadOf(call);
  const parts = choose(uploads.parts(upload), await receiveText(request, proof), upload.id);
  judgeWrite(request, catalogue.find(bucket, key));
  const { file } = await files.write(async (append) => {
    for (const part of parts) await files.read(part.file, append);
  });
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const md5 = createHash("md5");
  for (const part of parts) md5.update(part.etag, "hex");
  const etag = `${md5.digest("hex")}-${parts.length}`;
  const object = { key, file, size, etag, checksum: undefined, headers: upload.headers, modifiedAt: Date.now() };
  room.commit(file, () => {
    // The upload may have been aborted, or another writer may have been faster.
    uploadOf(call);
    judgeWrite(request, catalogue.find(bucket, key));
    catalogue.put(bucket, object);
    uploads.end(upload);
  });
  const location = `http://${request.header("host")}${request.rawPath}`;
  const result = { Location: location, Bucket: bucket, Key: key, ETag: quoted(etag) };
  return xmlAnswer("CompleteMultipartUploadResult", fields(result));
}

/** Returns the parts that a completion names. @throws S3Error unless all exist, are in order and large enough. */
function choose(stored: readonly Part[], xml: string, uploadId: string): Part[] {
  const named = elementContents(xml, "Part").map((part) => ({
    number: Number(elementText(part, "PartNumber")),
    etag: elementText(part, "ETag")?.replace(/^"|"$/g, ""),
  }));
  const readable = named.every(({ number, etag }) => Number.isInteger(number) && etag);
  if (named.length === 0 || !readable) throw new Refusal("MalformedXML");
  if (named.some(({ number }, index) => number <= (named[index - 1]?.number ?? 0))) {
    throw new Refusal("InvalidPartOrder", { UploadId: uploadId });
  }
  const parts = named.map(({ number, etag }) => {
    const part = stored.find((candidate) => candidate.number === number);
    if (part && part.etag === etag) return part;
    throw new Refusal("InvalidPart", { UploadId: uploadId, PartNumber: number, ETag: etag ?? "" });
  });
  const small = parts.slice(0, -1).find(({ size }) => size < leastBytes);
  if (!small) return parts;
  throw new Refusal("EntityTooSmall", {
    ProposedSize: small.size,
    MinSizeAllowed: leastBytes,
    PartNumber: small.number,
    ETag: small.etag,
  });
}

export function abortUpload(call: Call): BucketAnswer {
  call.room.uploads.end(uploadOf(call));
  return { status: 204 };
}

export function listParts(call: Call): BucketAnswer {
  const { room, request, bucket, key } = call;
  const upload = uploadOf(call);
  const max = Math.min(Number(request.query.get("max-parts") ?? 1000) || 0, 1000);
  const marker = Number(request.query.get("part-number-marker") ?? 0) || 0;
  const rest = room.uploads.parts(upload).filter(({ number }) => number > marker);
  const shown = rest.slice(0, max);
  return xmlAnswer(
    "ListPartsResult",
    fields({ Bucket: bucket, Key: key, UploadId: upload.id, StorageClass: "STANDARD" }),
    fields({ PartNumberMarker: marker, NextPartNumberMarker: shown.at(-1)?.number ?? 0, MaxParts: max }),
    fields({ IsTruncated: rest.length > shown.length }),
    owner("Initiator"),
    owner("Owner"),
    ...shown.map(({ number, size, etag, modifiedAt }) =>
      element("Part", fields({ PartNumber: number, LastModified: iso(modifiedAt), ETag: quoted(etag), Size: size })),
    ),
  );
}
