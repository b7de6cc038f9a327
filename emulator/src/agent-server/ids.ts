import { createHash, randomBytes } from "node:crypto";

/** Returns the version 5 UUID of a name. */
export function uuid5(namespace: string, name: string): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return hyphenated(bytes.toString("hex"));
}

/** From the start of the Gregorian calendar to 1970, in units of 100 ns. */
const gregorian = 0x01b21dd213814000n;

/**
 * Returns a version 6 UUID, as real servers use for checkpoints: sorted by time, then by `seq` within a millisecond.
 */
export function checkpointId(atMs: number, seq: number, step: number): string {
  const time = (BigInt(atMs) * 10_000n + BigInt(seq % 10_000) + gregorian).toString(16).padStart(15, "0");
  const order = (0x8000 | (step & 0x3fff)).toString(16);
  return hyphenated(`${time.slice(0, 12)}6${time.slice(12)}${order}${randomBytes(6).toString("hex")}`);
}

/** Returns a version 7 UUID, as real servers use for crons: sorted by milliseconds. */
export function uuid7(atMs: number): string {
  const random = randomBytes(10);
  random.writeUInt8((random.readUInt8(0) & 0x0f) | 0x70, 0);
  random.writeUInt8((random.readUInt8(2) & 0x3f) | 0x80, 2);
  return hyphenated(atMs.toString(16).padStart(12, "0") + random.toString("hex"));
}

function hyphenated(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
