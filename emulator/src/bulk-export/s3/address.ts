import { isIP } from "node:net";
import { BucketError } from "./errors";

/** A bucket and its credentials, as a destination names them (API `2C.Destination`). */
export interface S3Target {
  bucketName: string;
  /** Default: us-east-1. */
  region?: string | undefined;
  /** Any S3-compatible object store. Default: the cloud store of the region. */
  endpointUrl?: string | undefined;
  /**
   * Where the bucket name appears. `auto`: in the host name for the cloud store, in the path for an endpoint.
   * `endpoint`: already in the endpoint URL, which is used unchanged.
   */
  addressingStyle: "auto" | "path" | "virtual" | "endpoint";
  accessKeyId: string;
  secretAccessKey: string;
  /** For temporary credentials. */
  sessionToken?: string | undefined;
}

export const defaultRegion = "us-east-1";

/** Returns the URL of an object. @throws BucketError if the target or the key is invalid. */
export function objectUrl(target: S3Target, key: string): URL {
  const base = endpointOf(target);
  const folder = base.pathname.replace(/\/+$/, "");
  const path = `/${key.split("/").map(encode).join("/")}`;
  const { bucketName } = target;
  if (target.addressingStyle === "endpoint") return withPath(base, `${folder}${path}`, key);
  if (!isVirtual(target, base)) return withPath(base, `${folder}/${encode(bucketName)}${path}`, key);
  base.hostname = `${bucketName}.${base.hostname}`;
  if (!base.hostname.startsWith(`${bucketName}.`)) throw invalidBucketName(bucketName);
  return withPath(base, `${folder}${path}`, key);
}

function endpointOf({ endpointUrl, region = defaultRegion, bucketName }: S3Target): URL {
  // An invalid bucket name could address another object or another host.
  if (!/^[\w.-]+$/.test(bucketName) || /^\.+$/.test(bucketName)) throw invalidBucketName(bucketName);
  if (endpointUrl === undefined) return cloudStore(region);
  if (!URL.canParse(endpointUrl)) throw invalidEndpoint(endpointUrl, "is not a URL");
  const url = new URL(endpointUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw invalidEndpoint(endpointUrl, "is not http or https");
  if (url.username || url.password) throw invalidEndpoint(url.origin, "must not contain credentials");
  if (url.search || url.hash) throw invalidEndpoint(endpointUrl, "must not have a query or fragment");
  return url;
}

function cloudStore(region: string): URL {
  if (!/^[a-z0-9-]+$/.test(region)) throw new BucketError("InvalidEndpoint", 0, `"${region}" is not a region`);
  return new URL(`https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`);
}

/** Decides as common clients do: no subdomain of an IP address, and no name with dots under TLS. */
function isVirtual({ addressingStyle, endpointUrl, bucketName }: S3Target, { hostname, protocol }: URL): boolean {
  if (addressingStyle === "path" || isIP(hostname.replace(/^\[|\]$/g, ""))) return false;
  if (addressingStyle === "virtual") return true;
  return endpointUrl === undefined && !(protocol === "https:" && bucketName.includes("."));
}

function withPath(base: URL, path: string, key: string): URL {
  const url = new URL(base);
  url.pathname = path;
  // URL normalizes "." and "..", which would silently address another object.
  if (url.pathname !== path) throw new BucketError("InvalidURI", 400, `the key "${key}" cannot be used in a URL`);
  return url;
}

/** Percent-encodes as signatures require: everything except letters, digits and "-._~". */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function invalidEndpoint(endpoint: string, reason: string): BucketError {
  return new BucketError("InvalidEndpoint", 0, `"${endpoint}" ${reason}`);
}

function invalidBucketName(name: string): BucketError {
  return new BucketError("InvalidBucketName", 400, `"${name}" is not a valid bucket name`);
}
