/** Writes a backup into a folder. */
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../text/user-error";
import { toFrame } from "./frames";
import {
  digestOfFile,
  type Entry,
  FORMAT,
  LISTS,
  type List,
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

  private constructor(
    private readonly folder: string,
    /** The complete backup that this one brings up to date. It stays complete until this one is. */
    private readonly previous: Manifest | undefined,
  ) {}

  /** @param isUpdated Whether a complete backup in the folder is brought up to date. @throws UserError. */
  static async open(folder: string, isUpdated: boolean): Promise<BackupWriter> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const hasManifest = (await readdir(folder)).includes(MANIFEST);
    const previous = hasManifest ? await readManifest(folder) : undefined;
    if (previous && !isUpdated)
      throw new UserError(
        `${folder} already contains a backup of ${previous.server.url}. Choose another folder, or pass --since-backup to bring it up to date.`,
      );
    const writer = new BackupWriter(folder, previous);
    for (const name of [...(previous ? [previous.index] : []), DRAFT])
      for (const entry of await readEntries(folder, name)) writer.entries.set(entry.id, entry);
    writer.draft = await open(join(folder, DRAFT), "a", MODE);
    return writer;
  }

  /** @throws UserError when the backup in the folder is of another server, or of another choice of threads. */
  assertSame(url: string, graph: string | undefined): void {
    const { previous, folder } = this;
    if (!previous || (previous.server.url === url && previous.graph === graph)) return;
    const of = previous.graph === undefined ? "" : `, of graph "${previous.graph}" alone`;
    throw new UserError(`${folder} contains a backup of ${previous.server.url}${of}. Choose another folder.`);
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

  /** Writes a list. Returns its number of lines. */
  async writeLines(list: List, lines: AsyncIterable<string> | Iterable<string>): Promise<number> {
    const name = this.nameOf(list);
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

  /** Ends the backup. @param isKept Whether a thread that was written in this or an earlier run is part of it. */
  async finish(
    isKept: (entry: Entry) => boolean,
    facts: Pick<Manifest, "server" | "graph" | "startedAt" | "finishedAt"> & {
      counts: Omit<Manifest["counts"], "threads" | "byStatus">;
    },
  ): Promise<Manifest> {
    await this.close();
    const { folder } = this;
    const kept = [...this.entries.values()].filter(isKept);
    const index = this.nameOf("index");
    await writeWhole(folder, index, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    const lists = Object.fromEntries(LISTS.map((list) => [list, this.nameOf(list)])) as Record<List, string>;
    const names = [...new Set([index, ...kept.map(({ part }) => part), ...Object.values(lists)])];
    const files: Record<string, string> = {};
    for (const name of names) files[name] = await digestOfFile(join(folder, name));
    const byStatus: Record<string, number> = {};
    for (const { status = "unknown" } of kept) byStatus[status] = (byStatus[status] ?? 0) + 1;
    const counts = { threads: kept.length, byStatus, ...facts.counts };
    const { generation } = this;
    const manifest: Manifest = { format: FORMAT, complete: true, ...facts, generation, index, lists, counts, files };
    await writeWhole(folder, MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
    // What the complete backup does not name is of earlier runs.
    const unused = [DRAFT, ...Object.keys(this.previous?.files ?? {})].filter((name) => !names.includes(name));
    for (const name of unused) await rm(join(folder, name), { force: true });
    return manifest;
  }

  private get generation(): number {
    return (this.previous?.generation ?? 0) + 1;
  }

  private nameOf(list: List | "index"): string {
    return `${list}-${String(this.generation).padStart(4, "0")}.ndjson${list === "index" ? "" : ".zst"}`;
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
