/** The objects below a prefix of a bucket. */
import { UserError } from "../../../text/user-error";
import { ChangedError, type Content, type WriteCondition } from "../place";
import type { S3Client, S3Request } from "./s3-client";
import { contentsOf, textOf } from "./xml";

export class Objects {
  constructor(
    readonly bucket: string,
    readonly prefix: string,
    readonly client: S3Client,
  ) {}

  get name(): string {
    return `s3://${this.bucket}/${this.prefix}`;
  }

  key(file: string): string {
    return `${this.prefix}/${file}`;
  }

  send(request: S3Request) {
    return this.client.send(request);
  }

  async read(file: string): Promise<Content | undefined> {
    const { status, headers, body } = await this.send({ method: "GET", key: this.key(file), accepted: [404] });
    if (status !== 404) return { bytes: body, version: String(headers.etag) };
    if (textOf(body.toString("utf8"), "Code") === "NoSuchBucket") throw noBucket(this.bucket);
    return undefined;
  }

  async remove(file: string): Promise<void> {
    await this.send({ method: "DELETE", key: this.key(file), accepted: [404] });
  }

  /** Writes an object. Returns its version. @throws ChangedError when the condition is not met. */
  async put(file: string, bytes: Uint8Array, condition?: WriteCondition): Promise<string> {
    const key = this.key(file);
    const headers = headersOf(condition);
    const response = await this.send({ method: "PUT", key, headers, body: bytes, accepted: [404, 412] });
    const { status, isRepeated } = response;
    if (status < 300) return String(response.headers.etag);
    // The first of several attempts may have written it, although its response was lost.
    const found = isRepeated || status === 404 ? await this.read(file) : undefined;
    if (found?.bytes.equals(bytes)) return found.version;
    throw new ChangedError(this, file);
  }

  /** Returns the names of files and places directly in it that begin with a text. */
  async list(start: string): Promise<{ files: string[]; places: string[] }> {
    const prefix = this.key(start);
    const found: { files: string[]; places: string[] } = { files: [], places: [] };
    let token: string | undefined;
    do {
      const page = { "list-type": "2", prefix, delimiter: "/", ...(token && { "continuation-token": token }) };
      const { body } = await this.send({ method: "GET", key: "", query: page });
      const xml = body.toString("utf8");
      const nameOf = (element: string, inner: string) =>
        (textOf(inner, element) ?? "").slice(this.prefix.length + 1).replace(/\/$/, "");
      found.files.push(...contentsOf(xml, "Contents").map((inner) => nameOf("Key", inner)));
      found.places.push(...contentsOf(xml, "CommonPrefixes").map((inner) => nameOf("Prefix", inner)));
      token = textOf(xml, "NextContinuationToken");
    } while (token);
    // Consoles mark an empty folder by an object whose name is empty.
    return { files: found.files.filter(Boolean), places: found.places };
  }
}

export function headersOf(condition: WriteCondition | undefined): Record<string, string> {
  if (condition === undefined) return {};
  return condition === "absent" ? { "if-none-match": "*" } : { "if-match": condition.version };
}

const noBucket = (bucket: string) => new UserError(`There is no bucket ${bucket}. Create it, or correct its name.`);
