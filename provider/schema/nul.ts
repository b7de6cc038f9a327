/** NUL characters, which servers in Python replace wherever they store a text (API `2B.Thread.metadata:nul`). Pure. */
import type { z } from "zod";
import { isEqual } from "./compare";
import { isPropertyMap } from "./schema";

/**
 * Returns a value as these servers store it: they replace the escape sequence of JSON, also where the text itself
 * contains it.
 */
export function withoutNul<T>(value: T): T;
export function withoutNul(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "\ufffd").replaceAll("\\u0000", "\\ufffd");
  if (Array.isArray(value)) return value.map(withoutNul);
  if (!isPropertyMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [withoutNul(key), withoutNul(part)]));
}

/** Whether what a server returns is the declared value, as it is or as servers in Python store it. */
export const isStoredAs = (schema: z.ZodType | undefined, declared: unknown, remote: unknown): boolean =>
  isEqual(schema, declared, remote) || isEqual(schema, withoutNul(declared), remote);
