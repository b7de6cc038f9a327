/** Batches reads that are requested at about the same time, each key once. No response is from before a call. */
import { setTimeout } from "node:timers/promises";
import DataLoader from "dataloader";

type Wait = () => Promise<unknown>;

const BATCH_WINDOW_MS = 5;
const shortly: Wait = () => setTimeout(BATCH_WINDOW_MS);

/** @param readMany Returns a value or an error for each key, in their order. @param options.wait Default: 5 ms. */
export function createLoader<V>(
  readMany: (keys: readonly string[]) => PromiseLike<ArrayLike<V | Error>>,
  { wait = shortly, maxBatchSize = Number.POSITIVE_INFINITY }: { wait?: Wait; maxBatchSize?: number } = {},
): (key: string) => Promise<V> {
  const read = (keys: readonly string[]) => {
    // Later calls read again.
    loader.clearAll();
    return readMany(keys);
  };
  const loader = new DataLoader<string, V>(read, {
    maxBatchSize,
    // A canceled wait sends the request at once: its callers decide what a cancellation means for them.
    batchScheduleFn: (dispatch) => void wait().then(dispatch, dispatch),
  });
  return (key) => loader.load(key);
}

export interface IdReaderOptions<T, V> {
  /** Reads several objects in one request. The server may omit some, or return others. */
  readMany(ids: readonly string[]): Promise<readonly T[]>;
  /** Reads one object; also each that `readMany` did not return: only a 404 on the object means that it is gone. */
  readOne(id: string): Promise<V>;
  idOf(item: T): string | null | undefined;
  maxBatchSize: number;
}

export function createIdReader<T, V>(options: IdReaderOptions<T, V>): (id: string) => Promise<T | V> {
  const { readMany, readOne, idOf, maxBatchSize } = options;
  return createLoader<T | V>(
    async (ids) => {
      const listed = ids.length > 1 ? await readMany(ids) : [];
      const byId = new Map(listed.map((item) => [idOf(item), item]));
      return Promise.all(ids.map((id) => byId.get(id) ?? readOne(id).catch((error: Error) => error)));
    },
    { maxBatchSize },
  );
}
