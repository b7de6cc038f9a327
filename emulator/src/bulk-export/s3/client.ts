import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { elementText, escapeXml } from "../../runtime/text/xml";
import { defaultRegion, type S3Target, urlOf } from "./address";
import { BucketError, fromAnswer, fromFailure, notABucket, timedOut } from "./errors";
import { type Exchange, exchange, type HttpAnswer } from "./exchange";

export type { S3Target } from "./address";
export { BucketError } from "./errors";

export interface S3ClientOptions {
  /** Ends every request but the beginning and the abort of an upload; its reason is what is thrown. */
  signal?: AbortSignal | undefined;
  /** How long one request may take. Default 60 s. */
  timeoutMs?: number | undefined;
}

/** An upload in parts; nothing is visible in the bucket before `complete`. */
export interface MultipartUpload {
  /** Uploads the next part, all but the last of 5 MiB or more, and holds on to nothing of it. */
  part(bytes: Uint8Array): Promise<void>;
  complete(): Promise<void>;
  /** Takes back what was uploaded, also after the signal. */
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

/** A client of one bucket. Every method throws BucketError when the bucket refuses or cannot be asked. */
export class S3Client {
  /** Signing keys, which are good for a day. */
  private readonly keys = new Map<string, ArrayBuffer>();

  constructor(
    private readonly target: S3Target,
    private readonly options: S3ClientOptions = {},
  ) {}

  /** Writes one object whole. */
  async put(key: string, body: Uint8Array): Promise<void> {
    const answer = await this.send({ method: "PUT", key, body });
    etagOf(answer);
  }

  /** Deletes one object; one that is not there is no error. */
  async delete(key: string): Promise<void> {
    await this.send({ method: "DELETE", key });
  }

  async multipart(key: string): Promise<MultipartUpload> {
    // Not cancelled: the bucket may have begun the upload already, and only its answer says how to take it back.
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
        // The store may find out that it cannot put the parts together when it has already begun to answer.
        if (elementText(answer.text, "Code") !== undefined) throw fromAnswer(200, answer.text, answer.origin);
      },
      abort: async () => {
        await this.send({ method: "DELETE", key, query: { uploadId }, signal: undefined });
      },
    };
  }

  /** One signed request; its answer whole, since a successful one is short. */
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
      // The hash lets the store see for itself that the bytes are those that were sent.
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

/** These go into headers, and a header carries no more than that. */
function refuseOddCharacters({ accessKeyId, sessionToken = "", region = "" }: S3Target): void {
  if (/^[!-~]*$/.test(accessKeyId + sessionToken + region)) return;
  const message = "The access key id, the session token or the region has characters other than visible ASCII";
  throw new BucketError("InvalidCredentials", 0, message);
}

function etagOf({ headers, origin }: Answer): string {
  const { etag } = headers;
  // Every store gives one to what it has kept; a web server that says 200 to anything does not.
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
