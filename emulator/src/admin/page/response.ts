import { createHash } from "node:crypto";
import type { HttpResponse } from "../../http/route";
import { parts, readPart } from "../../runtime/parts";

/** Returns the page that shows what the emulator does, as the response to a browser. */
export function pageResponse(): HttpResponse {
  const text = readPart(parts.page);
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy(text),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      vary: "accept",
    },
    text,
  };
}

/** Allows only the script and the styles of the page itself, and requests to this emulator. */
function contentSecurityPolicy(html: string): string {
  const hashes = (tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, "g"))]
      .map(([, content = ""]) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`)
      .join(" ");
  return [
    "default-src 'none'",
    `script-src ${hashes("script")}`,
    `style-src ${hashes("style")}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
