/** Bodies of requests: JSON, or a stream to upload. */
import type { Readable } from "node:stream";

export interface UploadBody {
  /** Bytes. */
  size: number;
  /** Media type. */
  type: string;
  open(): Readable;
}

interface Payload {
  body: string | Readable | null;
  headers: Record<string, string>;
}

export function toPayload({ body, content }: { body?: unknown; content?: UploadBody }): Payload {
  if (content)
    return { body: content.open(), headers: { "content-type": content.type, "content-length": String(content.size) } };
  if (body === undefined) return { body: null, headers: {} };
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

/** Merges headers without regard to case; later ones win. */
export function mergeHeaders(...all: Record<string, string>[]): Record<string, string> {
  const byName = new Map(
    all.flatMap(Object.entries<string>).map(([name, value]) => [name.toLowerCase(), [name, value] as const]),
  );
  return Object.fromEntries(byName.values());
}
