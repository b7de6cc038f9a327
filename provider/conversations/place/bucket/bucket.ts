/** A part of a bucket that contains backups. */
import { realClock } from "../../../http/clock";
import { UserError } from "../../../text/user-error";
import type { Content, Log, NewFile, Place, WriteCondition } from "../place";
import { parseAddress } from "./address";
import type { Environment } from "./credentials";
import { Objects } from "./objects";
import { S3Client } from "./s3-client";
import { SegmentLog } from "./segment-log";
import { Upload } from "./upload";
import { contentsOf, textOf } from "./xml";

/** Bytes that one request reads. */
const READ_BYTES = 4 * 1024 * 1024;

/** @throws UserError when the text does not name a prefix in a bucket. */
export function openBucket(text: string, env: Environment, clock = realClock): Place {
  const { bucket, prefix } = parseAddress(text);
  return new Bucket(new Objects(bucket, prefix, new S3Client(bucket, env, clock)));
}

class Bucket implements Place {
  readonly kind = "bucket";

  constructor(private readonly objects: Objects) {}

  get name(): string {
    return this.objects.name;
  }

  at(path: string): Bucket {
    const { bucket, prefix, client } = this.objects;
    return new Bucket(new Objects(bucket, `${prefix}/${path}`, client));
  }

  async files(): Promise<string[]> {
    return (await this.objects.list("")).files;
  }

  async places(): Promise<string[]> {
    return (await this.objects.list("")).places;
  }

  read(file: string): Promise<Content | undefined> {
    return this.objects.read(file);
  }

  async readRange(file: string, offset: number, length: number): Promise<Buffer> {
    const { body } = await this.get(file, offset, length);
    if (body.length !== length) throw new UserError(`${this.name}/${file}: its end is missing. Copy the backup again.`);
    return body;
  }

  async size(file: string): Promise<number | undefined> {
    const request = { method: "HEAD", key: this.objects.key(file), accepted: [404] } as const;
    const { status, headers } = await this.objects.send(request);
    return status === 404 ? undefined : Number(headers["content-length"]);
  }

  /** Reads a piece at a time, each of which can be requested again. */
  async *stream(file: string): AsyncGenerator<Uint8Array> {
    for (let offset = 0; ; offset += READ_BYTES) {
      // 416: it ends there.
      const { status, body } = await this.get(file, offset, READ_BYTES, [416]);
      if (status === 416) return;
      yield body;
      if (body.length < READ_BYTES) return;
    }
  }

  private get(file: string, offset: number, length: number, accepted: readonly number[] = []) {
    const headers = { range: `bytes=${offset}-${offset + length - 1}` };
    return this.objects.send({ method: "GET", key: this.objects.key(file), headers, accepted });
  }

  async write(file: string, bytes: Uint8Array, condition?: WriteCondition): Promise<void> {
    await this.objects.put(file, bytes, condition);
  }

  create(file: string): Promise<NewFile> {
    return Promise.resolve(new Upload(this.objects, file));
  }

  openLog(file: string): Promise<Log> {
    return SegmentLog.open(this.objects, file);
  }

  async remove(file: string): Promise<void> {
    await this.objects.remove(file);
  }

  /** Uploads that a killed command has begun cost as much as objects, and are in no list of them. */
  async tidy(isOwn: (file: string) => boolean): Promise<void> {
    const { objects } = this;
    const query = { uploads: "", prefix: objects.key("") };
    const { status, body } = await objects.send({ method: "GET", key: "", query, accepted: [403, 404, 405, 501] });
    const uploads = status === 200 ? contentsOf(body.toString("utf8"), "Upload") : [];
    for (const upload of uploads) {
      const [key = "", uploadId = ""] = [textOf(upload, "Key"), textOf(upload, "UploadId")];
      if (isOwn(key.slice(objects.key("").length)))
        await objects.send({ method: "DELETE", key, query: { uploadId }, accepted: [404] });
    }
  }

  close(): Promise<void> {
    return this.objects.client.close();
  }
}
