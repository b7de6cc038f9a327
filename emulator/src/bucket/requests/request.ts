import type { IncomingMessage } from "node:http";
import type { HostSettings } from "../../http/allowed-hosts";
import { parseUrl } from "../../http/http-messages";
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

/** Parses a request. `hostBucket` is the bucket in its host name. */
export function readRequest(incoming: IncomingMessage, hostBucket: string | undefined): BucketRequest {
  const [rawPath = "/", ...rest] = (incoming.url ?? "/").split("?");
  const headers = incoming.headersDistinct;
  const header = (name: string) => headers[name]?.map((value) => value.trim().replace(/\s+/g, " ")).join(",");
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

/** The host name that a client uses. */
interface Address {
  /** Without the bucket. */
  hostname: string;
  origin: string;
  /** The bucket of `bucket.localhost:7421`; undefined for the server's own name or an address. */
  bucket: string | undefined;
}

/** Parses the host name, which may begin with a bucket. @throws S3Error without a valid Host header. */
export function parseAddress(incoming: IncomingMessage, { host, allowHost }: HostSettings): Address {
  const url = parseUrl(incoming);
  if (url === null) throw new S3Error("InvalidURI", { URI: incoming.url ?? "" });
  const { hostname, origin } = url;
  const base = ["localhost", host.toLowerCase(), ...allowHost].find((name) => hostname.endsWith(`.${name}`));
  if (base === undefined || allowHost.includes(hostname)) return { hostname, origin, bucket: undefined };
  return { hostname: base, origin, bucket: hostname.slice(0, -base.length - 1) };
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
