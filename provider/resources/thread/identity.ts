/** Derives the ID that a thread is created with: unique to the resource and its immutable inputs, and stable between runs. */
import { createHash } from "node:crypto";
import type { Context } from "../../definition/context";
import { canonicalMarker, parseMarker } from "../../definition/ownership";
import { normalizeUrl } from "../../schema/compare";
import { fieldsOf, pathsOf } from "../../schema/fields";
import { type Inputs, inputs } from "./fields";

/** Namespace of the UUIDs. Frozen: with another one, resuming an interrupted create would create a second thread. */
const NAMESPACE = "6f2f8e6c-6a57-5c51-9a3e-0d2f4b7c1e88";

const SCHEMA = { fields: fieldsOf(inputs) };
/** The inputs that no update can change. */
const IMMUTABLE = pathsOf(SCHEMA, ({ replaces }) => replaces) as (keyof Inputs)[];
/** The inputs that servers may be unable to update. */
export const UPDATABLE = pathsOf(SCHEMA, ({ updateRoute }) => updateRoute) as (keyof Inputs)[];

/**
 * Returns the UUID v5 of the owner, the URN and the immutable inputs.
 * @param extraFields Further inputs to treat as immutable, when the server cannot update them.
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
  return uuidV5(NAMESPACE, `${canonicalMarker(marker)}\n${toCanonicalJson(Object.fromEntries(immutable))}`);
}

/** Returns the UUID v5 of the owner and the URN alone. */
export const deriveResourceId = ({ marker }: Pick<Context, "marker">): string =>
  uuidV5(NAMESPACE, canonicalMarker(marker));

/** Returns the UUID v5 of the owner, the project and the stack. */
export function deriveStackId({ marker }: Pick<Context, "marker">): string {
  const { owner = "", project = "", stack = "" } = parseMarker(marker) ?? {};
  return uuidV5(NAMESPACE, `${owner}/urn:pulumi:${stack}::${project}`);
}

/** Returns the same text for all equivalent values: keys are sorted, null equals absent. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const defined = Object.entries(value).filter(([, part]) => part != null);
  const parts = defined
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${toCanonicalJson(part)}`);
  return `{${parts.join(",")}}`;
}

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
