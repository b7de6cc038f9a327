import { gzipSync, constants as zlib, zstdCompressSync } from "node:zlib";
import type { ParquetWriter } from "hyparquet-writer";
import type { Compression } from "../../runtime/options";

/** A codec of the Parquet format. The writer includes a compressor for SNAPPY. */
export interface Codec {
  name: ParquetWriter["codec"];
  compressors?: Partial<ParquetWriter["compressors"]>;
}

/** The lowest levels take half the time of the defaults and produce files a few percent larger. */
export const codecs: Record<Compression, Codec> = {
  none: { name: "UNCOMPRESSED" },
  gzip: { name: "GZIP", compressors: { GZIP: (page) => gzipSync(page, { level: zlib.Z_BEST_SPEED }) } },
  snappy: { name: "SNAPPY" },
  zstandard: {
    name: "ZSTD",
    compressors: { ZSTD: (page) => zstdCompressSync(page, { params: { [zlib.ZSTD_c_compressionLevel]: 1 } }) },
  },
};
