import type { SQLOutputValue } from "node:sqlite";
import { longer } from "./grow-buffer";

/** Collects the values of a page, nulls left out. */
export interface Values {
  add(value: SQLOutputValue): void;
  /** Length of the page so far, in bytes. */
  readonly size: number;
  readonly encoding: "PLAIN" | "RLE_DICTIONARY";
  /** The values as they stand in the page. A view: the next `add` may overwrite it. */
  bytes(): Uint8Array;
  /** Begins the next page. */
  clear(): void;
  /** Whether the page has to end here, whatever its size. */
  readonly full?: boolean;
}

/** Texts: each its length in 4 bytes, then its UTF-8. */
export class Texts implements Values {
  readonly encoding = "PLAIN";
  size = 0;
  private buffer = Buffer.allocUnsafeSlow(1024);

  add(value: SQLOutputValue): void {
    const text = String(value);
    // No UTF-16 unit takes more than three bytes.
    const most = this.size + 4 + 3 * text.length;
    if (most > this.buffer.length) this.grow(most);
    const length = this.buffer.write(text, this.size + 4);
    this.buffer.writeUInt32LE(length, this.size);
    this.size += 4 + length;
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.size);
  }

  clear(): void {
    this.size = 0;
  }

  private grow(most: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(most, 2 * this.buffer.length));
    this.buffer.copy(larger, 0, 0, this.size);
    this.buffer = larger;
  }
}

/** 64-bit integers. */
export class Integers implements Values {
  readonly encoding = "PLAIN";
  private least: bigint | undefined;
  private greatest: bigint | undefined;
  private values = new BigInt64Array(1024);
  private count = 0;

  get size(): number {
    return 8 * this.count;
  }

  add(value: SQLOutputValue): void {
    const integer = value as bigint;
    if (this.count === this.values.length) this.values = longer(this.values, BigInt64Array);
    this.values[this.count++] = integer;
    if (this.least === undefined || integer < this.least) this.least = integer;
    if (this.greatest === undefined || integer > this.greatest) this.greatest = integer;
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.values.buffer, 0, this.size);
  }

  clear(): void {
    this.count = 0;
  }

  /** Of all pages since it was last asked. */
  takeRange() {
    const { least, greatest } = this;
    this.least = this.greatest = undefined;
    return { least, greatest };
  }
}

export class Doubles implements Values {
  readonly encoding = "PLAIN";
  private values = new Float64Array(1024);
  private count = 0;

  get size(): number {
    return 8 * this.count;
  }

  add(value: SQLOutputValue): void {
    if (this.count === this.values.length) this.values = longer(this.values, Float64Array);
    this.values[this.count++] = Number(value);
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.values.buffer, 0, this.size);
  }

  clear(): void {
    this.count = 0;
  }
}

/** Truth, which is 1 or 0 in SQLite: eight values to a byte, from its lowest bit on. */
export class Booleans implements Values {
  readonly encoding = "PLAIN";
  private values = new Uint8Array(1024);
  private count = 0;

  get size(): number {
    return Math.ceil(this.count / 8);
  }

  add(value: SQLOutputValue): void {
    const [at, bit] = [this.count >> 3, this.count & 7];
    if (at === this.values.length) this.values = longer(this.values, Uint8Array);
    const others = bit === 0 ? 0 : (this.values[at] as number);
    this.values[at] = Number(value) === 0 ? others : others | (1 << bit);
    this.count++;
  }

  bytes(): Uint8Array {
    return this.values.subarray(0, this.size);
  }

  clear(): void {
    this.count = 0;
  }
}
