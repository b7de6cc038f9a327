/** Reads a complete backup. */
import { createHash } from "node:crypto";
import { UserError } from "../../text/user-error";
import type { Place } from "../place/place";
import { fromFrame, linesOfFrames } from "./frames";
import { type Entry, type List, linesOfText, type Manifest, parseEntry, readManifest } from "./manifest";

export class BackupReader {
  private constructor(
    private readonly place: Place,
    readonly manifest: Manifest,
    readonly entries: readonly Entry[],
  ) {}

  /** @throws UserError when it is not complete, damaged, or of a later version. */
  static async open(place: Place): Promise<BackupReader> {
    const manifest = await readManifest(place);
    const present = new Set(await place.files());
    for (const [name, digest] of Object.entries(manifest.files)) {
      if (!present.has(name)) throw damaged(place, name, "is missing.");
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
    return new BackupReader(place, manifest, entries);
  }

  async read({ part, offset, length }: Entry): Promise<string> {
    const frame = await this.place.readRange(part, offset, length);
    try {
      return fromFrame(frame);
    } catch {
      throw damaged(this.place, part, "is not the file that the backup wrote.");
    }
  }

  lines(list: List): AsyncGenerator<string> {
    return linesOfFrames(this.place.stream(this.manifest.lists[list]));
  }

  close(): Promise<void> {
    return this.place.close();
  }
}

const damaged = ({ name }: Place, file: string, reason: string): UserError =>
  new UserError(`The backup in ${name} is damaged: ${file} ${reason}`);

export async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
