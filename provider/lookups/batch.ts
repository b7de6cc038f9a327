/** One request for all who ask at about the same time, and never an answer from before somebody asked. */
import type DataLoader from "dataloader";
import { batched } from "../api/batch";

/** Reads many keys from one place; for each key in its order what was found, or why nothing was. */
type ReadMany<P, V> = (keys: readonly string[], place: P) => Promise<readonly (V | Error)[]>;

/**
 * @param most So many keys are read at once.
 * @returns A look-up of one key, in a place such as the clients of one service.
 */
export function together<P extends object, V>(
  readMany: ReadMany<P, V>,
  most = Number.POSITIVE_INFINITY,
): (place: P, key: string) => Promise<V> {
  const loaders = new WeakMap<P, DataLoader<string, V>>();
  const open = (place: P) => {
    const readEach = async (keys: readonly string[]) => {
      const distinct = [...new Set(keys)];
      const found = await readMany(distinct, place);
      return keys.map((key) => found[distinct.indexOf(key)] as V | Error);
    };
    return batched<V>(readEach, { maxBatchSize: most });
  };
  return (place, key) => {
    const loader = loaders.get(place) ?? open(place);
    loaders.set(place, loader);
    return loader.load(key);
  };
}

/** The same for what has no key: a whole list that several ask for. */
export function once<P extends object, V>(read: (place: P) => Promise<V>): (place: P) => Promise<V> {
  const load = together<P, V>(async (_keys, place) => [await read(place)]);
  return (place) => load(place, "");
}
