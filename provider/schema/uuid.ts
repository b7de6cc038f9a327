/** Computes UUIDs from names. Pure. */
import { createHash } from "node:crypto";

/** Namespace of the IDs of default assistants (API `2B.Assistant.default`). */
const DEFAULT_ASSISTANTS = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

/** Returns the ID of the assistant that an agent server makes for a graph, which runs use that name the graph. */
export const defaultAssistantId = (graphId: string): string => uuidV5(DEFAULT_ASSISTANTS, graphId);

/** Computes a UUID v5 (RFC 9562, section 5.5). */
export function uuidV5(namespace: string, name: string): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
