import { createHash } from "node:crypto";
import { Refusal } from "../errors";
import type { ChunkSigner } from "./signature";

/** The chunked encoding of a body. */
export interface Chunking {
  /** Verifies the signatures of chunks; undefined if they are unsigned. */
  signer: ChunkSigner | undefined;
  /** Whether trailers follow the last chunk; `onTrailer` receives each, its name in lower case. */
  trailers: boolean;
  onTrailer(name: string, value: string): void;
}

/** Maximum length of a line between chunks, and maximum number of trailers. */
const longestLine = 4096;
const mostTrailers = 16;

/**
 * Decodes a body in S3's own chunks (`aws-chunked`): each is `<size in hex>;chunk-signature=<signature>` and the bytes; after
 * an empty one follow the trailers. Yields bytes before their signature is verified, so callers must wait for the end
 * before they use them. @throws S3Error for an incomplete, malformed or wrongly signed body.
 */
export async function* unchunk(source: AsyncIterable<Buffer>, chunking: Chunking): AsyncGenerator<Buffer> {
  const reader = new Reader(source);
  for (;;) {
    const [size = "", ...extensions] = (await reader.line()).split(";");
    if (!/^[0-9a-f]{1,12}$/i.test(size.trim())) throw new Refusal("IncompleteBody", {}, "The chunk size is not valid.");
    const length = Number.parseInt(size, 16);
    const hash = chunking.signer && createHash("sha256");
    for await (const piece of reader.take(length)) {
      hash?.update(piece);
      yield piece;
    }
    if (hash) chunking.signer?.check("PAYLOAD", hash.digest("hex"), signatureIn(extensions));
    if (length === 0) break;
    if ((await reader.line()) !== "") throw new Refusal("IncompleteBody", {}, "A chunk is longer than its size says.");
  }
  if (chunking.trailers) await readTrailers(reader, chunking);
}

function signatureIn(extensions: readonly string[]): string | undefined {
  const name = "chunk-signature=";
  return extensions
    .find((extension) => extension.trim().startsWith(name))
    ?.trim()
    .slice(name.length);
}

async function readTrailers(reader: Reader, { signer, onTrailer }: Chunking): Promise<void> {
  let signed = "";
  let signature: string | undefined;
  for (let count = 0; count < mostTrailers; count++) {
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
class Reader {
  private readonly pieces: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.pieces = source[Symbol.asyncIterator]();
  }

  /** Returns the next line without its terminator. */
  async line(): Promise<string> {
    const line = await this.lineOrEnd();
    if (line === undefined) throw endedEarly();
    return line;
  }

  /** Returns the next line; undefined at the end. */
  async lineOrEnd(): Promise<string | undefined> {
    let end = this.rest.indexOf("\n");
    while (end === -1) {
      if (this.rest.length > longestLine) throw new Refusal("IncompleteBody", {}, "A chunk header is too long.");
      const piece = await this.next();
      if (piece === undefined) return this.rest.length > 0 ? this.cut(this.rest.length).toString("latin1") : undefined;
      this.rest = Buffer.concat([this.rest, piece]);
      end = this.rest.indexOf("\n");
    }
    return this.cut(end + 1)
      .toString("latin1")
      .replace(/\r?\n$/, "");
  }

  async *take(count: number): AsyncGenerator<Buffer> {
    let missing = count;
    while (missing > 0) {
      if (this.rest.length === 0) {
        const piece = await this.next();
        if (piece === undefined) throw endedEarly();
        this.rest = piece;
      }
      const piece = this.cut(Math.min(missing, this.rest.length));
      missing -= piece.length;
      yield piece;
    }
  }

  private cut(length: number): Buffer {
    const piece = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return piece;
  }

  private async next(): Promise<Buffer | undefined> {
    const { value, done } = await this.pieces.next();
    return done ? undefined : value;
  }
}

function endedEarly(): Refusal {
  return new Refusal("IncompleteBody", {}, "The request body terminated unexpectedly");
}
