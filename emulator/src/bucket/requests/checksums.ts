import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

/** An incremental checksum; its value is base64, as in the header `x-amz-checksum-<algorithm>`. */
export interface Checksum {
  update(bytes: Buffer): void;
  digest(): string;
}

const factories: Record<string, () => Checksum> = {
  crc32: () => new Crc(crc32),
  crc32c: () => new Crc(crc32c),
  crc64nvme: () => new Crc64(),
  sha1: () => hashChecksum("sha1"),
  sha256: () => hashChecksum("sha256"),
};

/** The checksum algorithms of S3 uploads. */
export const checksumAlgorithms = Object.keys(factories);

/** Creates a checksum. @throws Error for an unsupported algorithm. */
export function createChecksum(algorithm: string): Checksum {
  const factory = factories[algorithm];
  if (!factory) throw new Error(`Unsupported checksum ${algorithm}`);
  return factory();
}

function hashChecksum(name: string): Checksum {
  const hash = createHash(name);
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest("base64") };
}

class Crc implements Checksum {
  private value = 0;

  constructor(private readonly step: (bytes: Buffer, value: number) => number) {}

  update(bytes: Buffer): void {
    this.value = this.step(bytes, this.value);
  }

  digest(): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.value);
    return bytes.toString("base64");
  }
}

/** Lookup table of the reversed Castagnoli polynomial. */
const castagnoli = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

function crc32c(bytes: Buffer, start: number): number {
  let value = ~start;
  for (const byte of bytes) value = (castagnoli[(value ^ byte) & 255] as number) ^ (value >>> 8);
  return ~value >>> 0;
}

/** The reversed NVMe polynomial in two halves: numbers do not hold 64 bits, and BigInt is too slow. */
const [nvmeHigh, nvmeLow] = [0x9a6c9329, 0xac4bc9b5];
const high = new Uint32Array(256);
const low = new Uint32Array(256);
for (let byte = 0; byte < 256; byte++) {
  let [upper, lower] = [0, byte];
  for (let bit = 0; bit < 8; bit++) {
    const odd = lower & 1;
    lower = (lower >>> 1) | (upper << 31);
    upper >>>= 1;
    if (odd) [upper, lower] = [upper ^ nvmeHigh, lower ^ nvmeLow];
  }
  [high[byte], low[byte]] = [upper, lower];
}

class Crc64 implements Checksum {
  private upper = -1;
  private lower = -1;

  update(bytes: Buffer): void {
    let { upper, lower } = this;
    for (const byte of bytes) {
      const index = (lower ^ byte) & 255;
      lower = ((lower >>> 8) | (upper << 24)) ^ (low[index] as number);
      upper = (upper >>> 8) ^ (high[index] as number);
    }
    [this.upper, this.lower] = [upper, lower];
  }

  digest(): string {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32BE(~this.upper, 0);
    bytes.writeInt32BE(~this.lower, 4);
    return bytes.toString("base64");
  }
}
