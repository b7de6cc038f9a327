/** The URL of a request: as it is sent, and as logs show it. */
import { UserError } from "../text/user-error";

export interface RequestTarget {
  /** Relative to the base URL. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
}

/** @throws UserError when the path would be normalized to another one, as a dot segment is. */
export function requestUrl(baseUrl: URL, { path, query = {} }: RequestTarget): URL {
  const url = new URL(baseUrl);
  const pathname = baseUrl.pathname.replace(/\/$/, "") + path;
  url.pathname = pathname;
  if (url.pathname !== pathname) throw new UserError(`The path ${JSON.stringify(path)} is not a valid request path.`);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  return url;
}

const HIDDEN = "REDACTED";

/**
 * Returns a URL without what may be secret: credentials, values of the query, and the path of a signed upload.
 * @param isUpload Whether the URL is signed, so that anyone who has it may upload.
 */
export function loggedUrl(url: URL, isUpload: boolean): string {
  const keys = [...new Set(url.searchParams.keys())].map((key) => `${encodeURIComponent(key)}=${HIDDEN}`);
  const query = isUpload || keys.length === 0 ? "" : `?${keys.join("&")}`;
  return `${url.origin}${isUpload ? `/${HIDDEN}` : url.pathname}${query}`;
}
