import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { elementText, escapeXml } from "../../runtime/text/xml";
import { defaultRegion, type S3Target, urlOf } from "./address";
import { BucketError, fromAnswer, fromFailure, notABucket, timedOut } from "./errors";
import { type Exchange, exchange, type HttpAnswer } from "./exchange";

export type { S3Target } from "./address";
export { BucketError } from "./errors";

export interface S3ClientOptions {
  /** Aborts all requests except the start and the abort of an upload; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Timeout of one request in milliseconds. Default: 60,000. */
  timeoutMs?: number | undefined;
}

/** A multipart upload; the object is not visible before `complete`. */
export interface MultipartUpload {
  /** Uploads the next part; all except the last must have at least 5 MiB. Does not retain the bytes. */
  part(bytes: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  /** Deletes the uploaded parts, even after the signal aborted. */
  abort(): Promise<void>;
}

interface Call {
  method: string;
  key: string;
  query?: Record<string, string>;
  body?: Uint8Array;
  signal?: AbortSignal | undefined;
}

interface Answer extends HttpAnswer {
  origin: string;
}

/** A client of one bucket. Every method throws BucketError if the bucket rejects the request or is unreachable. */
export class S3Client {
  /** Derived signing keys, which are valid for a day. */
  private readonly keys = new Map<string, ArrayBuffer>();

  constructor(
    private readonly target: S3Target,
    private readonly options: S3ClientOptions = {},
  ) {}

  /** Writes one object in one request. */
  async put(key: string, body: Uint8Array): Promise<void> {
    const answer = await this.send({ method: "PUT", key, body });
    etagOf(answer);
  }

  /** Deletes one object. A missing object is not an error. */
  async delete(key: string): Promise<void> {
    await this.send({ method: "DELETE", key });
  }

  async multipart(key: string): Promise<MultipartUpload> {
    // Not cancelled: the bucket may have started the upload, and only its response contains the ID to abort it.
    const { text, origin } = await this.send({ method: "POST", key, query: { uploads: "" }, signal: undefined });
    const uploadId = elementText(text, "UploadId");
    if (!uploadId) throw notABucket(200, origin);
    const parts: string[] = [];
    return {
      part: async (body) => {
        const query = { partNumber: String(parts.length + 1), uploadId };
        parts.push(etagOf(await this.send({ method: "PUT", key, query, body })));
      },
      complete: async () => {
        const body = Buffer.from(listOf(parts));
        const answer = await this.send({ method: "POST", key, query: { uploadId }, body });
        // A store may report a failure to assemble the parts after it has started a successful response.
        if (elementText(answer.text, "Code") !== undefined) throw fromAnswer(200, answer.text, answer.origin);
      },
      abort: async () => {
        await this.send({ method: "DELETE", key, query: { uploadId }, signal: undefined });
      },
    };
  }

  /** Sends one signed request and reads its whole response. */
  private async send({ method, key, query = {}, body, ...request }: Call): Promise<Answer> {
    const url = urlOf(this.target, key);
    refuseOddCharacters(this.target);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { accessKeyId, secretAccessKey, sessionToken, region = defaultRegion } = this.target;
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
      cache: this.keys,
      ...(sessionToken !== undefined && { sessionToken }),
      // The hash lets the store verify the body.
      headers: { "x-amz-content-sha256": sha256(body ?? "") },
    });
    const headers = Object.fromEntries((await signer.sign()).headers);
    const signal = "signal" in request ? request.signal : this.options.signal;
    return this.ask(url, { method, headers, body }, signal);
  }

  private async ask(url: URL, request: Omit<Exchange, "signal">, signal: AbortSignal | undefined): Promise<Answer> {
    const limit = AbortSignal.timeout(this.options.timeoutMs ?? 60_000);
    const { origin } = url;
    const answer = await exchange(url, { ...request, signal: signal ? AbortSignal.any([signal, limit]) : limit }).catch(
      (error) => {
        if (signal?.aborted) throw signal.reason;
        throw limit.aborted ? timedOut(origin) : fromFailure(error, origin);
      },
    );
    if (answer.status < 200 || answer.status > 299) throw fromAnswer(answer.status, answer.text, origin);
    return { ...answer, origin };
  }
}

/** Rejects values that cannot be sent in headers. */
function refuseOddCharacters({ accessKeyId, sessionToken = "", region = "" }: S3Target): void {
  if (/^[!-~]*$/.test(accessKeyId + sessionToken + region)) return;
  const message = "The access key ID, session token or region contains characters other than visible ASCII";
  throw new BucketError("InvalidCredentials", 0, message);
}

function etagOf({ headers, origin }: Answer): string {
  const { etag } = headers;
  // Every object store returns an ETag for a stored object; other web servers do not.
  if (!etag) throw notABucket(200, origin);
  return etag;
}

function listOf(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
}

function sha256(body: Uint8Array | string): string {
  return createHash("sha256").update(body).digest("hex");
}
