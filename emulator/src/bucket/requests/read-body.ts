import { invalidArgument, S3Error } from "../errors";
import { unchunk } from "./chunked-body";
import type { BucketRequest } from "./request";
import type { VerifiedRequest } from "./signature";
import { BodyValidator, isHash, type ReceivedBody } from "./validate-body";

/** S3's maximum size of one upload. */
const MAX_BODY_BYTES = 5 * 1024 ** 3;

/** Values of x-amz-content-sha256 that announce a chunked body. */
const streamingPayloads: Record<string, { signed: boolean; trailers: boolean }> = {
  "STREAMING-AWS4-HMAC-SHA256-PAYLOAD": { signed: true, trailers: false },
  "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER": { signed: true, trailers: true },
  "STREAMING-UNSIGNED-PAYLOAD-TRAILER": { signed: false, trailers: true },
};

/**
 * Streams a body into `sink` and verifies its length, hash, signatures and checksums.
 * @throws S3Error if one does not match; the bytes passed to `sink` must be discarded then.
 */
export async function readBody(
  request: BucketRequest,
  { payload, chunkSigner: chunks }: VerifiedRequest,
  sink: (piece: Buffer) => unknown,
): Promise<ReceivedBody> {
  const streamingMode = streamingPayloads[payload];
  if (!streamingMode && !isHash(payload) && payload !== "UNSIGNED-PAYLOAD") throw unknownPayload(payload);
  const validator = new BodyValidator(
    request,
    payload,
    lengthOf(request, streamingMode ? "x-amz-decoded-content-length" : "content-length"),
  );
  const trailers = new Map<string, string>();
  const onTrailer = (name: string, value: string) => void trailers.set(name, value);
  const signer = streamingMode?.signed ? chunks : undefined;
  const raw = bodyChunks(request);
  for await (const piece of streamingMode
    ? unchunk(raw, { signer, trailers: streamingMode.trailers, onTrailer })
    : raw) {
    validator.update(piece);
    await sink(piece);
  }
  return validator.finish(trailers);
}

/** Reads a short body as text, such as the XML of a request. */
export async function readTextBody(request: BucketRequest, verified: VerifiedRequest): Promise<string> {
  const pieces: Buffer[] = [];
  let remainingBytes = 2 * 1024 ** 2;
  await readBody(request, verified, (piece) => {
    remainingBytes -= piece.length;
    if (remainingBytes < 0) throw new S3Error("MalformedXML");
    pieces.push(piece);
  });
  return Buffer.concat(pieces).toString("utf8");
}

/** Yields the bytes as they arrive. Stopping early keeps the connection open for the error response. */
async function* bodyChunks({ incoming }: BucketRequest): AsyncGenerator<Buffer> {
  for await (const piece of incoming.iterator({ destroyOnReturn: false })) yield piece as Buffer;
}

function lengthOf(request: BucketRequest, header: string): number {
  const text = request.header(header) ?? "";
  if (!/^\d+$/.test(text)) throw new S3Error("MissingContentLength");
  const length = Number(text);
  if (length > MAX_BODY_BYTES)
    throw new S3Error("EntityTooLarge", { ProposedSize: length, MaxSizeAllowed: MAX_BODY_BYTES });
  return length;
}

function unknownPayload(payload: string): S3Error {
  const allowedValues = ["UNSIGNED-PAYLOAD", ...Object.keys(streamingPayloads)].join(", ");
  const message = `x-amz-content-sha256 must be ${allowedValues} or a valid sha256 value.`;
  return invalidArgument("x-amz-content-sha256", payload, message);
}
