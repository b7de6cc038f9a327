/** Sends signed requests to one bucket, again where that is safe and can help. */
import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { type BytesResponse, sendBytes } from "../../../http/bytes";
import type { Clock } from "../../../http/clock";
import { Connections } from "../../../http/connections";
import { describeNetworkError, type NetworkError } from "../../../http/errors";
import { UserError } from "../../../text/user-error";
import { USER_AGENT } from "../../../text/version";
import { bucketUrl, encodeKey } from "./address";
import { toBucketError } from "./bucket-error";
import { type Credentials, type Environment, endpointOf, findCredentials, findRegion } from "./credentials";

export interface S3Request {
  method: "GET" | "PUT" | "POST" | "DELETE" | "HEAD";
  /** Empty for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Statuses that are no errors. */
  accepted?: readonly number[];
}

export interface S3Response extends BytesResponse {
  /** Whether an earlier attempt may have had its effect already. */
  isRepeated: boolean;
}

const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 250;
/** For one request, mostly of a few megabytes. */
const TIMEOUT_MS = 120_000;
/** Credentials of a role are replaced before they expire. */
const RENEW_BEFORE_MS = 5 * 60_000;
const MAX_REQUESTS = 8;

interface Session {
  url: URL;
  region: string;
  credentials: Credentials;
}

export class S3Client {
  private session: Promise<Session> | undefined;
  /** Keys that signatures are made with, valid for a day. */
  private signingKeys = new Map<string, ArrayBuffer>();
  readonly connections = new Connections({ maxConcurrentRequests: MAX_REQUESTS, requestTimeoutMs: TIMEOUT_MS });

  constructor(
    private readonly bucket: string,
    readonly env: Environment,
    readonly clock: Clock,
  ) {}

  /** @throws BucketError when the bucket rejects the request, and UserError when it does not respond. */
  async send(request: S3Request): Promise<S3Response> {
    const what = `${request.method} s3://${this.bucket}/${request.key}`;
    for (let attempt = 1; ; attempt++) {
      const session = await this.open();
      const outcome = await this.sendOnce(request, session).catch((error: NetworkError) => error);
      const isLast = attempt >= MAX_ATTEMPTS;
      if (!("status" in outcome)) {
        const { detail } = describeNetworkError(outcome, session.url.origin);
        if (isLast) throw new UserError(`${what} failed: ${detail}`);
      } else {
        const { status, headers, body } = outcome;
        const isAccepted = (status >= 200 && status < 300) || request.accepted?.includes(status);
        if (isAccepted) return { ...outcome, isRepeated: attempt > 1 };
        // 409: another conditional write of the key is under way.
        const canPass = status >= 500 || status === 429 || status === 408 || status === 409;
        if (!canPass || status === 501 || isLast) {
          const region = headers["x-amz-bucket-region"]?.toString();
          throw toBucketError({ what, status, body: body.toString("utf8"), region });
        }
      }
      await this.clock.sleep(FIRST_PAUSE_MS * 2 ** attempt);
    }
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  private async open(): Promise<Session> {
    const { expiresAt } = (await this.session)?.credentials ?? {};
    if (expiresAt !== undefined && expiresAt - RENEW_BEFORE_MS < this.clock.now()) {
      this.session = undefined;
      this.signingKeys = new Map();
    }
    this.session ??= this.connect();
    return this.session;
  }

  private async connect(): Promise<Session> {
    const { bucket, env } = this;
    const name = `s3://${bucket}`;
    const region = await findRegion(env, name);
    return { region, url: bucketUrl(bucket, region, endpointOf(env)), credentials: await findCredentials(env, name) };
  }

  private async sendOnce(request: S3Request, { url: base, region, credentials }: Session) {
    const { method, key, query = {}, headers = {}, body } = request;
    const url = new URL(base);
    url.pathname += encodeKey(key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const signer = new AwsV4Signer({
      ...{ method, url: url.href, service: "s3", region, accessKeyId, secretAccessKey, cache: this.signingKeys },
      ...(sessionToken && { sessionToken }),
      headers: { ...headers, "x-amz-content-sha256": sha256(body ?? "") },
    });
    const signed = Object.fromEntries((await signer.sign()).headers);
    const sent = { method, headers: { ...signed, "user-agent": USER_AGENT }, body, timeoutMs: TIMEOUT_MS };
    return sendBytes(url, sent, this);
  }
}

const sha256 = (body: Uint8Array | string): string => createHash("sha256").update(body).digest("hex");
