import { type MultipartUpload, S3Client } from "../s3/client";
import type { PartitionTask } from "./job";

/** Bytes of a part. Shorter objects are sent in one request. */
const PART_SIZE_BYTES = 8 * 1024 * 1024;

/** Uploads an object of unknown length. The object is visible in the bucket only when it is complete. */
export class Upload {
  private readonly client: S3Client;
  private readonly key: string;
  private pending: Uint8Array[] = [];
  private size = 0;
  private multipart: MultipartUpload | undefined;

  constructor({ destination, key, signal }: PartitionTask) {
    this.client = new S3Client(destination, { signal });
    this.key = key;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.pending.push(bytes);
    this.size += bytes.length;
    if (this.size < PART_SIZE_BYTES) return;
    this.multipart ??= await this.client.startMultipartUpload(this.key);
    await this.multipart.uploadPart(this.takePending());
  }

  async complete(): Promise<void> {
    const remaining = this.takePending();
    if (!this.multipart) return this.client.put(this.key, remaining);
    if (remaining.length > 0) await this.multipart.uploadPart(remaining);
    await this.multipart.complete();
  }

  /** Aborts the upload. If that fails, too, the parts are left to the rules of the bucket. */
  async abort(): Promise<void> {
    await this.multipart?.abort().catch(() => {});
  }

  private takePending(): Uint8Array {
    const bytes = Buffer.concat(this.pending);
    this.pending = [];
    this.size = 0;
    return bytes;
  }
}
