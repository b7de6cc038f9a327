import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { elementText, escapeXml } from "../../runtime/text/xml";
import { defaultRegion, objectUrl, type S3Target } from "./address";
import { BucketError, fromFailure, fromResponse, notABucket, timedOut } from "./errors";
import { type HttpRequest, type HttpResponse, sendRequest } from "./exchange";

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
  uploadPart(bytes: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  /** Deletes the uploaded parts, even after the signal aborted. */
  abort(): Promise<void>;
}

interface S3Request {
  method: string;
  key: string;
  query?: Record<string, string>;
  body?: Uint8Array;
  signal?: AbortSignal | undefined;
}

interface S3Response extends HttpResponse {
  origin: string;
}

/** A client of one bucket. Every method throws BucketError if the bucket rejects the request or is unreachable. */
export class S3Client {
  /** Derived signing keys, which are valid for a day. */
  private readonly signingKeys = new Map<string, ArrayBuffer>();

  constructor(
    private readonly target: S3Target,
    private readonly options: S3ClientOptions = {},
  ) {}

  /** Writes one object in one request. */
  async put(key: string, body: Uint8Array): Promise<void> {
    const response = await this.send({ method: "PUT", key, body });
    etagOf(response);
  }

  /** Deletes one object. A missing object is not an error. */
  async delete(key: string): Promise<void> {
    await this.send({ method: "DELETE", key });
  }

  async startMultipartUpload(key: string): Promise<MultipartUpload> {
    // Not cancelled: the bucket may have started the upload, and only its response contains the ID to abort it.
    const { text, origin } = await this.send({ method: "POST", key, query: { uploads: "" }, signal: undefined });
    const uploadId = elementText(text, "UploadId");
    if (!uploadId) throw notABucket(200, origin);
    const parts: string[] = [];
    return {
      uploadPart: async (body) => {
        const query = { partNumber: String(parts.length + 1), uploadId };
        parts.push(etagOf(await this.send({ method: "PUT", key, query, body })));
      },
      complete: async () => {
        const body = Buffer.from(completionXml(parts));
        const response = await this.send({ method: "POST", key, query: { uploadId }, body });
        // A store may report a failure to assemble the parts after it has started a successful response.
        if (elementText(response.text, "Code") !== undefined) throw fromResponse(200, response.text, response.origin);
      },
      abort: async () => {
        await this.send({ method: "DELETE", key, query: { uploadId }, signal: undefined });
      },
    };
  }

  /** Sends one signed request and reads its whole response. */
  private async send({ method, key, query = {}, body, ...request }: S3Request): Promise<S3Response> {
    const url = objectUrl(this.target, key);
    assertHeaderSafe(this.target);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { accessKeyId, secretAccessKey, sessionToken, region = defaultRegion } = this.target;
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
      cache: this.signingKeys,
      ...(sessionToken !== undefined && { sessionToken }),
      // The hash lets the store verify the body.
      headers: { "x-amz-content-sha256": sha256(body ?? "") },
    });
    const headers = Object.fromEntries((await signer.sign()).headers);
    const signal = "signal" in request ? request.signal : this.options.signal;
    return this.exchangeWithTimeout(url, { method, headers, body }, signal);
  }

  private async exchangeWithTimeout(
    url: URL,
    request: Omit<HttpRequest, "signal">,
    signal: AbortSignal | undefined,
  ): Promise<S3Response> {
    const timeout = AbortSignal.timeout(this.options.timeoutMs ?? 60_000);
    const { origin } = url;
    const response = await sendRequest(url, {
      ...request,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }).catch((error) => {
      if (signal?.aborted) throw signal.reason;
      throw timeout.aborted ? timedOut(origin) : fromFailure(error, origin);
    });
    if (response.status < 200 || response.status > 299) throw fromResponse(response.status, response.text, origin);
    return { ...response, origin };
  }
}

/** Rejects values that cannot be sent in headers. */
function assertHeaderSafe({ accessKeyId, sessionToken = "", region = "" }: S3Target): void {
  if (/^[!-~]*$/.test(accessKeyId + sessionToken + region)) return;
  const message = "The access key ID, session token or region contains characters other than visible ASCII";
  throw new BucketError("InvalidCredentials", 0, message);
}

function etagOf({ headers, origin }: S3Response): string {
  const { etag } = headers;
  // Every object store returns an ETag for a stored object; other web servers do not.
  if (!etag) throw notABucket(200, origin);
  return etag;
}

function completionXml(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
}

function sha256(body: Uint8Array | string): string {
  return createHash("sha256").update(body).digest("hex");
}
