import { createHash } from "node:crypto";
import { S3Error } from "../errors";
import type { ChunkSigner } from "./signature";

/** The chunked encoding of a body. */
export interface ChunkedEncoding {
  /** Verifies the signatures of chunks; undefined if they are unsigned. */
  signer: ChunkSigner | undefined;
  /** Whether trailers follow the last chunk; `onTrailer` receives each, its name in lower case. */
  trailers: boolean;
  onTrailer(name: string, value: string): void;
}

/** Maximum length of a line between chunks, and maximum number of trailers. */
const MAX_LINE_LENGTH = 4096;
const MAX_TRAILERS = 16;

/**
 * Decodes a body in S3's own chunks (`aws-chunked`): each is `<size in hex>;chunk-signature=<signature>` and the bytes;
 * after an empty one follow the trailers. Yields bytes before their signature is verified, so callers must wait for the
 * end before they use them. @throws S3Error for an incomplete, malformed or wrongly signed body.
 */
export async function* unchunk(source: AsyncIterable<Buffer>, encoding: ChunkedEncoding): AsyncGenerator<Buffer> {
  const reader = new ChunkReader(source);
  for (;;) {
    const [size = "", ...extensions] = (await reader.line()).split(";");
    if (!/^[0-9a-f]{1,12}$/i.test(size.trim())) throw new S3Error("IncompleteBody", {}, "The chunk size is not valid.");
    const length = Number.parseInt(size, 16);
    const hash = encoding.signer && createHash("sha256");
    for await (const piece of reader.readBytes(length)) {
      hash?.update(piece);
      yield piece;
    }
    if (hash) encoding.signer?.check("PAYLOAD", hash.digest("hex"), signatureIn(extensions));
    if (length === 0) break;
    if ((await reader.line()) !== "")
      throw new S3Error("IncompleteBody", {}, "A chunk is longer than its declared size.");
  }
  if (encoding.trailers) await readTrailers(reader, encoding);
}

function signatureIn(extensions: readonly string[]): string | undefined {
  const name = "chunk-signature=";
  return extensions
    .find((extension) => extension.trim().startsWith(name))
    ?.trim()
    .slice(name.length);
}

async function readTrailers(reader: ChunkReader, { signer, onTrailer }: ChunkedEncoding): Promise<void> {
  let signed = "";
  let signature: string | undefined;
  for (let count = 0; count < MAX_TRAILERS; count++) {
    const line = (await reader.lineOrEnd())?.trim();
    if (!line) break;
    const colon = line.indexOf(":");
    const [name, value] = [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    if (name === "x-amz-trailer-signature") signature = value;
    else {
      signed += `${name}:${value}\n`;
      onTrailer(name, value);
    }
  }
  signer?.check("TRAILER", createHash("sha256").update(signed).digest("hex"), signature);
}

/** Reads lines and counted bytes from pieces of any size, with at most one piece in memory. */
class ChunkReader {
  private readonly pieces: AsyncIterator<Buffer>;
  private buffered: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.pieces = source[Symbol.asyncIterator]();
  }

  /** Returns the next line without its terminator. */
  async line(): Promise<string> {
    const line = await this.lineOrEnd();
    if (line === undefined) throw unexpectedEnd();
    return line;
  }

  /** Returns the next line; undefined at the end. */
  async lineOrEnd(): Promise<string | undefined> {
    let end = this.buffered.indexOf("\n");
    while (end === -1) {
      if (this.buffered.length > MAX_LINE_LENGTH)
        throw new S3Error("IncompleteBody", {}, "A chunk header is too long.");
      const piece = await this.next();
      if (piece === undefined)
        return this.buffered.length > 0 ? this.consume(this.buffered.length).toString("latin1") : undefined;
      this.buffered = Buffer.concat([this.buffered, piece]);
      end = this.buffered.indexOf("\n");
    }
    return this.consume(end + 1)
      .toString("latin1")
      .replace(/\r?\n$/, "");
  }

  async *readBytes(count: number): AsyncGenerator<Buffer> {
    let remaining = count;
    while (remaining > 0) {
      if (this.buffered.length === 0) {
        const piece = await this.next();
        if (piece === undefined) throw unexpectedEnd();
        this.buffered = piece;
      }
      const piece = this.consume(Math.min(remaining, this.buffered.length));
      remaining -= piece.length;
      yield piece;
    }
  }

  private consume(length: number): Buffer {
    const piece = this.buffered.subarray(0, length);
    this.buffered = this.buffered.subarray(length);
    return piece;
  }

  private async next(): Promise<Buffer | undefined> {
    const { value, done } = await this.pieces.next();
    return done ? undefined : value;
  }
}

function unexpectedEnd(): S3Error {
  return new S3Error("IncompleteBody", {}, "The request body terminated unexpectedly");
}
