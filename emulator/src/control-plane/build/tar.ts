import { posix } from "node:path";
import { limits } from "../../runtime/limits";

const { tarball } = limits;

/** Headers are one block; contents are padded to whole blocks. */
const blockBytes = 512;

/** Why bytes are not a tar archive. */
export class TarError extends Error {}

/** A regular file of an archive. */
export interface TarFile {
  content: Buffer;
  isExecutable: boolean;
}

interface Header {
  path: string;
  size: number;
  type: string;
  /** The permissions of a Unix system. */
  mode: number;
}

/**
 * Returns the regular files of a tar archive by their normalized paths ("./a" is "a"). Reads the ustar, pax and GNU
 * formats. Skips links and paths that lead out of the root. @throws TarError
 */
export function readTar(archive: Buffer): Map<string, TarFile> {
  const files = new Map<string, TarFile>();
  let override: Partial<Header> = {};
  for (let offset = 0, count = 1; ; count++) {
    if (offset === archive.length && files.size > 0) return files;
    if (count > tarball.maxHeaders) throw new TarError(`it has more than ${tarball.maxHeaders} entries`);
    const header = readHeader(archive.subarray(offset, offset + blockBytes));
    if (header === undefined) return files;
    const { type, path, size, mode } = { ...header, ...override };
    if ("xL".includes(type) && size > tarball.maxExtendedHeaderBytes)
      throw new TarError("an extended header is too long");
    const start = offset + blockBytes;
    const content = archive.subarray(start, start + size);
    if (content.length < size) throw new TarError("unexpected end of a file");
    offset = start + Math.ceil(size / blockBytes) * blockBytes;
    if (type === "x") override = readPax(content);
    else if (type === "L") override = { path: text(content) };
    else if (type !== "g" && type !== "K") {
      const normalizedPath = checkedPath(path);
      if ("07\0".includes(type) && !/^\.\.(\/|$)/.test(normalizedPath))
        files.set(normalizedPath, { content, isExecutable: (mode & 0o100) !== 0 });
      override = {};
    }
  }
}

/**
 * Returns a path without a leading slash and without ".." inside of it. @throws TarError if no file system would have
 * it.
 */
function checkedPath(path: string): string {
  const normalized = posix.normalize(path).replace(/^\/+/, "");
  const names = normalized.split("/");
  if (names.length > tarball.maxDepth || names.some((name) => Buffer.byteLength(name) > tarball.maxNameBytes)) {
    throw new TarError(`the path of a file is too long: ${path.slice(0, 80)}…`);
  }
  return normalized;
}

/** Returns undefined for the empty block that ends an archive. */
function readHeader(block: Buffer): Header | undefined {
  if (block.length < blockBytes) throw new TarError("unexpected end of a header");
  // The checksum counts its own 8 bytes as spaces.
  let sum = 8 * 0x20;
  for (let offset = 0; offset < blockBytes; offset++) if (offset < 148 || offset >= 156) sum += block[offset] ?? 0;
  if (sum === 8 * 0x20 && block.every((byte) => byte === 0)) return undefined;
  if (sum !== readNumber(block.subarray(148, 156))) throw new TarError("a header has an invalid checksum");
  const name = text(block.subarray(0, 100));
  const prefix = block.toString("latin1", 257, 263) === "ustar\0" ? text(block.subarray(345, 500)) : "";
  return {
    path: prefix ? `${prefix}/${name}` : name,
    size: readNumber(block.subarray(124, 136)),
    mode: Number.parseInt(text(block.subarray(100, 108)), 8) || 0,
    type: block.toString("latin1", 156, 157),
  };
}

/** Parses octal digits or, if the first bit is set, a binary number (GNU, for large values). */
function readNumber(field: Buffer): number {
  const first = field[0] ?? 0;
  if (first & 0x80) return field.subarray(1).reduce((total, byte) => total * 256 + byte, first & 0x7f);
  const digits = text(field).trim();
  if (!/^[0-7]*$/.test(digits)) throw new TarError("a header has an invalid number");
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

/** Reads text up to the first zero byte. */
function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? field.length : end);
}

/** Parses records of the form "LENGTH KEY=VALUE\n", where LENGTH counts the bytes of the whole record. */
function readPax(content: Buffer): Partial<Header> {
  const header: Partial<Header> = {};
  for (let offset = 0; offset < content.length; ) {
    const length = Number.parseInt(content.toString("latin1", offset, offset + 20), 10);
    if (!(length > 0 && offset + length <= content.length)) throw new TarError("an extended header is invalid");
    const [, key, value] = /^\d+ ([^=]*)=(.*)\n$/s.exec(content.toString("utf8", offset, offset + length)) ?? [];
    if (key === "path" && value !== undefined) header.path = value;
    if (key === "size") {
      // A negative one would lead back to a header that was read.
      if (!/^\d{1,15}$/.test(value ?? "")) throw new TarError("an extended header has an invalid size");
      header.size = Number(value);
    }
    offset += length;
  }
  return header;
}
