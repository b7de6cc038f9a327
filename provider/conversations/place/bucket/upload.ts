/** A new object of any size: parts are sent as they fill, and nothing is visible before the end. */
import { UserError } from "../../../text/user-error";
import { ChangedError, type NewFile } from "../place";
import { toBucketError } from "./bucket-error";
import { headersOf, type Objects } from "./objects";
import { textOf } from "./xml";

/** The least that S3 accepts for each part but the last. */
const PART_BYTES = 5 * 1024 * 1024;

export class Upload implements NewFile {
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  private uploadId: string | undefined;
  private readonly etags: string[] = [];

  constructor(
    private readonly objects: Objects,
    private readonly file: string,
  ) {}

  async append(bytes: Uint8Array): Promise<void> {
    this.chunks.push(bytes);
    this.size += bytes.length;
    if (this.size >= PART_BYTES) await this.sendPart();
  }

  /** An object exists as a whole or not at all. */
  sync(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async end(): Promise<void> {
    const { objects, file, uploadId, etags } = this;
    if (uploadId === undefined) {
      await objects.put(file, this.take(), "absent");
      return;
    }
    if (this.size > 0) await this.sendPart();
    const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
    const request = { method: "POST", key: objects.key(file), query: { uploadId }, body } as const;
    const response = await objects.send({ ...request, headers: headersOf("absent"), accepted: [404, 412] });
    const text = response.body.toString("utf8");
    // An earlier attempt has completed it.
    if (response.status === 404 && response.isRepeated) return;
    if (response.status === 412) throw new ChangedError(objects, file);
    // S3 may find that it cannot assemble the parts after it has begun a successful response.
    if (response.status === 404 || textOf(text, "Code") !== undefined)
      throw toBucketError({ what: `POST ${objects.name}/${file}`, status: response.status, body: text });
  }

  async abort(): Promise<void> {
    const { objects, file, uploadId } = this;
    this.take();
    if (uploadId === undefined) return;
    await objects.send({ method: "DELETE", key: objects.key(file), query: { uploadId }, accepted: [404] });
  }

  private async sendPart(): Promise<void> {
    const { objects, file } = this;
    const key = objects.key(file);
    if (this.uploadId === undefined) {
      const { body } = await objects.send({ method: "POST", key, query: { uploads: "" } });
      this.uploadId = textOf(body.toString("utf8"), "UploadId");
      if (!this.uploadId)
        throw new UserError(
          `The store of ${objects.name} does not respond as one of S3 does. Check AWS_ENDPOINT_URL_S3.`,
        );
    }
    const query = { partNumber: String(this.etags.length + 1), uploadId: this.uploadId };
    const { headers } = await objects.send({ method: "PUT", key, query, body: this.take() });
    this.etags.push(String(headers.etag));
  }

  private take(): Buffer {
    const bytes = Buffer.concat(this.chunks.splice(0));
    this.size = 0;
    return bytes;
  }
}
