import type { IncomingMessage } from "node:http";
import { S3Error } from "../errors";

/** An S3 request with its bucket and key, from the path or the host name. */
export interface BucketRequest {
  method: string;
  /** The path as sent, percent-encoded. */
  rawPath: string;
  /** Undefined for requests that concern no bucket. */
  bucket: string | undefined;
  /** Undefined for requests to a bucket. */
  key: string | undefined;
  /** Decoded; a parameter without a value is empty. */
  query: ReadonlyMap<string, string>;
  /** Returns the values of a header, joined by commas; undefined without it. */
  header(name: string): string | undefined;
  headerNames: readonly string[];
  incoming: IncomingMessage;
}

const MAX_KEY_BYTES = 1024;

/** Parses a request. `host` is the server's host name, which a bucket name may precede. */
export function readRequest(incoming: IncomingMessage, host: string): BucketRequest {
  const [rawPath = "/", ...rest] = (incoming.url ?? "/").split("?");
  const headers = incoming.headersDistinct;
  const header = (name: string) => headers[name]?.map((value) => value.trim().replace(/\s+/g, " ")).join(",");
  const hostBucket = bucketInHost(header("host") ?? "", host);
  const path = decode(rawPath.slice(1));
  const [first, ...others] = path.split("/");
  const bucket = hostBucket ?? first;
  const key = hostBucket === undefined ? others.join("/") : path;
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new S3Error("KeyTooLongError", { Size: Buffer.byteLength(key), MaxSizeAllowed: MAX_KEY_BYTES });
  }
  return {
    method: incoming.method ?? "GET",
    rawPath,
    header,
    headerNames: Object.keys(headers),
    incoming,
    bucket: bucket || undefined,
    key: key || undefined,
    query: readQuery(rest.join("?")),
  };
}

/** Returns the bucket of `bucket.localhost:7421`; undefined for the server's own name or an address. */
function bucketInHost(hostHeader: string, host: string): string | undefined {
  const name = hostHeader.replace(/:\d+$/, "").toLowerCase();
  const base = ["localhost", host.toLowerCase()].find((candidate) => name.endsWith(`.${candidate}`));
  return base === undefined ? undefined : name.slice(0, -base.length - 1);
}

function readQuery(text: string): Map<string, string> {
  const pairs = text.split("&").filter(Boolean);
  return new Map(
    pairs.map((pair) => {
      const [name = "", ...value] = pair.replaceAll("+", " ").split("=");
      return [decode(name), decode(value.join("="))];
    }),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error("InvalidURI", { URI: text });
  }
}
