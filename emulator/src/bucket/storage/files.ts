import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Range } from "../requests/ranges";

/** Bytes per read when a file is copied: larger than the default of streams, for fewer iterations. */
const COPY_CHUNK_BYTES = 1024 ** 2;

/**
 * The contents of objects and parts as files with unique IDs. The index is authoritative: files that it does not name
 * are leftovers of a killed process and are deleted at the next start.
 */
export class Files {
  private readonly folder: string;

  constructor(data: string) {
    this.folder = join(data, "bucket", "objects");
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Writes a new file with `fill`; deletes it on failure. Returns its ID and the result of `fill`. */
  async write<T>(fill: (append: (piece: Buffer) => Promise<void>) => Promise<T>): Promise<{ file: string; result: T }> {
    const file = randomUUID();
    const handle = await open(this.path(file), "wx", 0o600);
    try {
      const result = await fill((piece) => writeAll(handle, piece));
      await handle.close();
      return { file, result };
    } catch (error) {
      await handle.close().catch(() => {});
      this.remove(file);
      throw error;
    }
  }

  /** Opens a file for reading. It stays readable until closed, even if it is deleted meanwhile. */
  open(file: string): Promise<FileHandle> {
    return open(this.path(file), "r");
  }

  /** Passes a file, or a part of it, to `sink` piece by piece. */
  async read(file: string, sink: (piece: Buffer) => Promise<void>, range?: Range): Promise<void> {
    const handle = await this.open(file);
    const pieces = handle.createReadStream({ ...range, highWaterMark: COPY_CHUNK_BYTES });
    for await (const piece of pieces) await sink(piece as Buffer);
  }

  remove(file: string): void {
    rmSync(this.path(file), { force: true });
  }

  /** Deletes all other files. */
  removeExcept(files: ReadonlySet<string>): void {
    for (const name of readdirSync(this.folder)) if (!files.has(name)) this.remove(name);
  }

  private path(file: string): string {
    return join(this.folder, file);
  }
}

async function writeAll(handle: FileHandle, piece: Buffer): Promise<void> {
  for (let written = 0; written < piece.length; ) written += (await handle.write(piece, written)).bytesWritten;
}
