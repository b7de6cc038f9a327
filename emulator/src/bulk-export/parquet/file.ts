import type { SQLOutputValue } from "node:sqlite";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import type { ColumnKind, Column as Field } from "../../tracing/columns";
import type { Codec } from "./codecs";
import { columnOf, schemaOf } from "./schema";
import { TextBuffer } from "./text-buffer";

/** A row group ends at the first of these limits. Readers and this writer hold one row group in memory. */
const rowGroup = { rows: 5000, bytes: 4 * 1024 * 1024 };

/** The values of a column in the current row group. */
type Column = ColumnSource & { kind: ColumnKind; data: unknown[] };

/** A Parquet file, written row by row: collects rows by column until a row group is full. */
export class ParquetFile {
  private readonly writer = new ByteWriter();
  private readonly parquet: ParquetWriter;
  private readonly columns: Column[];
  private readonly texts = new TextBuffer(rowGroup.bytes);
  private lastList: { json: string; texts: (string | null)[] } = { json: "[]", texts: [] };
  private rows = 0;
  private bytes = 0;
  private sending: Promise<void> = Promise.resolve();

  /** @param send Receives the next bytes of the file; not called again before its promise resolves. */
  constructor(
    fields: readonly Field[],
    { name: codec, compressors }: Codec,
    private readonly send: (bytes: Uint8Array) => Promise<void>,
  ) {
    const schema = schemaOf(fields);
    this.parquet = new ParquetWriter({
      writer: this.writer,
      schema,
      codec,
      compressors,
      createdBy: "agentgraph-emulator",
    });
    this.columns = fields.map((field) => ({ ...columnOf(field), kind: field.kind, data: [] }));
  }

  /** Adds a row, with integers as bigint. Returns true if the row group is full and must be ended. */
  add(row: readonly SQLOutputValue[]): boolean {
    for (let index = 0; index < this.columns.length; index++) {
      const { kind, data } = this.columns[index] as Column;
      data.push(this.toColumnValue(kind, row[index] as SQLOutputValue));
    }
    this.rows++;
    return this.bytes >= rowGroup.bytes || this.rows >= rowGroup.rows;
  }

  /** Encodes the row group and starts to send it, after the previous one was sent: at most two are in memory. */
  async endRowGroup(): Promise<void> {
    this.parquet.write({ columnData: this.columns, rowGroupSize: this.rows });
    for (const column of this.columns) column.data.length = 0;
    this.texts.clear();
    this.rows = this.bytes = 0;
    await this.sendWrittenBytes();
  }

  /** Writes the remaining rows and the footer. */
  async end(): Promise<void> {
    if (this.rows > 0) await this.endRowGroup();
    this.parquet.finish();
    await this.sendWrittenBytes();
    await this.sending;
  }

  /** Waits until the last send succeeded or failed. */
  async whenSent(): Promise<void> {
    await this.sending.catch(() => {});
  }

  /** Converts a SQLite value to a writer value. */
  private toColumnValue(kind: ColumnKind, value: SQLOutputValue): unknown {
    if (kind === "boolean") return value === null ? null : value === 1n;
    if (typeof value !== "string") return value;
    this.bytes += value.length;
    if (kind === "json") return this.texts.add(value);
    if (kind !== "strings") return value;
    // Runs with the same parent follow one another and have equal lists.
    if (value !== this.lastList.json) this.lastList = { json: value, texts: JSON.parse(value) };
    return this.lastList.texts;
  }

  private async sendWrittenBytes(): Promise<void> {
    const bytes = this.writer.getBytes().slice();
    this.writer.index = 0;
    await this.sending;
    this.sending = this.send(bytes);
    // The next await reports a failure; nothing may be awaiting yet.
    this.sending.catch(() => {});
  }
}
