/**
 * Lines of JSON in a compressed file: each line is one zstandard frame, and before it a skippable frame says how long it is.
 * So a line is read without the others, and a file whose end is missing is readable up to there; `zstd -dc` prints all lines.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

const SKIPPABLE = 0x184d2a50;
const HEADER_BYTES = 12;
const LEVEL = 3;

export function toFrame(line: string): Buffer {
  const frame = zstdCompressSync(`${line}\n`, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(SKIPPABLE, 0);
  header.writeUInt32LE(4, 4);
  header.writeUInt32LE(frame.length, 8);
  return Buffer.concat([header, frame]);
}

/** Returns the line of a frame. @throws Error when it is damaged. */
export function fromFrame(bytes: Buffer): string {
  if (lengthAt(bytes, 0) !== bytes.length) throw new Error("the frame is damaged");
  return zstdDecompressSync(bytes.subarray(HEADER_BYTES)).toString("utf8").slice(0, -1);
}

/** Returns the length of the frame that begins at a position. @throws Error when none does. */
export function lengthAt(bytes: Buffer, position: number): number {
  const isWhole = position + HEADER_BYTES <= bytes.length && bytes.readUInt32LE(position) === SKIPPABLE;
  if (!isWhole) throw new Error("the frame is damaged");
  return HEADER_BYTES + bytes.readUInt32LE(position + 8);
}
