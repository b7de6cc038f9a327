/** The address of a bucket and of its objects. */
import { UserError } from "../../../text/user-error";

interface Address {
  bucket: string;
  /** Without slashes at its ends. */
  prefix: string;
}

/** @throws UserError when a text does not name a prefix in a bucket. */
export function parseAddress(text: string): Address {
  const [, bucket = "", path = ""] = /^s3:\/\/([^/]*)\/*(.*?)\/*$/i.exec(text) ?? [];
  if (!/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/i.test(bucket))
    throw new UserError(`${text} names no bucket. Expected s3://bucket/prefix.`);
  const names = path.split("/");
  if (path === "" || names.some((name) => name === "" || name === "." || name === ".."))
    throw new UserError(`${text} names no prefix in the bucket, where one backup is. Expected s3://bucket/prefix.`);
  return { bucket, prefix: names.join("/") };
}

/** Returns the URL of a bucket. @throws UserError when the address of the store is not one. */
export function bucketUrl(bucket: string, region: string, endpoint: string | undefined): URL {
  if (endpoint === undefined) {
    const host = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
    // A certificate for all buckets covers no name with a dot.
    return new URL(bucket.includes(".") ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`);
  }
  const url = URL.parse(endpoint);
  const isAddress = url && (url.protocol === "http:" || url.protocol === "https:") && !url.search && !url.hash;
  if (!isAddress || url.username || url.password)
    throw new UserError(
      "AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL is not the address of an object store. Expected https://host, " +
        "without credentials.",
    );
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${bucket}/`;
  return url;
}

/** Percent-encodes a key as signatures require: everything but letters, digits and `-._~/`. */
export const encodeKey = (key: string): string =>
  encodeURIComponent(key)
    .replaceAll("%2F", "/")
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
