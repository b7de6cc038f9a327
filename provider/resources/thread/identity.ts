/** The id that a thread is created with: the same for the same resource and the same fixed inputs, and for no other. */
import { createHash } from "node:crypto";
import type { Context } from "../../definition/context";
import { normalizeUrl } from "../../schema/compare";
import type { Inputs } from "./fields";

/** The namespace of our UUIDs, made up once. Frozen: another one would make every interrupted create a second thread. */
const NAMESPACE = "6f2f8e6c-6a57-5c51-9a3e-0d2f4b7c1e88";

/** The inputs that no update can change. */
export const IMMUTABLE = ["deploymentId", "deploymentUrl", "threadId", "supersteps", "copyFrom"] as const;

/** The optional route that changes threads (interface-notes section 4). */
export const UPDATE_ROUTE = "threads-patch";
/** What it changes. */
export const UPDATABLE = ["metadata", "ttl"] as const;

/**
 * UUID v5 of the owner, the URN and the fixed inputs.
 * @param extraFields Further inputs that count as fixed, where the server cannot change them.
 */
export function deriveThreadId(
  desired: Inputs,
  { marker }: Pick<Context, "marker">,
  extraFields: readonly (keyof Inputs)[] = [],
): string {
  const { deploymentUrl, threadId, copyFrom } = desired;
  const normalized = {
    ...desired,
    deploymentUrl: deploymentUrl && normalizeUrl(deploymentUrl),
    threadId: threadId?.toLowerCase(),
    copyFrom: copyFrom?.toLowerCase(),
  };
  const immutable = [...IMMUTABLE, ...extraFields].map((name) => [name, normalized[name]]);
  return uuidV5(NAMESPACE, `${marker}\n${toCanonicalJson(Object.fromEntries(immutable))}`);
}

/** UUID v5 of the owner and the URN alone. */
export const deriveResourceId = ({ marker }: Pick<Context, "marker">): string => uuidV5(NAMESPACE, marker);

/** One text for all values that mean the same: keys in order, null and absent alike. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const defined = Object.entries(value).filter(([, part]) => part != null);
  const parts = defined
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${toCanonicalJson(part)}`);
  return `{${parts.join(",")}}`;
}

/** RFC 9562, section 5.5. */
export function uuidV5(namespace: string, name: string): string {
  const bytes = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
