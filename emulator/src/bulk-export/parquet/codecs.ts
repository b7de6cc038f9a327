import { gzipSync, constants as zlib, zstdCompressSync } from "node:zlib";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import type { Compression } from "../../runtime/options";

/** A codec of the Parquet format. */
export interface Codec {
  /** Its name there. */
  name: "UNCOMPRESSED" | "GZIP" | "SNAPPY" | "ZSTD";
  /** Gives memory of its own, so that the page can be overwritten. */
  pack(page: Uint8Array): Uint8Array;
}

/**
 * They pack in the thread of the caller: zlib's own threads would need every page to live on until its turn, and memory that
 * lives on is freed late. The lowest levels take half the time of the defaults, for files a few percent longer.
 */
export const codecs: Record<Compression, Codec> = {
  none: { name: "UNCOMPRESSED", pack: (page) => new Uint8Array(page) },
  gzip: { name: "GZIP", pack: (page) => gzipSync(page, { level: zlib.Z_BEST_SPEED }) },
  snappy: { name: "SNAPPY", pack: snappyCompress },
  zstandard: {
    name: "ZSTD",
    pack: (page) => zstdCompressSync(page, { params: { [zlib.ZSTD_c_compressionLevel]: 1 } }),
  },
};
