/** Reads a backup from a folder. */
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../text/user-error";
import { fromFrame, lengthAt } from "./frames";
import { digestOfFile, type Entry, type List, type Manifest, readEntries, readManifest } from "./manifest";

/** Reads a complete backup. */
export class BackupReader {
  private readonly files = new Map<string, Promise<FileHandle>>();

  private constructor(
    private readonly folder: string,
    readonly manifest: Manifest,
    readonly entries: readonly Entry[],
  ) {}

  /** @throws UserError when it is not complete, damaged, or of a later version. */
  static async open(folder: string): Promise<BackupReader> {
    const manifest = await readManifest(folder);
    for (const [name, digest] of Object.entries(manifest.files))
      if ((await digestOfFile(join(folder, name)).catch(() => "")) !== digest)
        throw new UserError(`The backup in ${folder} is damaged: ${name} is not the file that the backup wrote.`);
    return new BackupReader(folder, manifest, await readEntries(folder, manifest.index));
  }

  async read({ part, offset, length }: Entry): Promise<string> {
    const file = this.files.get(part) ?? open(join(this.folder, part), "r");
    this.files.set(part, file);
    const bytes = Buffer.alloc(length);
    await (await file).read(bytes, 0, length, offset);
    return fromFrame(bytes);
  }

  async *lines(list: List): AsyncGenerator<string> {
    const bytes = await readFile(join(this.folder, this.manifest.lists[list]));
    for (let at = 0; at < bytes.length; ) {
      const length = lengthAt(bytes, at);
      yield fromFrame(bytes.subarray(at, at + length));
      at += length;
    }
  }

  async close(): Promise<void> {
    for (const file of this.files.values()) await (await file).close();
  }
}
