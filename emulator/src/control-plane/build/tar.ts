import { posix } from "node:path";

/** What the headers of a tar archive come in; contents are padded to it. */
const blockBytes = 512;

/** Why bytes are no tar archive. */
export class TarError extends Error {}

interface Header {
  path: string;
  size: number;
  type: string;
}

/**
 * The regular files of a tar archive, path to content, paths as seen from the root of the archive ("./a" is "a"). Reads
 * the plain (ustar), the POSIX (pax) and the GNU form. What leads out of the root is left out, links too.
 */
export function readTar(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let long: Partial<Header> = {};
  for (let at = 0; ; ) {
    if (at === archive.length && files.size > 0) return files;
    const header = readHeader(archive.subarray(at, at + blockBytes));
    if (header === undefined) return files;
    const { type, path, size } = { ...header, ...long };
    const start = at + blockBytes;
    const content = archive.subarray(start, start + size);
    if (content.length < size) throw new TarError("it ends in the middle of a file");
    at = start + Math.ceil(size / blockBytes) * blockBytes;
    if (type === "x") long = readPax(content);
    else if (type === "L") long = { path: text(content) };
    else if (type !== "g" && type !== "K") {
      const clean = posix.normalize(path).replace(/^\/+/, "");
      if ("07\0".includes(type) && !/^\.\.(\/|$)/.test(clean)) files.set(clean, content);
      long = {};
    }
  }
}

/** undefined for the empty block that ends an archive. */
function readHeader(block: Buffer): Header | undefined {
  if (block.length < blockBytes) throw new TarError("it ends in the middle of a header");
  if (block.every((byte) => byte === 0)) return undefined;
  // The checksum is taken with its own 8 bytes as spaces.
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== readNumber(block.subarray(148, 156))) throw new TarError("a header has the wrong checksum");
  const name = text(block.subarray(0, 100));
  const prefix = block.toString("latin1", 257, 263) === "ustar\0" ? text(block.subarray(345, 500)) : "";
  return {
    path: prefix ? `${prefix}/${name}` : name,
    size: readNumber(block.subarray(124, 136)),
    type: block.toString("latin1", 156, 157),
  };
}

/** Octal digits; where the first bit is set, the number itself (GNU, for what has too many digits). */
function readNumber(field: Buffer): number {
  const first = field[0] ?? 0;
  if (first & 0x80) return field.subarray(1).reduce((total, byte) => total * 256 + byte, first & 0x7f);
  const digits = text(field).trim();
  if (!/^[0-7]*$/.test(digits)) throw new TarError("a header has a number that is none");
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

/** Up to the first zero byte. */
function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? field.length : end);
}

/** Records of the form "LENGTH KEY=VALUE\n", the length that of the whole record in bytes. */
function readPax(content: Buffer): Partial<Header> {
  const found: Partial<Header> = {};
  for (let at = 0; at < content.length; ) {
    const length = Number.parseInt(content.toString("latin1", at, at + 20), 10);
    if (!(length > 0)) throw new TarError("an extended header cannot be read");
    const [, key, value] = /^\d+ ([^=]*)=(.*)\n$/s.exec(content.toString("utf8", at, at + length)) ?? [];
    if (key === "path" && value !== undefined) found.path = value;
    if (key === "size") found.size = Number(value);
    at += length;
  }
  return found;
}
