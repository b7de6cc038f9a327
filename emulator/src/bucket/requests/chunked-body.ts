import { createHash } from "node:crypto";
import { Refusal } from "../errors";
import type { ChunkSigner } from "./signature";

/** How a body comes in chunks of its own. */
export interface Chunking {
  /** What checks the chunks' signatures; undefined when they carry none. */
  signer: ChunkSigner | undefined;
  /** Whether headers follow the last chunk; each is handed to `onTrailer`, its name in lower case. */
  trailers: boolean;
  onTrailer(name: string, value: string): void;
}

/** The longest line between chunks, and the most lines after the last one. */
const longestLine = 4096;
const mostTrailers = 16;

/**
 * The content of a body in S3's own chunks (`aws-chunked`): each `<size in hex>;chunk-signature=<signature>`, the bytes,
 * and after one of no bytes the trailers. Bytes are handed on before their signature is known: whoever keeps them must
 * wait for the end. Throws Refusal for a body that ends early, is no such body, or is wrongly signed.
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

/** Reads lines and counted bytes out of pieces of any size, holding no more than one piece. */
class Reader {
  private readonly pieces: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.pieces = source[Symbol.asyncIterator]();
  }

  /** The next line without its end. */
  async line(): Promise<string> {
    const line = await this.lineOrEnd();
    if (line === undefined) throw endedEarly();
    return line;
  }

  /** The next line; undefined when nothing follows. */
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
