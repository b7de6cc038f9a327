/**
 * What state holds in place of a secret that a service has and `agentgraph adopt` did not write down: the first update
 * or refresh learns it. Pure.
 */
import type { PropertyMap } from "./schema";

/** Frozen: it lives in users' state. */
export const UNKNOWN_SECRET = "not known before the first `pulumi up`";

/** The value with what another one has in place of what was never seen. */
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
