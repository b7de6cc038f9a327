import { ByteWriter } from "hyparquet-writer";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { longer } from "./grow-buffer";

/** Bits that hold every number up to this one. */
export function bitWidth(most: number): number {
  return 32 - Math.clz32(most);
}

/** Small numbers in Parquet's hybrid of run lengths and bit packing. */
export function packNumbers(numbers: Uint8Array | Uint32Array, width: number): Uint8Array {
  const writer = new ByteWriter();
  writeRleBitPackedHybrid(writer, numbers, width);
  return writer.getBytes();
}

/**
 * The definition or repetition levels of a page: what is null, and how values lie in lists. A column without nulls, or
 * without lists, has no such levels.
 */
export class Levels {
  private levels = new Uint8Array(1024);
  private count = 0;

  constructor(readonly most: number) {}

  add(level: number): void {
    if (this.most === 0) return;
    if (this.count === this.levels.length) this.levels = longer(this.levels, Uint8Array);
    this.levels[this.count++] = level;
  }

  /** As a data page begins with them: their length in 4 bytes, then themselves. */
  bytes(): Uint8Array[] {
    if (this.most === 0) return [];
    const packed = packNumbers(this.levels.subarray(0, this.count), bitWidth(this.most));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(packed.length);
    return [length, packed];
  }

  clear(): void {
    this.count = 0;
  }
}
