import type { SQLOutputValue } from "node:sqlite";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import type { Column as Field } from "../../tracing/columns";
import type { Codec } from "./codecs";
import type { Chunk, Column, Page } from "./column";
import { columnFor, pathOf, physicalType, schemaOf } from "./types";

/** A row group ends with the first of these. It is what a reader, and this writer, has in hand at once. */
const rowGroup = { rows: 100_000, bytes: 16 * 1024 * 1024 };

type RowGroup = ParquetWriter["row_groups"][number];
type ChunkMeta = RowGroup["columns"][number];

/**
 * A Parquet file, written row by row. hyparquet-writer writes the page headers and the footer; the pages are ours, since
 * its own way through arrays of values takes twice as long (docs/design-decisions.md).
 */
export class ParquetFile {
  private readonly out = new ByteWriter();
  private readonly parquet: ParquetWriter;
  private readonly columns: Column[];
  private inGroup = 0;
  private writing: Promise<void> = Promise.resolve();

  /** @param send Takes the next bytes of the file; no more come before its promise is done. */
  constructor(
    private readonly fields: readonly Field[],
    private readonly codec: Codec,
    private readonly send: (bytes: Uint8Array) => Promise<void>,
  ) {
    this.parquet = new ParquetWriter({ writer: this.out, schema: schemaOf(fields), createdBy: "agentgraph-emulator" });
    this.columns = fields.map((field) => columnFor(field, codec));
  }

  /** Adds a row, with integers as bigint. True: the row group is full, so end it now. */
  add(row: readonly SQLOutputValue[]): boolean {
    let bytes = 0;
    for (let index = 0; index < this.columns.length; index++) {
      const column = this.columns[index] as Column;
      column.add(row[index] as SQLOutputValue);
      bytes += column.paged;
    }
    this.inGroup++;
    return bytes >= rowGroup.bytes || this.inGroup >= rowGroup.rows;
  }

  /** Begins to write the row group; the one before has to be written, so two at most are in memory. */
  async endRowGroup(): Promise<void> {
    const [rows, chunks] = [this.inGroup, this.columns.map((column) => column.take())];
    this.inGroup = 0;
    await this.writing;
    this.writing = this.writeRowGroup(rows, chunks);
    // A failure is met by who waits next; nobody may be waiting yet.
    this.writing.catch(() => {});
  }

  /** Writes what is left, and the footer. */
  async end(): Promise<void> {
    if (this.inGroup > 0) await this.endRowGroup();
    await this.writing;
    this.parquet.finish();
    await this.flush();
  }

  /** Waits until nothing is being written, for better or worse. */
  async settled(): Promise<void> {
    await this.writing.catch(() => {});
  }

  private async writeRowGroup(rows: number, chunks: readonly Chunk[]): Promise<void> {
    const start = this.out.offset;
    const columns: ChunkMeta[] = [];
    let total_byte_size = 0n;
    for (const [index, chunk] of chunks.entries()) {
      const column = this.writeChunk(this.fields[index] as Field, chunk);
      columns.push(column);
      total_byte_size += column.meta_data?.total_uncompressed_size ?? 0n;
      await this.flush();
    }
    const total_compressed_size = BigInt(this.out.offset - start);
    this.parquet.row_groups.push({ columns, total_byte_size, num_rows: BigInt(rows), total_compressed_size });
    this.parquet.num_rows += BigInt(rows);
  }

  private writeChunk(field: Field, { dictionary, pages, count, nulls, least, greatest }: Chunk): ChunkMeta {
    const start = this.out.offset;
    let unpacked = dictionary ? this.writePage(dictionary, true) : 0;
    const firstPage = this.out.offset;
    for (const page of pages) unpacked += this.writePage(page, false);
    const encodings = new Set<Page["encoding"] | "RLE">(["RLE", ...pages.map(({ encoding }) => encoding)]);
    if (dictionary) encodings.add("PLAIN");
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: physicalType(field),
        encodings: [...encodings],
        path_in_schema: pathOf(field),
        codec: this.codec.name,
        num_values: BigInt(count),
        total_uncompressed_size: BigInt(unpacked),
        total_compressed_size: BigInt(this.out.offset - start),
        data_page_offset: BigInt(firstPage),
        dictionary_page_offset: dictionary && BigInt(start),
        statistics: { null_count: BigInt(nulls), min_value: least, max_value: greatest },
      },
    };
  }

  /** Gives the length that the page has unpacked, with its header. */
  private writePage({ encoding, count, length, packed }: Page, dictionary: boolean): number {
    const start = this.out.offset;
    const sizes = { uncompressed_page_size: length, compressed_page_size: packed.length };
    const levels = { definition_level_encoding: "RLE", repetition_level_encoding: "RLE" } as const;
    // Version 1 of data pages, which every reader knows.
    if (dictionary)
      writePageHeader(this.out, {
        type: "DICTIONARY_PAGE",
        ...sizes,
        dictionary_page_header: { num_values: count, encoding },
      });
    else
      writePageHeader(this.out, {
        type: "DATA_PAGE",
        ...sizes,
        data_page_header: { num_values: count, encoding, ...levels },
      });
    const header = this.out.offset - start;
    this.out.appendBytes(packed);
    return header + length;
  }

  private async flush(): Promise<void> {
    const bytes = this.out.getBytes().slice();
    this.out.index = 0;
    await this.send(bytes);
  }
}
