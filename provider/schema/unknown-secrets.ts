/**
 * The placeholder in state for a secret that exists on the server and that `agentgraph adopt` could not read. The first
 * update or refresh resolves it. Pure.
 */
import type { PropertyMap } from "./schema";

/** Frozen: it is stored in users' state. */
export const UNKNOWN_SECRET = "not known before the first `pulumi up`";

/** Returns the value with every placeholder replaced by what `from` has at the same path. */
export function resolvePlaceholders<T>(value: T, from: unknown): T {
  return resolve(value, from) as T;
}

function resolve(value: unknown, from: unknown): unknown {
  if (value === UNKNOWN_SECRET) return from ?? value;
  if (typeof value !== "object" || value === null || typeof from !== "object" || from === null) return value;
  if (Array.isArray(value)) return value.map((part, index) => resolve(part, (from as unknown[])[index]));
  return Object.fromEntries(
    Object.entries(value as PropertyMap).map(([key, part]) => [
      key,
      resolve(part, Object.hasOwn(from, key) ? (from as PropertyMap)[key] : undefined),
    ]),
  );
}
