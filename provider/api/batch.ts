/** Batches reads that are requested at about the same time. Nothing is cached: no response is from before a call. */
import DataLoader from "dataloader";

/** How long a read waits for others to join its request. */
const BATCH_WINDOW_MS = 5;

/**
 * @param readMany Reads many keys; returns a value or an error for each, in their order.
 * @param options.maxBatchSize The most keys that one request reads.
 */
export function createLoader<V>(
  readMany: (keys: readonly string[]) => PromiseLike<ArrayLike<V | Error>>,
  {
    windowMs = BATCH_WINDOW_MS,
    maxBatchSize = Number.POSITIVE_INFINITY,
  }: { windowMs?: number; maxBatchSize?: number } = {},
): DataLoader<string, V> {
  return new DataLoader(readMany, {
    cache: false,
    maxBatchSize,
    batchScheduleFn: (dispatch) => setTimeout(dispatch, windowMs),
  });
}
