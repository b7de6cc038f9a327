/**
 * Reads the formats of executables: the platform, and the signature of those for macOS. It shares no code with what
 * writes them.
 */
import { createHash } from "node:crypto";

/** Returns the platform as the Pulumi CLI names it, such as "linux-amd64". */
export function platformOf(program: Buffer): string {
  const magic = program.readUInt32BE(0);
  if (magic === 0x7f454c46) return `linux-${{ 62: "amd64", 183: "arm64" }[program.readUInt16LE(18)]}`;
  if (magic === 0xcffaedfe) return `darwin-${{ 7: "amd64", 12: "arm64" }[program.readUInt32LE(4) & 0xffffff]}`;
  const header = program.readUInt32LE(0x3c);
  if (program.toString("latin1", header, header + 4) !== "PE\0\0") return "unknown";
  return `windows-${{ 34404: "amd64", 43620: "arm64" }[program.readUInt16LE(header + 4)]}`;
}

export interface MacSignature {
  identifier: string;
  isAdHoc: boolean;
  /** Whether it is the last thing in the file, of which it covers all that is before. */
  coversFile: boolean;
  /** Whether it begins at a multiple of 16 bytes. */
  isAligned: boolean;
  pages: number;
  /** The numbers of the pages whose digest is another one. */
  wrongPages: number[];
}

const CODE_SIGNATURE = 0x1d;
const CODE_DIRECTORY = 0xfade0c02;

/** Reads the signature of a program for macOS, and compares it with the rest of the file. @throws if it has none. */
export function readMacSignature(program: Buffer): MacSignature {
  const [command, end] = loadCommands(program).at(-1) ?? [0, 0];
  if (program.readUInt32LE(command) !== CODE_SIGNATURE)
    throw new Error("The last load command does not refer to a signature.");
  const [start, size] = [program.readUInt32LE(command + 8), program.readUInt32LE(command + 12)];
  const directory = codeDirectory(program.subarray(start, start + size));
  const read = (offset: number) => directory.readUInt32BE(offset);
  const [hashes, identifier, count, limit] = [read(16), read(20), read(28), read(32)];
  const pageSize = 2 ** directory.readUInt8(39);
  const pages = Array.from({ length: count }, (_, page) => page);
  const isWrong = (page: number) => {
    const contents = program.subarray(page * pageSize, Math.min((page + 1) * pageSize, limit));
    const stated = directory.subarray(hashes + 32 * page, hashes + 32 * (page + 1));
    return !createHash("sha256").update(contents).digest().equals(stated);
  };
  return {
    identifier: directory.toString("latin1", identifier, directory.indexOf(0, identifier)),
    isAdHoc: read(12) === 2,
    coversFile: limit === start && start + size === program.length && count === Math.ceil(limit / pageSize),
    isAligned: start % 16 === 0 && end === 32 + program.readUInt32LE(20),
    pages: count,
    wrongPages: pages.filter(isWrong),
  };
}

/** Returns where each load command begins and ends. */
function loadCommands(program: Buffer): [start: number, end: number][] {
  const commands: [number, number][] = [];
  let start = 32;
  for (let index = program.readUInt32LE(16); index > 0; index--) {
    const end = start + program.readUInt32LE(start + 4);
    commands.push([start, end]);
    start = end;
  }
  return commands;
}

/** Returns the list of digests in a signature, whose first words are its kind, its size and the number of its parts. */
function codeDirectory(signature: Buffer): Buffer {
  for (let index = 0; index < signature.readUInt32BE(8); index++) {
    const offset = signature.readUInt32BE(12 + 8 * index + 4);
    if (signature.readUInt32BE(offset) === CODE_DIRECTORY) return signature.subarray(offset);
  }
  throw new Error("The signature has no list of digests.");
}
