import type { SQLOutputValue } from "node:sqlite";
import { longer } from "./grow-buffer";
import { bitWidth, packNumbers } from "./levels";
import { Texts, type Values } from "./values";

/** A dictionary of more saves too little for what looking up costs. */
const enough = { entries: 4096, bytes: 1024 * 1024 };

/**
 * Texts of which many are equal: each different one once, in a dictionary, and in the page only its number there. Where too
 * many differ, the pages that follow have the texts themselves, also in later row groups.
 */
export class RepeatingTexts implements Values {
  private readonly distinct = new Texts();
  private readonly numbers = new Map<string, number>();
  private places = new Uint32Array(1024);
  private count = 0;
  private readonly plain = new Texts();
  private gaveUp = false;

  get encoding() {
    return this.gaveUp || this.numbers.size === 0 ? "PLAIN" : "RLE_DICTIONARY";
  }

  get size(): number {
    return this.gaveUp ? this.plain.size : this.places.BYTES_PER_ELEMENT * this.count;
  }

  /** Whether the page has to end since the dictionary must not grow any more. */
  get full(): boolean {
    return !this.gaveUp && (this.numbers.size >= enough.entries || this.distinct.size >= enough.bytes);
  }

  add(value: SQLOutputValue): void {
    if (this.gaveUp) {
      this.plain.add(value);
      return;
    }
    const text = String(value);
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(text, number);
      this.distinct.add(text);
    }
    if (this.count === this.places.length) this.places = longer(this.places, Uint32Array);
    this.places[this.count++] = number;
  }

  bytes(): Uint8Array {
    if (this.encoding === "PLAIN") return this.plain.bytes();
    const width = bitWidth(this.numbers.size - 1);
    return Buffer.concat([Buffer.of(width), packNumbers(this.places.subarray(0, this.count), width)]);
  }

  clear(): void {
    if (this.full) this.gaveUp = true;
    this.plain.clear();
    this.count = 0;
  }

  /** The dictionary of all pages since it was last asked. */
  takeDictionary(): { count: number; bytes: Uint8Array } | undefined {
    if (this.numbers.size === 0) return undefined;
    const dictionary = { count: this.numbers.size, bytes: Buffer.from(this.distinct.bytes()) };
    this.distinct.clear();
    this.numbers.clear();
    return dictionary;
  }
}
