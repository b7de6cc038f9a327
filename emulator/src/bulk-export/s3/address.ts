import { isIP } from "node:net";
import { BucketError } from "./errors";

/** A bucket and the key to it, as a destination names them (interface.md part C, interface-notes.md section 3). */
export interface S3Target {
  bucketName: string;
  /** Default us-east-1. */
  region?: string | undefined;
  /** Any object store that speaks S3; the cloud store of the region when absent. */
  endpointUrl?: string | undefined;
  /**
   * Where the bucket's name stands. `auto`: in the host name for the cloud store, in the path for an endpoint.
   * `endpoint`: in the endpoint's url already, which is taken as it is.
   */
  addressingStyle: "auto" | "path" | "virtual" | "endpoint";
  accessKeyId: string;
  secretAccessKey: string;
  /** For temporary credentials. */
  sessionToken?: string | undefined;
}

export const defaultRegion = "us-east-1";

/** The url of an object. Throws BucketError where there can be none. */
export function urlOf(target: S3Target, key: string): URL {
  const base = endpointOf(target);
  const folder = base.pathname.replace(/\/+$/, "");
  const path = `/${key.split("/").map(encode).join("/")}`;
  const { bucketName } = target;
  if (target.addressingStyle === "endpoint") return join(base, `${folder}${path}`, key);
  if (!isVirtual(target, base)) return join(base, `${folder}/${encode(bucketName)}${path}`, key);
  base.hostname = `${bucketName}.${base.hostname}`;
  if (!base.hostname.startsWith(`${bucketName}.`)) throw noBucketName(bucketName);
  return join(base, `${folder}${path}`, key);
}

function endpointOf({ endpointUrl, region = defaultRegion, bucketName }: S3Target): URL {
  // What is no bucket name anywhere would name another object, or another host.
  if (!/^[\w.-]+$/.test(bucketName) || /^\.+$/.test(bucketName)) throw noBucketName(bucketName);
  if (endpointUrl === undefined) return cloudStore(region);
  if (!URL.canParse(endpointUrl)) throw invalidEndpoint(endpointUrl, "is not a URL");
  const url = new URL(endpointUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw invalidEndpoint(endpointUrl, "is not http or https");
  if (url.username || url.password) throw invalidEndpoint(url.origin, "must not hold credentials");
  if (url.search || url.hash) throw invalidEndpoint(endpointUrl, "must have no query and no fragment");
  return url;
}

function cloudStore(region: string): URL {
  if (!/^[a-z0-9-]+$/.test(region)) throw new BucketError("InvalidEndpoint", 0, `"${region}" is not a region`);
  return new URL(`https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`);
}

/** As common clients decide: no name can stand before an address in numbers, nor one with dots before a certificate's. */
function isVirtual({ addressingStyle, endpointUrl, bucketName }: S3Target, { hostname, protocol }: URL): boolean {
  if (addressingStyle === "path" || isIP(hostname.replace(/^\[|\]$/g, ""))) return false;
  if (addressingStyle === "virtual") return true;
  return endpointUrl === undefined && !(protocol === "https:" && bucketName.includes("."));
}

function join(base: URL, path: string, key: string): URL {
  const url = new URL(base);
  url.pathname = path;
  // A URL resolves "." and ".." by itself: the object would silently be another one.
  if (url.pathname !== path) throw new BucketError("InvalidURI", 400, `the key "${key}" cannot stand in a URL`);
  return url;
}

/** Percent-encoded as signatures want it: all but letters, digits and "-._~". */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function invalidEndpoint(endpoint: string, why: string): BucketError {
  return new BucketError("InvalidEndpoint", 0, `"${endpoint}" ${why}`);
}

function noBucketName(name: string): BucketError {
  return new BucketError("InvalidBucketName", 400, `"${name}" is not a name of a bucket`);
}
