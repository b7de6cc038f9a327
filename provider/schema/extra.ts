/** The input `extra`: fields without an input, in the server's spelling, compared where a response shows them. */
import { z } from "zod";
import { isStoredAs } from "./compare";
import { type FieldMetadata, fieldMetadata, getOwn, isPropertyMap, type PropertyMap } from "./schema";

const anyValue = z.unknown().register(fieldMetadata, { open: true });

/** @param change What a change of it does. */
export const extraInput = (change: string, metadata: FieldMetadata = {}) =>
  z
    .record(z.string(), anyValue)
    .optional()
    .describe(
      "Fields of the server that no other input has, in the server's spelling, such as `{ new_field: { part: " +
        `1 } }\`. They are merged into its requests. ${change} What is removed is no longer sent, and the ` +
        "server keeps it.",
    )
    .register(fieldMetadata, { ...metadata, open: true });

/** Where a decoded object keeps the response itself: no list of its fields shows it. */
const RECEIVED = Symbol("received");

export const withReceived = <T extends object>(decoded: T, json: unknown): T => ({ ...decoded, [RECEIVED]: json });

/** Returns what a response shows in the spelling of the server; undefined for what was not received. */
export function receivedOf(remote: object): PropertyMap | undefined {
  const json = (remote as { [RECEIVED]?: unknown })[RECEIVED];
  return isPropertyMap(json) ? json : undefined;
}

/** Returns a body with further fields. They replace none: what an input or the ownership marker sends counts. */
export function withExtra(body: unknown, extra: unknown): unknown {
  if (extra === undefined) return body;
  if (body === undefined) return extra;
  if (!isPropertyMap(body) || !isPropertyMap(extra)) return body;
  const added = Object.entries(extra).map(([key, part]) => [key, withExtra(getOwn(body, key), part)]);
  return { ...body, ...Object.fromEntries(added) };
}

/** Whether a server hides a value, so that nothing is known of it. */
export const isMask = (shown: unknown): boolean => typeof shown === "string" && /^[*•]+$/.test(shown);

/**
 * Returns the declared fields that a server lacks: those that it shows with other values, and of those that it does not
 * show the ones that were not sent before. Undefined when there are none.
 */
export function missingExtra(sent: unknown, declared: unknown, shown?: unknown): PropertyMap | undefined {
  return missing(sent, declared, shown) as PropertyMap | undefined;
}

function missing(sent: unknown, declared: unknown, shown: unknown): unknown {
  if (isPropertyMap(declared)) {
    const parts = Object.entries(declared)
      .map(([key, part]) => [key, missing(partOf(sent, key), part, partOf(shown, key))] as const)
      .filter(([, part]) => part !== undefined);
    return parts.length === 0 ? undefined : Object.fromEntries(parts);
  }
  const held = shown == null || isMask(shown) ? sent : shown;
  return isStoredAs(undefined, declared, held) ? undefined : declared;
}

const partOf = (value: unknown, key: string) => (isPropertyMap(value) ? getOwn(value, key) : undefined);
