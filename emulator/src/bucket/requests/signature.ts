import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { Refusal } from "../errors";
import { type Claim, readClaim } from "./authorization";
import type { BucketRequest } from "./request";

/** The one key that opens every bucket. */
export interface BucketKey {
  accessKeyId: string;
  secretAccessKey: string;
}

/** What signs the chunks of a body, each with the signature before it. */
export interface ChunkSigner {
  /** Throws Refusal when a chunk's or the trailers' signature is not what it must be. */
  check(kind: "PAYLOAD" | "TRAILER", hash: string, signature: string | undefined): void;
}

/** A request that was proven to come from the holder of the key. */
export interface Proof {
  /** What the request says of its body: a SHA-256 in hex, or one of the words of S3. */
  payload: string;
  chunks: ChunkSigner;
}

/** How far the time of a request may be from the server's. */
const allowedSkewMs = 15 * 60_000;

/** Checks a request's signature, in its headers or in its query. `now` is the real time. Throws Refusal. */
export function verify(request: BucketRequest, key: BucketKey, now: number): Proof {
  const claim = readClaim(request);
  if (claim.accessKeyId !== key.accessKeyId) {
    throw new Refusal("InvalidAccessKeyId", { AWSAccessKeyId: claim.accessKeyId });
  }
  checkTime(claim, now);
  checkSignedHeaders(request, claim);
  const canonical = canonicalRequest(request, claim);
  const toSign = ["AWS4-HMAC-SHA256", claim.time, claim.scope, sha256(canonical)].join("\n");
  const signingKey = deriveKey(key.secretAccessKey, claim.scope);
  const expected = hmac(signingKey, toSign).toString("hex");
  if (!equal(expected, claim.signature)) {
    throw new Refusal("SignatureDoesNotMatch", {
      AWSAccessKeyId: claim.accessKeyId,
      StringToSign: toSign,
      SignatureProvided: claim.signature,
      CanonicalRequest: canonical,
    });
  }
  return { payload: claim.payload, chunks: chunkSigner(claim, signingKey, expected) };
}

function checkTime({ at, time, expiresIn }: Claim, now: number): void {
  if (expiresIn === undefined) {
    if (Math.abs(now - at) <= allowedSkewMs) return;
    const server = new Date(now).toISOString();
    const details = { RequestTime: time, ServerTime: server, MaxAllowedSkewMilliseconds: allowedSkewMs };
    throw new Refusal("RequestTimeTooSkewed", details);
  }
  if (at > now + allowedSkewMs) throw new Refusal("AccessDenied", {}, "Request is not yet valid");
  const end = at + expiresIn * 1000;
  if (now <= end) return;
  const details = { "X-Amz-Expires": expiresIn, Expires: iso(end), ServerTime: iso(now) };
  throw new Refusal("AccessDenied", details, "Request has expired");
}

const iso = (at: number) => new Date(at).toISOString();

/** What is not signed could be changed on the way: the host and every x-amz- header must be signed. */
function checkSignedHeaders(request: BucketRequest, { signedHeaders }: Claim): void {
  const needed = ["host", ...request.headerNames.filter((name) => name.startsWith("x-amz-"))];
  const missing = needed.filter((name) => !signedHeaders.includes(name));
  if (missing.length === 0) return;
  const message = "There were headers present in the request which were not signed";
  throw new Refusal("AccessDenied", { HeadersNotSigned: missing.join(", ") }, message);
}

function canonicalRequest(request: BucketRequest, { signedHeaders, payload }: Claim): string {
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

function chunkSigner({ time, scope }: Claim, key: Buffer, seed: string): ChunkSigner {
  let previous = seed;
  return {
    check(kind, hash, signature = "") {
      const context = kind === "PAYLOAD" ? [sha256("")] : [];
      const toSign = [`AWS4-HMAC-SHA256-${kind}`, time, scope, previous, ...context, hash].join("\n");
      previous = hmac(key, toSign).toString("hex");
      if (!equal(previous, signature)) throw new Refusal("SignatureDoesNotMatch", { SignatureProvided: signature });
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

function equal(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}
