/**
 * A log in a bucket, where no object can grow: its lines are in numbered objects. The last one is written again with
 * each line until it is large, and only while it is as this command has left it.
 */
import { UserError } from "../../../text/user-error";
import { LineQueue, wholeLines } from "../log";
import { ChangedError, type Log, type WriteCondition } from "../place";
import { headersOf, type Objects } from "./objects";

const SEGMENT_BYTES = 64 * 1024;

/** The object that is written again. */
interface Segment {
  name: string;
  text: string;
  condition: WriteCondition;
}

export class SegmentLog implements Log {
  private readonly queue = new LineQueue((text) => this.write(text));
  private isOwn = false;

  private constructor(
    private readonly objects: Objects,
    private readonly file: string,
    readonly lines: readonly string[],
    private segment: Segment,
  ) {}

  static async open(objects: Objects, file: string): Promise<SegmentLog> {
    const lines: string[] = [];
    let segment: Segment = { name: nameOf(file, 1), text: "", condition: "absent" };
    for (const name of await segmentsOf(objects, file)) {
      const content = await objects.read(name);
      if (!content) throw new ChangedError(objects, name);
      const text = content.bytes.toString("utf8");
      lines.push(...wholeLines(text));
      segment = { name, text, condition: { version: content.version } };
    }
    return new SegmentLog(objects, file, lines, segment);
  }

  append(line: string): Promise<void> {
    return this.queue.append(line);
  }

  async close(): Promise<void> {
    await this.queue.end();
  }

  async remove(): Promise<void> {
    await this.close();
    for (const name of await segmentsOf(this.objects, this.file)) await this.objects.remove(name);
  }

  private async write(added: string): Promise<void> {
    const before = this.segment;
    const isFull = before.text.length > SEGMENT_BYTES;
    const number = Number(before.name.slice(this.file.length + 1)) + (isFull ? 1 : 0);
    const name = nameOf(this.file, number);
    const text = isFull ? added : before.text + added;
    const version = await this.objects.put(name, Buffer.from(text), isFull ? "absent" : before.condition);
    this.segment = { name, text, condition: { version } };
    if (isFull) await this.assertUnchanged(before);
    if (!this.isOwn) await this.assertConditional(name, text);
    if (!this.isOwn) await this.assertLast();
    this.isOwn = true;
  }

  /** No condition of the write to the next object shows that the earlier one has changed or is gone. */
  private async assertUnchanged({ name, condition }: Segment): Promise<void> {
    const { headers } = await this.objects.send({ method: "HEAD", key: this.objects.key(name) });
    if (condition === "absent" || String(headers.etag) !== condition.version)
      throw new ChangedError(this.objects, name);
  }

  /** Some stores accept a condition and write nevertheless. @throws UserError for one of these. */
  private async assertConditional(name: string, text: string): Promise<void> {
    const request = { method: "PUT", key: this.objects.key(name), headers: headersOf("absent") } as const;
    const { status } = await this.objects.send({ ...request, body: Buffer.from(text), accepted: [412] });
    if (status !== 412)
      throw new UserError(
        `The store of ${this.objects.name} ignores the conditions of writes, so two commands could mix what ` +
          "they write. Use another store, or a folder.",
      );
  }

  /** Another command may have gone on to the next object before this one wrote. */
  private async assertLast(): Promise<void> {
    const last = (await segmentsOf(this.objects, this.file)).at(-1);
    if (last !== this.segment.name) throw new ChangedError(this.objects, this.segment.name);
  }
}

const nameOf = (file: string, number: number): string => `${file}.${String(number).padStart(6, "0")}`;

async function segmentsOf(objects: Objects, file: string): Promise<string[]> {
  const { files } = await objects.list(`${file}.`);
  return files.filter((name) => /^\d{6}$/.test(name.slice(file.length + 1))).sort();
}
