import { type MultipartUpload, S3Client } from "../s3/client";
import type { PartitionTask } from "./job";

/** Bytes of a part. Shorter objects are sent in one request. */
const partSize = 8 * 1024 * 1024;

/** Uploads an object of unknown length. The object is visible in the bucket only when it is complete. */
export class Upload {
  private readonly client: S3Client;
  private readonly key: string;
  private held: Uint8Array[] = [];
  private size = 0;
  private multipart: MultipartUpload | undefined;

  constructor({ destination, key, signal }: PartitionTask) {
    this.client = new S3Client(destination, { signal });
    this.key = key;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.held.push(bytes);
    this.size += bytes.length;
    if (this.size < partSize) return;
    this.multipart ??= await this.client.multipart(this.key);
    await this.multipart.part(this.take());
  }

  async complete(): Promise<void> {
    const rest = this.take();
    if (!this.multipart) return this.client.put(this.key, rest);
    if (rest.length > 0) await this.multipart.part(rest);
    await this.multipart.complete();
  }

  /** Aborts the upload. If that fails, too, the parts are left to the rules of the bucket. */
  async abort(): Promise<void> {
    await this.multipart?.abort().catch(() => {});
  }

  private take(): Uint8Array {
    const bytes = Buffer.concat(this.held);
    this.held = [];
    this.size = 0;
    return bytes;
  }
}
