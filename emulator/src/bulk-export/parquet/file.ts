import type { SQLOutputValue } from "node:sqlite";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import type { ColumnKind, Column as Field } from "../../tracing/columns";
import type { Codec } from "./codecs";
import { columnOf, schemaOf } from "./schema";
import { TextBuffer } from "./text-buffer";

/** A row group ends with the first of these. It is what a reader, and this writer, has in memory at once. */
const rowGroup = { rows: 5000, bytes: 4 * 1024 * 1024 };

/** The values of a column in the present row group. */
type Column = ColumnSource & { kind: ColumnKind; data: unknown[] };

/** A Parquet file, written row by row: rows are collected by column until they are a row group. */
export class ParquetFile {
  private readonly out = new ByteWriter();
  private readonly parquet: ParquetWriter;
  private readonly columns: Column[];
  private readonly texts = new TextBuffer(rowGroup.bytes);
  private lastList: { json: string; texts: (string | null)[] } = { json: "[]", texts: [] };
  private rows = 0;
  private bytes = 0;
  private sending: Promise<void> = Promise.resolve();

  /** @param send Takes the next bytes of the file; no more come before its promise is done. */
  constructor(
    fields: readonly Field[],
    { name: codec, compressors }: Codec,
    private readonly send: (bytes: Uint8Array) => Promise<void>,
  ) {
    const schema = schemaOf(fields);
    this.parquet = new ParquetWriter({
      writer: this.out,
      schema,
      codec,
      compressors,
      createdBy: "agentgraph-emulator",
    });
    this.columns = fields.map((field) => ({ ...columnOf(field), kind: field.kind, data: [] }));
  }

  /** Adds a row, with integers as bigint. True: the row group is full, so end it now. */
  add(row: readonly SQLOutputValue[]): boolean {
    for (let index = 0; index < this.columns.length; index++) {
      const { kind, data } = this.columns[index] as Column;
      data.push(this.read(kind, row[index] as SQLOutputValue));
    }
    this.rows++;
    return this.bytes >= rowGroup.bytes || this.rows >= rowGroup.rows;
  }

  /** Encodes the row group, and begins to send it; the one before has to be sent, so two at most are in memory. */
  async endRowGroup(): Promise<void> {
    this.parquet.write({ columnData: this.columns, rowGroupSize: this.rows });
    for (const column of this.columns) column.data.length = 0;
    this.texts.clear();
    this.rows = this.bytes = 0;
    await this.sendWritten();
  }

  /** Writes what is left, and the footer. */
  async end(): Promise<void> {
    if (this.rows > 0) await this.endRowGroup();
    this.parquet.finish();
    await this.sendWritten();
    await this.sending;
  }

  /** Waits until nothing is being sent, for better or worse. */
  async settled(): Promise<void> {
    await this.sending.catch(() => {});
  }

  /** A value of SQLite as the writer takes it. */
  private read(kind: ColumnKind, value: SQLOutputValue): unknown {
    if (kind === "boolean") return value === null ? null : value === 1n;
    if (typeof value !== "string") return value;
    this.bytes += value.length;
    if (kind === "json") return this.texts.add(value);
    if (kind !== "strings") return value;
    // Runs with one parent follow one another, and have equal lists.
    if (value !== this.lastList.json) this.lastList = { json: value, texts: JSON.parse(value) };
    return this.lastList.texts;
  }

  private async sendWritten(): Promise<void> {
    const bytes = this.out.getBytes().slice();
    this.out.index = 0;
    await this.sending;
    this.sending = this.send(bytes);
    // A failure is met by who waits next; nobody may be waiting yet.
    this.sending.catch(() => {});
  }
}
