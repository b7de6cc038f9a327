import { createHash, createHmac } from "node:crypto";

/** Requests signed by hand, so that neither the client's nor the bucket's own reading of the signature is trusted. */

export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface SigningOptions {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** What `x-amz-content-sha256` says; the hash of the body when absent. */
  payload?: string;
  /** The time of the request; now when absent. */
  at?: Date;
  /** Headers that are sent and not signed. */
  unsigned?: Record<string, string>;
}

export interface SignedRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
  signature: string;
  /** What signs chunks: the time, the scope and the key. */
  time: string;
  scope: string;
  signingKey: Buffer;
}

const hash = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");
const hmac = (key: Buffer | string, text: string) => createHmac("sha256", key).update(text).digest();
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
const amzDate = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, "");

function canonicalQuery(query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, value]) => [encode(name), encode(value)]);
  return pairs
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
}

function deriveSigningKey({ secretAccessKey }: AccessKey, scope: string): Buffer {
  const [date = "", region = "", service = "", end = ""] = scope.split("/");
  return hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, date), region), service), end);
}

/** A request with its signature in the headers. `path` is not encoded yet. */
export function sign(
  origin: string,
  key: AccessKey,
  method: string,
  path: string,
  signing: SigningOptions = {},
): SignedRequest {
  const { query = {}, at = new Date(), unsigned = {} } = signing;
  const body = signing.body === undefined ? undefined : Buffer.from(signing.body);
  const time = amzDate(at);
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const payload = signing.payload ?? hash(body ?? "");
  const unsorted = {
    host: new URL(origin).host,
    "x-amz-content-sha256": payload,
    "x-amz-date": time,
    ...signing.headers,
  };
  const headers = Object.fromEntries(Object.entries(unsorted).sort(([a], [b]) => (a < b ? -1 : 1)));
  const names = Object.keys(headers).join(";");
  const encoded = path.split("/").map(encode).join("/");
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  const canonical = [method, encoded, canonicalQuery(query), ...lines, "", names, payload].join("\n");
  const signingKey = deriveSigningKey(key, scope);
  const signature = hmac(signingKey, ["AWS4-HMAC-SHA256", time, scope, hash(canonical)].join("\n")).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  const search = Object.keys(query).length > 0 ? `?${canonicalQuery(query)}` : "";
  const url = origin + encoded + search;
  return { url, method, headers: { ...headers, authorization, ...unsigned }, body, signature, time, scope, signingKey };
}

/** A url with its signature in the query. */
export function signUrl(
  origin: string,
  key: AccessKey,
  method: string,
  path: string,
  seconds: number,
  at = new Date(),
): string {
  const time = amzDate(at);
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const query = canonicalQuery({
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${key.accessKeyId}/${scope}`,
    "X-Amz-Date": time,
    "X-Amz-Expires": String(seconds),
    "X-Amz-SignedHeaders": "host",
  });
  const encoded = path.split("/").map(encode).join("/");
  const host = new URL(origin).host;
  const canonical = [method, encoded, query, `host:${host}`, "", "host", "UNSIGNED-PAYLOAD"].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope, hash(canonical)].join("\n");
  return `${origin}${encoded}?${query}&X-Amz-Signature=${hmac(deriveSigningKey(key, scope), toSign).toString("hex")}`;
}

/** An answer, read whole. */
export interface S3Response {
  status: number;
  headers: Headers;
  bytes: Buffer;
  text: string;
  /** The code of an error, in S3's words. */
  code: string | undefined;
}

export async function sendRequest({
  url,
  method,
  headers,
  body,
}: Pick<SignedRequest, "url" | "method" | "headers" | "body">) {
  const response = await fetch(url, { method, headers, ...(body && { body: new Uint8Array(body) }) });
  return readResponse(response);
}

export async function readResponse(response: Response): Promise<S3Response> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString("utf8");
  return { status: response.status, headers: response.headers, bytes, text, code: xmlTexts(text, "Code")[0] };
}

/** The texts of all elements of this name, as they stand. */
export function xmlTexts(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => text);
}

/** A body in S3's chunks, signed one after the other when `signed` is given. */
export function chunkedBody(
  chunks: readonly Buffer[],
  trailers: Record<string, string>,
  signed?: SignedRequest,
): Buffer {
  let previous = signed?.signature ?? "";
  const signNext = (kind: string, ...rest: string[]) => {
    if (!signed) return "";
    const toSign = [`AWS4-HMAC-SHA256-${kind}`, signed.time, signed.scope, previous, ...rest].join("\n");
    previous = hmac(signed.signingKey, toSign).toString("hex");
    return previous;
  };
  const signedChunks = [...chunks, Buffer.alloc(0)].map((chunk) => {
    const signature = signNext("PAYLOAD", hash(""), hash(chunk));
    const head = `${chunk.length.toString(16)}${signature && `;chunk-signature=${signature}`}\r\n`;
    return Buffer.concat([Buffer.from(head), chunk, Buffer.from(chunk.length > 0 ? "\r\n" : "")]);
  });
  const lines = Object.entries(trailers).map(([name, value]) => `${name}:${value}`);
  const trailerSignature = lines.length > 0 ? signNext("TRAILER", hash(lines.map((line) => `${line}\n`).join(""))) : "";
  const trailerLines = [...lines, ...(trailerSignature ? [`x-amz-trailer-signature:${trailerSignature}`] : []), ""].map(
    (line) => `${line}\r\n`,
  );
  return Buffer.concat([...signedChunks, Buffer.from(trailerLines.join(""))]);
}
