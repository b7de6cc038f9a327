import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { S3Error } from "../errors";
import { readSignature, type SignedRequest } from "./authorization";
import type { BucketRequest } from "./request";

/** The credentials that grant access to all buckets. */
export interface BucketKey {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Verifies the signatures of chunks, each of which includes the previous one. */
export interface ChunkSigner {
  /** @throws S3Error if the signature of a chunk or of the trailers does not match. */
  check(kind: "PAYLOAD" | "TRAILER", hash: string, signature: string | undefined): void;
}

/** A request whose signature was verified. */
export interface VerifiedRequest {
  /** The hash of the body in hex, or a special value of S3. */
  payload: string;
  chunkSigner: ChunkSigner;
}

/** Maximum difference between the times of client and server. */
const allowedSkewMs = 15 * 60_000;

/** Verifies the signature of a request, in its headers or query. `now` is the real time. @throws S3Error */
export function verify(request: BucketRequest, key: BucketKey, now: number): VerifiedRequest {
  const signed = readSignature(request);
  if (signed.accessKeyId !== key.accessKeyId) {
    throw new S3Error("InvalidAccessKeyId", { AWSAccessKeyId: signed.accessKeyId });
  }
  checkTime(signed, now);
  checkSignedHeaders(request, signed);
  const canonical = canonicalRequest(request, signed);
  const toSign = ["AWS4-HMAC-SHA256", signed.time, signed.scope, sha256(canonical)].join("\n");
  const signingKey = deriveKey(key.secretAccessKey, signed.scope);
  const expected = hmac(signingKey, toSign).toString("hex");
  if (!equal(expected, signed.signature)) {
    throw new S3Error("SignatureDoesNotMatch", {
      AWSAccessKeyId: signed.accessKeyId,
      StringToSign: toSign,
      SignatureProvided: signed.signature,
      CanonicalRequest: canonical,
    });
  }
  return { payload: signed.payload, chunkSigner: chunkSigner(signed, signingKey, expected) };
}

function checkTime({ at, time, expiresIn }: SignedRequest, now: number): void {
  if (expiresIn === undefined) {
    if (Math.abs(now - at) <= allowedSkewMs) return;
    const server = new Date(now).toISOString();
    const details = { RequestTime: time, ServerTime: server, MaxAllowedSkewMilliseconds: allowedSkewMs };
    throw new S3Error("RequestTimeTooSkewed", details);
  }
  if (at > now + allowedSkewMs) throw new S3Error("AccessDenied", {}, "Request is not yet valid");
  const end = at + expiresIn * 1000;
  if (now <= end) return;
  const details = { "X-Amz-Expires": expiresIn, Expires: iso(end), ServerTime: iso(now) };
  throw new S3Error("AccessDenied", details, "Request has expired");
}

const iso = (at: number) => new Date(at).toISOString();

/** Unsigned headers could be modified in transit: the host and all x-amz- headers must be signed. */
function checkSignedHeaders(request: BucketRequest, { signedHeaders }: SignedRequest): void {
  const requiredHeaders = ["host", ...request.headerNames.filter((name) => name.startsWith("x-amz-"))];
  const missing = requiredHeaders.filter((name) => !signedHeaders.includes(name));
  if (missing.length === 0) return;
  const message = "There were headers present in the request which were not signed";
  throw new S3Error("AccessDenied", { HeadersNotSigned: missing.join(", ") }, message);
}

function canonicalRequest(request: BucketRequest, { signedHeaders, payload }: SignedRequest): string {
  const path = request.rawPath.split("/").map((part) => encode(decodeURIComponent(part)));
  const query = [...request.query].filter(([name]) => name !== "X-Amz-Signature");
  return [
    ...[request.method, path.join("/"), canonicalQuery(query)],
    ...signedHeaders.map((name) => `${name}:${request.header(name) ?? ""}`),
    ...["", signedHeaders.join(";"), payload],
  ].join("\n");
}

function canonicalQuery(query: readonly [string, string][]): string {
  const pairs = query.map(([name, value]): [string, string] => [encode(name), encode(value)]);
  pairs.sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)));
  return pairs.map((pair) => pair.join("=")).join("&");
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function chunkSigner({ time, scope }: SignedRequest, key: Buffer, seed: string): ChunkSigner {
  let previous = seed;
  return {
    check(kind, hash, signature = "") {
      const context = kind === "PAYLOAD" ? [sha256("")] : [];
      const toSign = [`AWS4-HMAC-SHA256-${kind}`, time, scope, previous, ...context, hash].join("\n");
      previous = hmac(key, toSign).toString("hex");
      if (!equal(previous, signature)) throw new S3Error("SignatureDoesNotMatch", { SignatureProvided: signature });
    },
  };
}

function deriveKey(secret: string, scope: string): Buffer {
  const parts = scope.split("/");
  return parts.reduce((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`) as Buffer);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function equal(expected: string, actual: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
