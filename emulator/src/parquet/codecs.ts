import { promisify } from "node:util";
import { gzip, constants as zlib, zstdCompress } from "node:zlib";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import type { Compression } from "./task";

/** A codec of the Parquet format: its name there, and how it packs a page. */
export interface Codec {
  name: "UNCOMPRESSED" | "GZIP" | "SNAPPY" | "ZSTD";
  compress(page: Uint8Array): Promise<Uint8Array> | Uint8Array;
}

// zlib packs in its thread pool while this thread reads on. Each chunk of output costs a turn of the event loop.
const chunkSize = 256 * 1024;
const packGzip = promisify(gzip);
const packZstd = promisify<Uint8Array, object, Uint8Array>(zstdCompress);

export const codecs: Record<Compression, Codec> = {
  none: { name: "UNCOMPRESSED", compress: (page) => page },
  gzip: { name: "GZIP", compress: (page) => packGzip(page, { chunkSize, level: zlib.Z_BEST_SPEED }) },
  snappy: { name: "SNAPPY", compress: snappyCompress },
  zstandard: {
    name: "ZSTD",
    compress: (page) => packZstd(page, { chunkSize, params: { [zlib.ZSTD_c_compressionLevel]: 1 } }),
  },
};
