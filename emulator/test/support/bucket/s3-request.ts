import { createHash, createHmac } from "node:crypto";
import { connect, type Socket } from "node:net";

/** Signs requests independently, so that tests do not rely on the signature code of the client or the bucket. */

export interface AccessKey {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface SigningOptions {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** The value of `x-amz-content-sha256`. Default: the hash of the body. */
  payload?: string;
  /** The time of the request. Default: now. */
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
  /** The time, scope and key that sign chunks. */
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
  const sorted = pairs.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return sorted.map((pair) => pair.join("=")).join("&");
}

function deriveSigningKey({ secretAccessKey }: AccessKey, scope: string): Buffer {
  const [date = "", region = "", service = "", end = ""] = scope.split("/");
  return hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, date), region), service), end);
}

/** Signs a request in its headers. `path` is not encoded. */
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
  const credential = `Credential=${key.accessKeyId}/${scope}`;
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  const search = Object.keys(query).length > 0 ? `?${canonicalQuery(query)}` : "";
  const url = origin + encoded + search;
  return { url, method, headers: { ...headers, authorization, ...unsigned }, body, signature, time, scope, signingKey };
}

/** Returns a URL that is signed in its query. */
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

/** A complete response. */
export interface S3Response {
  status: number;
  headers: Headers;
  bytes: Buffer;
  text: string;
  /** S3's code of an error. */
  code: string | undefined;
}

type Sendable = Pick<SignedRequest, "url" | "method" | "headers" | "body">;

export async function sendRequest({ url, method, headers, body }: Sendable): Promise<S3Response> {
  return readResponse(await fetch(url, { method, headers, ...(body && { body: new Uint8Array(body) }) }));
}

/** Sends only the head of a request, and returns the socket for its body. */
export function sendHead({ url, method, headers, body }: Sendable): Socket {
  const { port, pathname } = new URL(url);
  const all = { ...headers, "content-length": body?.length ?? 0, connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  return socket;
}

export async function readResponse(response: Response): Promise<S3Response> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString("utf8");
  return { status: response.status, headers: response.headers, bytes, text, code: xmlTexts(text, "Code")[0] };
}

/** Returns the unescaped text of all elements with a name. */
export function xmlTexts(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => text);
}

/** Encodes a body in S3's chunks, which are signed in sequence if `signed` is present. */
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
