/**
 * Texts as UTF-8, one behind the other in one piece of memory, which serves the next row group again: a piece for each text
 * would be freed late.
 */
export class TextBuffer {
  private readonly bytes: Buffer;
  private used = 0;

  /** What is longer than `size`, in bytes, has memory of its own. */
  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** The text's bytes, which are good until the next `clear`. */
  add(text: string): Uint8Array {
    const start = this.used;
    // No UTF-16 unit takes more than three bytes.
    if (start + 3 * text.length > this.bytes.length) return Buffer.from(text);
    this.used += this.bytes.write(text, start);
    return this.bytes.subarray(start, this.used);
  }

  clear(): void {
    this.used = 0;
  }
}
