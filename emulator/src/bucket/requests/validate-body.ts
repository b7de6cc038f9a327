import { createHash } from "node:crypto";
import { Refusal } from "../errors";
import { type Checksum, checksumAlgorithms, startChecksum } from "./checksums";
import type { BucketRequest } from "./request";

/** What is known of a body once all of it is there and everything said of it held. */
export interface Received {
  size: number;
  /** MD5 in hex. */
  md5: string;
  /** "crc32:…" when the client gave one: it is handed out again with the object. */
  checksum: string | undefined;
}

export const isHash = (payload: string) => /^[0-9a-f]{64}$/.test(payload);

/** Takes in a body piece by piece, and judges at its end all that the client said of it. */
export class Inspector {
  private size = 0;
  private readonly md5 = createHash("md5");
  private readonly sha256: ReturnType<typeof createHash> | undefined;
  private readonly checksums: { name: string; sum: Checksum; given: string | undefined }[];

  /** `payload` is the hash of the body, or a word of S3 that says there is none; `length` is what the client announced. */
  constructor(
    private readonly request: BucketRequest,
    private readonly payload: string,
    private readonly length: number,
  ) {
    if (isHash(payload)) this.sha256 = createHash("sha256");
    this.checksums = promised(request);
  }

  update(piece: Buffer): void {
    this.size += piece.length;
    if (this.size > this.length) throw new Refusal("IncompleteBody");
    this.md5.update(piece);
    this.sha256?.update(piece);
    for (const { sum } of this.checksums) sum.update(piece);
  }

  /** `trailers` are what followed the body. Throws Refusal for the first thing that does not hold. */
  finish(trailers: ReadonlyMap<string, string>): Received {
    if (this.size < this.length) throw new Refusal("IncompleteBody");
    this.checkSha256();
    const md5 = this.md5.digest();
    this.checkMd5(md5);
    let checksum: string | undefined;
    for (const { name, sum, given = trailers.get(`x-amz-checksum-${name}`) } of this.checksums) {
      const value = sum.digest();
      if (given !== value) {
        const message = `The ${name.toUpperCase()} you specified did not match the calculated checksum.`;
        throw new Refusal("BadDigest", {}, message);
      }
      checksum = `${name}:${value}`;
    }
    return { size: this.size, md5: md5.toString("hex"), checksum };
  }

  private checkSha256(): void {
    const computed = this.sha256?.digest("hex");
    if (computed === undefined || computed === this.payload) return;
    throw new Refusal("XAmzContentSHA256Mismatch", {
      ClientComputedContentSHA256: this.payload,
      S3ComputedContentSHA256: computed,
    });
  }

  private checkMd5(digest: Buffer): void {
    const given = this.request.header("content-md5");
    if (given === undefined) return;
    if (Buffer.from(given, "base64").length !== digest.length) {
      throw new Refusal("InvalidDigest", { "Content-MD5": given }, "The Content-MD5 you specified was invalid.");
    }
    const calculated = digest.toString("base64");
    if (given === calculated) return;
    const message = "The Content-MD5 you specified did not match what we received.";
    throw new Refusal("BadDigest", { ExpectedDigest: given, CalculatedDigest: calculated }, message);
  }
}

/** The checksums that a client gives; one whose value follows the body has none yet. */
function promised(request: BucketRequest): { name: string; sum: Checksum; given: string | undefined }[] {
  const trailers = (request.header("x-amz-trailer") ?? "").toLowerCase().split(",").filter(Boolean);
  const announced = trailers.map((trailer) => trailer.trim().replace(/^x-amz-checksum-/, ""));
  if (announced.some((name) => !checksumAlgorithms.includes(name))) {
    throw new Refusal("InvalidRequest", {}, "The value specified in the x-amz-trailer header is not supported");
  }
  return checksumAlgorithms.flatMap((name) => {
    const given = request.header(`x-amz-checksum-${name}`);
    return given === undefined && !announced.includes(name) ? [] : [{ name, sum: startChecksum(name), given }];
  });
}
