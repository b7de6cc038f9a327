import { createHash, createHmac } from "node:crypto";
import { encode } from "./address";

/** Whose signature, and where it is good. */
export interface Signer {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

const algorithm = "AWS4-HMAC-SHA256";

/**
 * The headers of a request signed with Signature Version 4, its body included. `url` must be encoded as it will be
 * sent; `now` is in milliseconds since 1970.
 */
export function sign(
  method: string,
  url: URL,
  body: Uint8Array | string,
  signer: Signer,
  now: number,
): Record<string, string> {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = `${time.slice(0, 8)}/${signer.region}/s3/aws4_request`;
  const headers: Record<string, string> = {
    host: url.host,
    "x-amz-content-sha256": sha256(body),
    "x-amz-date": time,
    ...(signer.sessionToken !== undefined && { "x-amz-security-token": signer.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    ...[method, url.pathname, canonicalQuery(url)],
    ...names.map((name) => `${name}:${headers[name]}`),
    ...["", names.join(";"), headers["x-amz-content-sha256"]],
  ].join("\n");
  const signature = createHmac("sha256", signingKey(signer, scope))
    .update([algorithm, time, scope, sha256(canonical)].join("\n"))
    .digest("hex");
  const authorization = `${algorithm} Credential=${signer.accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
  return { ...headers, authorization };
}

function canonicalQuery({ searchParams }: URL): string {
  const pairs = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.sort().join("&");
}

/** The secret itself signs nothing: each part of the scope narrows it down. */
function signingKey({ secretAccessKey }: Signer, scope: string): Buffer {
  const first: Buffer = Buffer.from(`AWS4${secretAccessKey}`);
  return scope.split("/").reduce((key, part) => createHmac("sha256", key).update(part).digest(), first);
}

function sha256(content: Uint8Array | string): string {
  return createHash("sha256").update(content).digest("hex");
}
