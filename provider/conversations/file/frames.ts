/**
 * Lines of JSON, each a zstandard frame after a skippable frame with its length: a line is read without the others, a
 * file whose end is missing up to there, and `zstd -dc` prints all lines.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

const SKIPPABLE = 0x184d2a50;
const HEADER_BYTES = 12;
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

export function toFrame(line: string): Buffer {
  // A line may have many megabytes: it is copied once.
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(line) + 1);
  bytes.write("\n", bytes.write(line));
  const frame = zstdCompressSync(bytes, { params: PARAMS });
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(SKIPPABLE, 0);
  header.writeUInt32LE(4, 4);
  header.writeUInt32LE(frame.length, 8);
  return Buffer.concat([header, frame]);
}

/** Returns the line of a frame. @throws Error when it is damaged. */
export function fromFrame(bytes: Buffer): string {
  if (lengthAt(bytes) !== bytes.length) throw damaged();
  return zstdDecompressSync(bytes.subarray(HEADER_BYTES)).toString("utf8").slice(0, -1);
}

/** Returns the lines of a file of frames. @throws Error when it is damaged. */
export async function* linesOfFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const length = rest.length < HEADER_BYTES ? undefined : lengthAt(rest);
      if (length === undefined || rest.length < length) break;
      yield fromFrame(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  }
  if (rest.length > 0) throw damaged();
}

/** Returns the length of the frame at the beginning. @throws Error when none is there. */
function lengthAt(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== SKIPPABLE) throw damaged();
  return HEADER_BYTES + bytes.readUInt32LE(8);
}

const damaged = () => new Error("the frame is damaged");
