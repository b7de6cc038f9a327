/** Validates upload URLs and headers: a response provides them, and the source must not be sent unencrypted. */
import { isLoopback } from "../../http/loopback";
import { truncate } from "../../text/format";
import { UserError } from "../../text/user-error";

export interface UploadRules {
  /** The server whose response contains the URL. */
  controlPlaneUrl: URL | undefined;
  /** Whether plain HTTP to other machines is allowed. */
  allowInsecureHttp: boolean;
}

/** Headers of a connection rather than a request, and those that the HTTP client sets. */
const NOT_FORWARDED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|content-length|http2-settings)$/i;
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a header.
const FORBIDDEN_IN_VALUE = /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/;

/** @throws UserError unless it is HTTPS, of the control plane's origin, or a loopback address like that. */
export function assertUploadUrl(text: string, { controlPlaneUrl, allowInsecureHttp }: UploadRules): URL {
  const rejection = (reason: string) =>
    new UserError(
      `The server returned an upload URL that cannot be used: ${reason}. Nothing was uploaded. Check ` +
        "controlPlaneUrl, or ask the operators of the platform for the URL of its object store.",
    );
  if (!URL.canParse(text)) throw rejection(`${JSON.stringify(truncate(text, 100))} is not an absolute URL`);
  const url = new URL(text);
  // The rest is a signature that grants access, so it is not shown.
  const target = `${url.protocol}//${url.host}`;
  if (url.username || url.password) throw rejection(`${target} contains a user name or password`);
  if (url.protocol === "https:") return url;
  if (url.protocol !== "http:") throw rejection(`${truncate(target, 100)} is not an HTTPS URL`);
  const isOwn = controlPlaneUrl !== undefined && url.origin === controlPlaneUrl.origin;
  const isLocal = isLoopback(url) && controlPlaneUrl !== undefined && isLoopback(controlPlaneUrl);
  if (isOwn || isLocal || allowInsecureHttp) return url;
  throw rejection(`${target} uses plain HTTP, so the source would be sent unencrypted`);
}

/** Returns the headers to send with the upload. @throws UserError when one is not a valid HTTP header. */
export function uploadHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const forwarded = Object.entries(headers).filter(([name]) => !NOT_FORWARDED.test(name));
  for (const [name, value] of forwarded) {
    if (!NAME.test(name) || FORBIDDEN_IN_VALUE.test(value))
      throw new UserError(
        `The server returned an upload header that is not valid: ${JSON.stringify(truncate(name, 100))}. ` +
          "Nothing was uploaded. Ask the operators of the platform.",
      );
  }
  return Object.fromEntries(forwarded);
}
