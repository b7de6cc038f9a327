/** Reads a complete backup. */
import { createHash } from "node:crypto";
import { UserError } from "../../text/user-error";
import type { Place } from "../place/place";
import type { Decryption, ReadableFile } from "./encryption";
import { fromFrame, linesOfFrames } from "./frames";
import { type Entry, type List, linesOfText, type Manifest, parseEntry, readManifest } from "./manifest";

export class BackupReader {
  private readonly opened = new Map<string, Promise<ReadableFile>>();

  private constructor(
    private readonly place: Place,
    readonly manifest: Manifest,
    readonly entries: readonly Entry[],
    private readonly decryption: Decryption | undefined,
  ) {}

  /** @throws UserError when it is not complete, damaged, of a later version, or encrypted to someone else. */
  static async open(place: Place, decryption?: Decryption): Promise<BackupReader> {
    try {
      return await BackupReader.openWhole(place, decryption);
    } catch (error) {
      await place.close();
      throw error;
    }
  }

  private static async openWhole(place: Place, decryption: Decryption | undefined): Promise<BackupReader> {
    const manifest = await readManifest(place);
    const { recipients = [] } = manifest;
    if (recipients.length > 0 && !decryption)
      throw new UserError(
        `The backup in ${place.name} is encrypted to ${recipients.join(", ")}. Pass --identity with the file of a key.`,
      );
    if (recipients.length === 0 && decryption)
      throw new UserError(`The backup in ${place.name} is not encrypted. Pass no --identity.`);
    // Before all of it is read.
    await decryption?.open(place, manifest.lists.assistants);
    for (const [name, digest] of Object.entries(manifest.files)) {
      if ((await place.size(name)) === undefined) throw damaged(place, name, "is missing.");
      if ((await digestOf(place.stream(name))) !== digest)
        throw damaged(place, name, "is not the file that the backup wrote.");
    }
    const entries: Entry[] = [];
    for await (const line of linesOfText(place.stream(manifest.index))) {
      const entry = parseEntry(line);
      if (!entry || !(entry.part in manifest.files)) throw damaged(place, manifest.index, "has a line of no thread.");
      entries.push(entry);
    }
    if (entries.length !== manifest.counts.threads) throw damaged(place, manifest.index, "lacks lines.");
    return new BackupReader(place, manifest, entries, decryption);
  }

  async read({ part, offset, length }: Entry): Promise<string> {
    const frame = await (await this.open(part)).readRange(offset, length);
    try {
      return fromFrame(frame);
    } catch {
      throw damaged(this.place, part, "is not the file that the backup wrote.");
    }
  }

  async *lines(list: List): AsyncGenerator<string> {
    yield* linesOfFrames((await this.open(this.manifest.lists[list])).stream());
  }

  /** The key of an encrypted file is found once. */
  private open(file: string): Promise<ReadableFile> {
    const { place, decryption } = this;
    const plain = () => ({
      readRange: (offset: number, length: number) => place.readRange(file, offset, length),
      stream: () => place.stream(file),
    });
    const opened = this.opened.get(file) ?? (decryption ? decryption.open(place, file) : Promise.resolve(plain()));
    this.opened.set(file, opened);
    return opened;
  }

  close(): Promise<void> {
    return this.place.close();
  }
}

const damaged = ({ name }: Place, file: string, reason: string): UserError =>
  new UserError(`The backup in ${name} is damaged: ${file} ${reason} Copy it again, or make another one.`);

export async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
