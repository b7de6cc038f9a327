/**
 * A buffer of UTF-8 texts that is reused for each row group: the garbage collector would free one buffer per text too
 * late.
 */
export class TextBuffer {
  private readonly bytes: Buffer;
  private used = 0;

  /** Texts that do not fit into `size` bytes get a separate buffer. */
  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** Returns the bytes of a text, which are valid until the next `clear`. */
  add(text: string): Uint8Array {
    const start = this.used;
    // A UTF-16 code unit takes at most three bytes.
    if (start + 3 * text.length > this.bytes.length) return Buffer.from(text);
    this.used += this.bytes.write(text, start);
    return this.bytes.subarray(start, this.used);
  }

  clear(): void {
    this.used = 0;
  }
}
