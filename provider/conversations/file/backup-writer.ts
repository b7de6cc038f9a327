/** Writes a backup into a place. */
import { createHash, randomBytes } from "node:crypto";
import { UserError } from "../../text/user-error";
import type { Log, Place } from "../place/place";
import { BackupFile } from "./backup-file";
import { digestOf } from "./backup-reader";
import { type Encrypting, encryptionOf, type WriterOptions } from "./encryption";
import { toFrame } from "./frames";
import {
  type Entry,
  FORMAT,
  findManifest,
  LISTS,
  type List,
  linesOfText,
  MANIFEST,
  type Manifest,
  parse,
  parseEntry,
} from "./manifest";

const PART_BYTES = 64 * 1024 * 1024;
/** Where a part is safe only as a whole, a kill loses its threads, to be read again: the first ones are smaller. */
const PART_THREADS = { first: 25, most: 500 };
/** The index of a backup that has not ended. */
const DRAFT = "index.partial.ndjson";
/** Of the index, that are written at once. */
const INDEX_LINES = 200;
/** With the number of the run that wrote it, so that two never write the same file. */
const OWN_FILE = /^(?:threads|assistants|store|crons|index)-(\d+)(?:-\d+)?\.ndjson(?:\.zst(?:\.age)?)?$/;

type ThreadFacts = Omit<Entry, "part" | "offset" | "length">;

/** Writes a backup. What an interrupted one has written is continued. */
export class BackupWriter {
  private readonly entries = new Map<string, Entry>();
  /** SHA-256 of the files that are complete. */
  private readonly digests = new Map<string, string>();
  private part: BackupFile | undefined;
  /** Threads in it that are not safe yet. */
  private unsafe: Entry[] = [];
  private last: Promise<void> = Promise.resolve();
  private readonly lists = new Map<List, string>();
  private run = 0;
  /** Without it, the digest in the index of an encrypted backup would confirm a guess at a conversation. */
  private readonly salt = randomBytes(32);
  private parts = 0;

  private constructor(
    private readonly place: Place,
    private readonly draft: Log,
    private readonly encrypting: Encrypting | undefined,
    /** The complete backup that this one brings up to date. It stays complete until this one is. */
    private readonly previous: { manifest: Manifest; version: string } | undefined,
  ) {}

  /** @throws UserError when the place contains another backup. */
  static async open(place: Place, options: WriterOptions): Promise<BackupWriter> {
    const previous = await findManifest(place);
    if (previous && !options.isUpdated)
      throw new UserError(
        `${place.name} already contains a backup of ${previous.manifest.server.url}. Choose another ` +
          `${place.kind}, or pass --since-backup to bring it up to date.`,
      );
    const encrypting = encryptionOf(place, previous?.manifest, options);
    const writer = new BackupWriter(place, await place.openLog(DRAFT), encrypting, previous);
    for (const [name, digest] of Object.entries(previous?.manifest.files ?? {})) writer.digests.set(name, digest);
    if (previous) for await (const line of linesOfText(place.stream(previous.manifest.index))) writer.recall(line);
    return writer;
  }

  /**
   * Notes that this run writes here: one that began earlier and still runs ends with an error.
   * @throws UserError when the backup in the place is of another server, or of another choice of threads.
   */
  async begin(url: string, graph: string | undefined): Promise<void> {
    const { place } = this;
    const previous = this.previous?.manifest;
    const of = previous?.graph === undefined ? "" : `, of graph "${previous.graph}" alone`;
    if (previous && (previous.server.url !== url || previous.graph !== graph))
      throw new UserError(
        `${place.name} contains a backup of ${previous.server.url}${of}. Choose another ${place.kind}.`,
      );
    const scope = JSON.stringify({ url, graph, recipients: this.encrypting?.recipients });
    const runs = (await place.files()).map((name) => Number(OWN_FILE.exec(name)?.[1] ?? 0));
    let isOwn = false;
    for (const line of this.draft.lines) {
      const begun = parse(line) as { begin?: string; run?: number } | undefined;
      if (begun?.begin === undefined) {
        if (isOwn) this.recall(line);
        continue;
      }
      isOwn = begun.begin === scope;
      runs.push(begun.run ?? 0);
    }
    this.run = Math.max(0, ...runs) + 1;
    await this.draft.append(JSON.stringify({ begin: scope, run: this.run }));
  }

  private recall(line: string): void {
    const entry = parseEntry(line);
    if (entry) this.entries.set(entry.id, entry);
  }

  /** Threads that this or an earlier run has written. */
  get size(): number {
    return this.entries.size;
  }

  /** Returns what an earlier run has written of a thread. */
  find(id: string): Entry | undefined {
    return this.entries.get(id);
  }

  /** Appends a thread, one at a time. Where a part can be safe before its end, the thread is when this returns. */
  append(facts: ThreadFacts, line: string): Promise<void> {
    const frame = toFrame(line);
    // After a failure, the file may end with half a frame: nothing more is appended.
    this.last = this.last.then(() => this.appendFrame(facts, frame));
    this.last.catch(() => undefined);
    return this.last;
  }

  private async appendFrame(facts: ThreadFacts, frame: Buffer): Promise<void> {
    const { place, encrypting } = this;
    if (this.part && this.part.bytes + frame.length > PART_BYTES) await this.endPart();
    const name = `threads-${padded(this.run)}-${padded(this.parts + 1)}.ndjson.zst`;
    this.part ??= await BackupFile.create(place, name, encrypting);
    const { part } = this;
    const digest = encrypting ? salted(facts.digest, this.salt) : facts.digest;
    this.unsafe.push({ ...facts, digest, part: part.name, offset: part.bytes, length: frame.length });
    await part.append(frame);
    if (await part.sync()) await this.note();
    else if (this.unsafe.length >= Math.min(PART_THREADS.most, PART_THREADS.first * 2 ** this.parts))
      await this.endPart();
  }

  private async endPart(): Promise<void> {
    const { part } = this;
    this.part = undefined;
    this.parts += 1;
    if (!part) return;
    this.digests.set(part.name, await part.end());
    await this.note();
  }

  /** Notes the threads of a part that are safe now. */
  private async note(): Promise<void> {
    const noted = this.unsafe.splice(0);
    await Promise.all(noted.map((entry) => this.draft.append(JSON.stringify(entry))));
    for (const entry of noted) this.entries.set(entry.id, entry);
  }

  async writeLines(list: List, lines: AsyncIterable<string> | Iterable<string>): Promise<number> {
    const file = await BackupFile.create(this.place, `${list}-${padded(this.run)}.ndjson.zst`, this.encrypting);
    let count = 0;
    try {
      for await (const line of lines) {
        await file.append(toFrame(line));
        count += 1;
      }
    } catch (error) {
      await file.abort();
      throw error;
    }
    this.digests.set(file.name, await file.end());
    this.lists.set(list, file.name);
    return count;
  }

  /** Ends the backup. @param isKept Whether a thread that was written in this or an earlier run is part of it. */
  async finish(
    isKept: (entry: Entry) => boolean,
    facts: Pick<Manifest, "server" | "graph" | "startedAt" | "finishedAt"> & {
      counts: Omit<Manifest["counts"], "threads" | "byStatus">;
    },
  ): Promise<Manifest> {
    await this.last;
    await this.endPart();
    const { place } = this;
    const kept = [...this.entries.values()].filter(isKept);
    const index = await this.writeIndex(kept);
    const lists = Object.fromEntries(LISTS.map((list) => [list, this.lists.get(list)])) as Manifest["lists"];
    const names = [...new Set([index, ...kept.map(({ part }) => part), ...Object.values(lists)])];
    const files: Record<string, string> = {};
    for (const name of names) files[name] = this.digests.get(name) ?? (await digestOf(place.stream(name)));
    const byStatus: Record<string, number> = {};
    for (const { status = "unknown" } of kept) byStatus[status] = (byStatus[status] ?? 0) + 1;
    const counts = { threads: kept.length, byStatus, ...facts.counts };
    const manifest: Manifest = {
      ...{ format: FORMAT, complete: true, ...facts, index, lists, counts, files },
      ...(this.encrypting && { recipients: [...this.encrypting.recipients] }),
    };
    // Still the only one that writes here.
    await this.draft.append(JSON.stringify({ end: index }));
    const condition = this.previous ? { version: this.previous.version } : "absent";
    await place.write(MANIFEST, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), condition);
    await this.draft.remove();
    await place.tidy((name) => name === MANIFEST || OWN_FILE.test(name));
    // What the complete backup does not name is of earlier runs.
    const unused = (await place.files()).filter((name) => OWN_FILE.test(name) && !(name in files));
    for (const name of unused) await place.remove(name);
    return manifest;
  }

  private async writeIndex(kept: readonly Entry[]): Promise<string> {
    const file = await BackupFile.create(this.place, `index-${padded(this.run)}.ndjson`, undefined);
    for (let at = 0; at < kept.length; at += INDEX_LINES) {
      const lines = kept.slice(at, at + INDEX_LINES).map((entry) => `${JSON.stringify(entry)}\n`);
      await file.append(Buffer.from(lines.join("")));
    }
    this.digests.set(file.name, await file.end());
    return file.name;
  }

  /** Ends a part that was begun, so that the next run continues after it. */
  async close(): Promise<void> {
    await this.last.then(() => this.endPart()).catch(() => this.part?.abort());
    this.part = undefined;
    await this.draft.close();
    await this.place.close();
  }
}

const salted = (digest: string, salt: Buffer) => createHash("sha256").update(salt).update(digest).digest("hex");

const padded = (number: number): string => String(number).padStart(4, "0");
