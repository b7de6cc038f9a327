/** Requests shared by functions that are called at about the same time. No response is from before a call. */
import { createLoader } from "../../api/batch";

/** Reads keys, each different, in one scope; returns a value or an error for each, in their order. */
type ReadMany<S, V> = (keys: readonly string[], scope: S) => Promise<readonly (V | Error)[]>;

/**
 * @param maxBatchSize The most keys that one request reads.
 * @returns A function that reads one key within a scope, such as the clients of one server.
 */
export function batched<S extends object, V>(
  readMany: ReadMany<S, V>,
  maxBatchSize = Number.POSITIVE_INFINITY,
): (scope: S, key: string) => Promise<V> {
  const loaders = new WeakMap<S, (key: string) => Promise<V>>();
  return (scope, key) => {
    const load = loaders.get(scope) ?? createLoader<V>((keys) => readMany(keys, scope), { maxBatchSize });
    loaders.set(scope, load);
    return load(key);
  };
}

/** Shares one read without a key, such as a whole list. */
export function coalesced<S extends object, V>(read: (scope: S) => Promise<V>): (scope: S) => Promise<V> {
  const load = batched<S, V>(async (_keys, scope) => [await read(scope)]);
  return (scope) => load(scope, "");
}
