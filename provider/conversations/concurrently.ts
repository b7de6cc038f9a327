/** Handles many items, a few at a time, without holding all of them. */
const CONCURRENCY = 4;

/** @throws the first error, once what had begun has ended. */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  handle: (item: T) => Promise<void>,
): Promise<void> {
  const pending = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  try {
    for await (const item of items) {
      const handling: Promise<void> = handle(item)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => pending.delete(handling));
      pending.add(handling);
      if (pending.size >= CONCURRENCY) await Promise.race(pending);
      if (failure) break;
    }
  } finally {
    await Promise.all(pending);
  }
  if (failure) throw failure.error;
}
