/** Writes a backup into a folder. */
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../text/user-error";
import { toFrame } from "./frames";
import {
  digestOfFile,
  type Entry,
  FORMAT,
  INDEX,
  MANIFEST,
  type Manifest,
  MODE,
  readEntries,
  readManifest,
  writeWhole,
} from "./manifest";

const PART_BYTES = 64 * 1024 * 1024;
/** The index of a backup that has not ended. */
const DRAFT = "index.partial.ndjson";

/** Writes a backup. What an interrupted one has written is continued. */
export class BackupWriter {
  private readonly entries = new Map<string, Entry>();
  private part: { name: string; file: FileHandle; bytes: number } | undefined;
  private draft: FileHandle | undefined;
  private last: Promise<void> = Promise.resolve();

  private constructor(private readonly folder: string) {}

  /** @param isUpdated Whether a complete backup in the folder is brought up to date. @throws UserError. */
  static async open(folder: string, isUpdated: boolean): Promise<BackupWriter> {
    const writer = new BackupWriter(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const manifest = await readManifest(folder).catch(() => undefined);
    if (manifest && !isUpdated)
      throw new UserError(
        `${folder} already contains a backup of ${manifest.server.url}. Choose another folder, or pass --since-backup to bring it up to date.`,
      );
    for (const entry of await readEntries(folder, manifest ? INDEX : DRAFT)) writer.entries.set(entry.id, entry);
    await rm(join(folder, MANIFEST), { force: true });
    writer.draft = await open(join(folder, DRAFT), "a", MODE);
    if (manifest) for (const entry of writer.entries.values()) await writer.note(entry);
    return writer;
  }

  /** Returns what an earlier run has written of a thread. */
  find(id: string): Entry | undefined {
    return this.entries.get(id);
  }

  /** Appends a thread, one after the other. It is safe on the disk when this returns. */
  append(entry: Omit<Entry, "part" | "offset" | "length">, line: string): Promise<void> {
    const frame = toFrame(line);
    const appended = this.last.then(() => this.appendFrame(entry, frame));
    this.last = appended.catch(() => undefined);
    return appended;
  }

  private async appendFrame(entry: Omit<Entry, "part" | "offset" | "length">, frame: Buffer): Promise<void> {
    const part = await this.partFor(frame.length);
    await part.file.appendFile(frame);
    await part.file.datasync();
    const written = { ...entry, part: part.name, offset: part.bytes, length: frame.length };
    part.bytes += frame.length;
    this.entries.set(entry.id, written);
    await this.note(written);
  }

  /** Writes a file of lines, such as the assistants. */
  async writeLines(name: string, lines: AsyncIterable<string> | Iterable<string>): Promise<number> {
    const draft = join(this.folder, `${name}.partial`);
    const file = await open(draft, "w", MODE);
    let count = 0;
    try {
      for await (const line of lines) {
        await file.appendFile(toFrame(line));
        count += 1;
      }
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(draft, join(this.folder, name));
    return count;
  }

  /** Ends the backup with the threads that still exist. */
  async finish(
    ids: ReadonlySet<string>,
    manifest: Omit<Manifest, "format" | "complete" | "files" | "counts"> & {
      counts: Omit<Manifest["counts"], "threads" | "byStatus">;
      files: readonly string[];
    },
  ): Promise<Manifest> {
    await this.close();
    const kept = [...this.entries.values()].filter(({ id }) => ids.has(id));
    await writeWhole(this.folder, INDEX, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const parts = [...new Set(kept.map(({ part }) => part))];
    const digests: Record<string, string> = {};
    for (const name of [INDEX, ...parts, ...manifest.files])
      digests[name] = await digestOfFile(join(this.folder, name));
    const byStatus: Record<string, number> = {};
    for (const { status = "unknown" } of kept) byStatus[status] = (byStatus[status] ?? 0) + 1;
    const counts = { threads: kept.length, byStatus, ...manifest.counts };
    const whole: Manifest = { format: FORMAT, complete: true, ...manifest, counts, files: digests };
    await writeWhole(this.folder, MANIFEST, `${JSON.stringify(whole, null, 2)}\n`);
    await rm(join(this.folder, DRAFT), { force: true });
    return whole;
  }

  async close(): Promise<void> {
    await this.part?.file.close();
    await this.draft?.close();
    this.part = undefined;
    this.draft = undefined;
  }

  private async note(entry: Entry): Promise<void> {
    await this.draft?.appendFile(`${JSON.stringify(entry)}\n`);
    await this.draft?.datasync();
  }

  private async partFor(length: number) {
    if (this.part && this.part.bytes + length > PART_BYTES) {
      await this.part.file.close();
      this.part = undefined;
    }
    this.part ??= await this.openPart();
    return this.part;
  }

  /** A part of an interrupted run may end with half a frame, so each run begins a new one. */
  private async openPart() {
    for (let number = 1; ; number++) {
      const name = `threads-${String(number).padStart(4, "0")}.ndjson.zst`;
      const file = await open(join(this.folder, name), "wx", MODE).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
        return undefined;
      });
      if (file) return { name, file, bytes: 0 };
    }
  }
}
