import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { Range } from "../requests/ranges";

/** Bytes read at once where a file is copied: larger than a stream's own pieces, for fewer turns. */
const COPIED_AT_ONCE = 1024 ** 2;

/**
 * The contents of objects and parts, each in a file named by an id of its own. What counts is the index: a file that it
 * does not name is what a killed process left, and is removed at the next start.
 */
export class Files {
  private readonly folder: string;

  constructor(data: string) {
    this.folder = join(data, "bucket", "objects");
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** Writes a new file by `fill`; whatever goes wrong, no file is left. Answers its id and what `fill` answered. */
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

  /** Opens a file for reading: it stays readable until closed, even when it is removed meanwhile. */
  open(file: string): Promise<FileHandle> {
    return open(this.path(file), "r");
  }

  /** Hands a file, or a part of it, on piece by piece. */
  async read(file: string, sink: (piece: Buffer) => Promise<void>, range?: Range): Promise<void> {
    const handle = await this.open(file);
    const pieces = handle.createReadStream({ ...range, highWaterMark: COPIED_AT_ONCE });
    for await (const piece of pieces) await sink(piece as Buffer);
  }

  remove(file: string): void {
    rmSync(this.path(file), { force: true });
  }

  /** Removes all but these. */
  keepOnly(files: ReadonlySet<string>): void {
    for (const name of readdirSync(this.folder)) if (!files.has(name)) this.remove(name);
  }

  private path(file: string): string {
    return join(this.folder, file);
  }
}

async function writeAll(handle: FileHandle, piece: Buffer): Promise<void> {
  for (let done = 0; done < piece.length; ) done += (await handle.write(piece, done)).bytesWritten;
}
