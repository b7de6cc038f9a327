/** One request for all who ask at about the same time. Nothing is kept: no response is from before somebody asked. */
import DataLoader from "dataloader";

/** How long a request waits for others to join it. Milliseconds. */
const BATCH_WINDOW_MS = 5;

/**
 * @param readMany Reads many keys; for each, in their order, what was found, or why nothing was.
 * @param options.maxBatchSize So many keys are read at once.
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
