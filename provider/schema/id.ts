/** Validates IDs, so that none changes the route of a request, whatever its source; computes UUIDs from names. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { truncate } from "../text/format";
import { UserError } from "../text/user-error";

/** No slash, whitespace, dot segment or character with a meaning in URLs. */
const ID = /^(?!\.{1,2}$)[\w.~:@+=-]{1,256}$/;

export const isValidId = (id: string): boolean => ID.test(id);

export const remoteId = z.string().regex(ID, "not a valid ID");

/** An ID that no object of the server can have. Nothing was sent. */
export class InvalidIdError extends UserError {
  override name = "InvalidIdError";
}

export const quotedId = (id: string): string => JSON.stringify(truncate(id, 100));

export const isUuid = (value: unknown): value is string => z.guid().safeParse(value).success;

/**
 * Returns a UUID as one segment of a path. Agent servers in JavaScript take other text for the name of a graph, and
 * would change or delete its default assistant.
 * @throws InvalidIdError when it is not a UUID.
 */
export function uuidSegment(id: string): string {
  if (isUuid(id)) return id;
  throw new InvalidIdError(`${quotedId(id)} is not a UUID, so no request was sent. Copy the ID from the server.`);
}

/** Returns an ID encoded as one segment of a path. @throws InvalidIdError when it is not a valid ID. */
export function pathSegment(id: string): string {
  if (isValidId(id)) return encodeURIComponent(id);
  throw new InvalidIdError(`${quotedId(id)} is not a valid ID, so no request was sent. Copy it from the server.`);
}

const UUID = /^(?:urn:uuid:)?\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;

/** Returns a UUID in lower case with hyphens. Other texts, such as the name that a field accepts, are kept. */
export function normalizeUuid(value: unknown): string {
  const text = String(value);
  const parts = UUID.exec(text)?.slice(1);
  return parts ? parts.join("-").toLowerCase() : text;
}

/** Whether two texts are one ID: servers and users write UUIDs in several ways. */
export const isSameId = (left: unknown, right: unknown): boolean => normalizeUuid(left) === normalizeUuid(right);

/** Returns the ID of an assistant: the name of a graph stands for its default one. */
export function toAssistantId(value: unknown): string {
  const text = String(value);
  return UUID.test(text) ? normalizeUuid(text) : defaultAssistantId(text);
}

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
