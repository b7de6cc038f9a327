import { createHash } from "node:crypto";
import { S3Error } from "../errors";
import { type Checksum, checksumAlgorithms, createChecksum } from "./checksums";
import type { BucketRequest } from "./request";

/** A completely received and verified body. */
export interface ReceivedBody {
  size: number;
  /** MD5 in hex. */
  md5: string;
  /** "crc32:…" if the client sent a checksum; returned with the object. */
  checksum: string | undefined;
}

export const isHash = (payload: string) => /^[0-9a-f]{64}$/.test(payload);

/** Verifies a body incrementally. */
export class BodyValidator {
  private size = 0;
  private readonly md5 = createHash("md5");
  private readonly sha256: ReturnType<typeof createHash> | undefined;
  private readonly checksums: { name: string; sum: Checksum; expected: string | undefined }[];

  /** `payload` is the hash of the body or a special value of S3; `length` is the announced length. */
  constructor(
    private readonly request: BucketRequest,
    private readonly payload: string,
    private readonly length: number,
  ) {
    if (isHash(payload)) this.sha256 = createHash("sha256");
    this.checksums = announcedChecksums(request);
  }

  update(piece: Buffer): void {
    this.size += piece.length;
    if (this.size > this.length) throw new S3Error("IncompleteBody");
    this.md5.update(piece);
    this.sha256?.update(piece);
    for (const { sum } of this.checksums) sum.update(piece);
  }

  /** Completes the verification; `trailers` followed the body. @throws S3Error for the first mismatch. */
  finish(trailers: ReadonlyMap<string, string>): ReceivedBody {
    if (this.size < this.length) throw new S3Error("IncompleteBody");
    this.checkSha256();
    const md5 = this.md5.digest();
    this.checkMd5(md5);
    let checksum: string | undefined;
    for (const { name, sum, expected = trailers.get(`x-amz-checksum-${name}`) } of this.checksums) {
      const value = sum.digest();
      if (expected !== value) {
        const message = `The ${name.toUpperCase()} you specified did not match the calculated checksum.`;
        throw new S3Error("BadDigest", {}, message);
      }
      checksum = `${name}:${value}`;
    }
    return { size: this.size, md5: md5.toString("hex"), checksum };
  }

  private checkSha256(): void {
    const computed = this.sha256?.digest("hex");
    if (computed === undefined || computed === this.payload) return;
    throw new S3Error("XAmzContentSHA256Mismatch", {
      ClientComputedContentSHA256: this.payload,
      S3ComputedContentSHA256: computed,
    });
  }

  private checkMd5(digest: Buffer): void {
    const expected = this.request.header("content-md5");
    if (expected === undefined) return;
    if (Buffer.from(expected, "base64").length !== digest.length) {
      throw new S3Error("InvalidDigest", { "Content-MD5": expected }, "The Content-MD5 you specified was invalid.");
    }
    const calculated = digest.toString("base64");
    if (expected === calculated) return;
    const message = "The Content-MD5 you specified did not match what we received.";
    throw new S3Error("BadDigest", { ExpectedDigest: expected, CalculatedDigest: calculated }, message);
  }
}

/** Returns the checksums that the client announced; those in trailers have no value yet. */
function announcedChecksums(request: BucketRequest): { name: string; sum: Checksum; expected: string | undefined }[] {
  const trailers = (request.header("x-amz-trailer") ?? "").toLowerCase().split(",").filter(Boolean);
  const announced = trailers.map((trailer) => trailer.trim().replace(/^x-amz-checksum-/, ""));
  if (announced.some((name) => !checksumAlgorithms.includes(name))) {
    throw new S3Error("InvalidRequest", {}, "The value specified in the x-amz-trailer header is not supported");
  }
  return checksumAlgorithms.flatMap((name) => {
    const expected = request.header(`x-amz-checksum-${name}`);
    return expected === undefined && !announced.includes(name) ? [] : [{ name, sum: createChecksum(name), expected }];
  });
}
