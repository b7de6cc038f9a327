import { promisify } from "node:util";
import { gzip, constants as zlib, zstdCompress } from "node:zlib";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import type { Compression } from "./task";

/** A codec of the Parquet format: its name there, and how it packs a page. */
interface Codec {
  name: "UNCOMPRESSED" | "GZIP" | "SNAPPY" | "ZSTD";
  pack(page: Uint8Array): Promise<Uint8Array> | Uint8Array;
}

/** Output comes in chunks of this length, each of them a turn of the event loop. */
const chunkSize = 256 * 1024;
const packGzip = promisify(gzip);
const packZstd = promisify<Uint8Array, object, Uint8Array>(zstdCompress);

const codecs: Record<Compression, Codec> = {
  none: { name: "UNCOMPRESSED", pack: (page) => page },
  gzip: { name: "GZIP", pack: (page) => packGzip(page, { chunkSize, level: zlib.Z_BEST_SPEED }) },
  snappy: { name: "SNAPPY", pack: snappyCompress },
  zstandard: {
    name: "ZSTD",
    pack: (page) => packZstd(page, { chunkSize, params: { [zlib.ZSTD_c_compressionLevel]: 1 } }),
  },
};

/** So many bytes may wait to be packed. */
const enough = 4 * 1024 * 1024;

/** Packs pages: zlib does it in its own threads, while this one reads on. */
export class Packer {
  readonly codec: Codec["name"];
  private readonly packPage: Codec["pack"];
  private readonly underWay = new Set<Promise<unknown>>();
  private waiting = 0;

  constructor(compression: Compression) {
    const { name, pack } = codecs[compression];
    this.codec = name;
    this.packPage = pack;
  }

  /** Whether so much waits that whoever brings more should wait too. */
  get busy(): boolean {
    return this.waiting > enough;
  }

  pack(page: Uint8Array): Promise<Uint8Array> {
    this.waiting += page.length;
    const packed = Promise.resolve(this.packPage(page)).finally(() => {
      this.waiting -= page.length;
      this.underWay.delete(packed);
    });
    // A failure is met by whoever writes the page; until then nobody may be waiting for it.
    packed.catch(() => {});
    this.underWay.add(packed);
    return packed;
  }

  async relief(): Promise<void> {
    while (this.busy) await Promise.race(this.underWay);
  }
}
