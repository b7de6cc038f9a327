import type { SQLOutputValue } from "node:sqlite";
import type { Codec } from "./codecs";
import { RepeatingTexts } from "./dictionary-encoder";
import { Levels } from "./levels";
import { Integers, type Values } from "./values";

/** Pages of this length: a reader unpacks one at a time, and each is packed by itself. In bytes. */
const pageSize = 1024 * 1024;

export interface Page {
  encoding: "PLAIN" | "RLE_DICTIONARY";
  /** Values in it, nulls and empty lists too. */
  count: number;
  /** Before it is packed, in bytes. */
  length: number;
  packed: Uint8Array;
}

/** What one column has in one row group. */
export interface Chunk {
  dictionary: Page | undefined;
  pages: Page[];
  count: number;
  nulls: number;
  least?: bigint | undefined;
  greatest?: bigint | undefined;
}

/** Where pages are put together, one after the other; a new piece of memory for each would be freed late. */
const scratch = Buffer.allocUnsafeSlow(2 * pageSize);

/** The parts as one, until the next call. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // One long text makes a page of its own.
  if (length > scratch.length) return Buffer.concat(parts);
  let at = 0;
  for (const part of parts) {
    scratch.set(part, at);
    at += part.length;
  }
  return scratch.subarray(0, length);
}

/** The rows of one column, collected into pages. */
export class Column {
  /** Bytes of all pages of this row group that are full. */
  paged = 0;
  private readonly repetition: Levels;
  private readonly definition: Levels;
  private pages: Page[] = [];
  private inPage = 0;
  private count = 0;
  private nulls = 0;

  /**
   * @param most The definition level of a value that is there: 0 where none can be null.
   * @param values An encoder of its own.
   */
  constructor(
    protected readonly most: number,
    private readonly values: Values,
    private readonly codec: Codec,
    repetition = 0,
  ) {
    this.definition = new Levels(most);
    this.repetition = new Levels(repetition);
  }

  /** Adds the value of the next row. */
  add(value: SQLOutputValue): void {
    this.put(value, value === null ? 0 : this.most, 0);
  }

  /** Ends the row group, and begins the next. */
  take(): Chunk {
    if (this.inPage > 0) this.endPage();
    const { values, pages, count, nulls } = this;
    this.pages = [];
    this.paged = this.count = this.nulls = 0;
    const chunk = { pages, count, nulls, dictionary: undefined };
    if (values instanceof Integers) return { ...chunk, ...values.takeRange() };
    if (!(values instanceof RepeatingTexts)) return chunk;
    const dictionary = values.takeDictionary();
    return { ...chunk, dictionary: dictionary && this.page("PLAIN", dictionary.count, dictionary.bytes) };
  }

  protected put(value: SQLOutputValue, definition: number, repetition: number): void {
    // Only the first value of a row may begin a page.
    if (repetition === 0 && (this.values.size >= pageSize || this.values.full)) this.endPage();
    this.inPage++;
    this.repetition.add(repetition);
    this.definition.add(definition);
    if (definition === this.most) this.values.add(value);
    else this.nulls++;
  }

  private endPage(): void {
    const { values, repetition, definition } = this;
    const bytes = joined([...repetition.bytes(), ...definition.bytes(), values.bytes()]);
    this.pages.push(this.page(values.encoding, this.inPage, bytes));
    this.paged += bytes.length;
    this.count += this.inPage;
    this.inPage = 0;
    for (const part of [values, repetition, definition]) part.clear();
  }

  private page(encoding: Page["encoding"], count: number, bytes: Uint8Array): Page {
    return { encoding, count, length: bytes.length, packed: this.codec.pack(bytes) };
  }
}

/** Lists of texts, which SQLite keeps as JSON. A list, and a text in it, may be null. */
export class ListColumn extends Column {
  private lastJson: SQLOutputValue = "[]";
  private lastList: readonly (string | null)[] = [];

  constructor(nullable: boolean, values: Values, codec: Codec) {
    super(nullable ? 3 : 2, values, codec, 1);
  }

  override add(value: SQLOutputValue): void {
    if (value === null) {
      this.put(null, 0, 0);
      return;
    }
    // Runs with one parent follow one another, and have equal lists.
    if (value !== this.lastJson) this.lastList = JSON.parse(String(value));
    this.lastJson = value;
    if (this.lastList.length === 0) this.put(null, this.most - 2, 0);
    this.lastList.forEach((text, index) => {
      this.put(text, text === null ? this.most - 1 : this.most, index === 0 ? 0 : 1);
    });
  }
}
