import { invalidArgument, Refusal } from "../errors";
import { unchunk } from "./chunked-body";
import type { BucketRequest } from "./request";
import type { Proof } from "./signature";
import { Inspector, isHash, type Received } from "./validate-body";

/** S3's maximum size of one upload. */
const mostBytes = 5 * 1024 ** 3;

/** Values of x-amz-content-sha256 that announce a chunked body. */
const streaming: Record<string, { signed: boolean; trailers: boolean }> = {
  "STREAMING-AWS4-HMAC-SHA256-PAYLOAD": { signed: true, trailers: false },
  "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER": { signed: true, trailers: true },
  "STREAMING-UNSIGNED-PAYLOAD-TRAILER": { signed: false, trailers: true },
};

/**
 * Streams a body into `sink` and verifies its length, hash, signatures and checksums.
 * @throws S3Error if one does not match; the bytes passed to `sink` must be discarded then.
 */
export async function receive(
  request: BucketRequest,
  { payload, chunks }: Proof,
  sink: (piece: Buffer) => unknown,
): Promise<Received> {
  const how = streaming[payload];
  if (!how && !isHash(payload) && payload !== "UNSIGNED-PAYLOAD") throw unknownPayload(payload);
  const inspector = new Inspector(
    request,
    payload,
    lengthOf(request, how ? "x-amz-decoded-content-length" : "content-length"),
  );
  const trailers = new Map<string, string>();
  const onTrailer = (name: string, value: string) => void trailers.set(name, value);
  const signer = how?.signed ? chunks : undefined;
  const raw = piecesOf(request);
  for await (const piece of how ? unchunk(raw, { signer, trailers: how.trailers, onTrailer }) : raw) {
    inspector.update(piece);
    await sink(piece);
  }
  return inspector.finish(trailers);
}

/** Reads a short body as text, such as the XML of a request. */
export async function receiveText(request: BucketRequest, proof: Proof): Promise<string> {
  const pieces: Buffer[] = [];
  let room = 2 * 1024 ** 2;
  await receive(request, proof, (piece) => {
    room -= piece.length;
    if (room < 0) throw new Refusal("MalformedXML");
    pieces.push(piece);
  });
  return Buffer.concat(pieces).toString("utf8");
}

/** Yields the bytes as they arrive. Stopping early keeps the connection open for the error response. */
async function* piecesOf({ incoming }: BucketRequest): AsyncGenerator<Buffer> {
  for await (const piece of incoming.iterator({ destroyOnReturn: false })) yield piece as Buffer;
}

function lengthOf(request: BucketRequest, header: string): number {
  const text = request.header(header) ?? "";
  if (!/^\d+$/.test(text)) throw new Refusal("MissingContentLength");
  const length = Number(text);
  if (length > mostBytes) throw new Refusal("EntityTooLarge", { ProposedSize: length, MaxSizeAllowed: mostBytes });
  return length;
}

function unknownPayload(payload: string): Refusal {
  const words = ["UNSIGNED-PAYLOAD", ...Object.keys(streaming)].join(", ");
  const message = `x-amz-content-sha256 must be ${words} or a valid sha256 value.`;
  return invalidArgument("x-amz-content-sha256", payload, message);
}
