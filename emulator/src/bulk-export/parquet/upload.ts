import { type MultipartUpload, S3Client } from "../s3/client";
import type { PartitionTask } from "./job";

/** What is shorter goes in one request; what is longer in parts of this length or more. In bytes. */
const partSize = 8 * 1024 * 1024;

/** An object whose length is not known when it begins. It appears in the bucket when it is complete, and not before. */
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

  /** Takes back what the bucket has of it. A bucket that cannot do this either leaves that to its own rules. */
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
