/**
 * The placeholder in state for a secret that exists on the server and that `agentgraph adopt` could not read. The first
 * update or refresh resolves it. Pure.
 */
import { getOwn, isObjectOrArray } from "./schema";

/** Frozen: it is stored in users' state. */
export const UNKNOWN_SECRET = "not known before the first `pulumi up`";

/** Returns the value with every placeholder replaced by what `from` has at the same path. */
export function resolvePlaceholders<T>(value: T, from: unknown): T {
  if (value === UNKNOWN_SECRET) return (from ?? value) as T;
  if (!isObjectOrArray(value) || !isObjectOrArray(from)) return value;
  const resolved = Object.entries(value).map(([key, part]) => [key, resolvePlaceholders(part, getOwn(from, key))]);
  return (Array.isArray(value) ? resolved.map(([, part]) => part) : Object.fromEntries(resolved)) as T;
}
