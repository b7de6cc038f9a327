const loaders: (() => unknown)[] = [];

/** A module that the emulator's own process loads when it is first needed, since the start is quicker without. */
export function lazy<T>(load: () => T): () => T {
  loaders.push(load);
  return load;
}

/** Loads them all, in the process of somebody else: a test runner may refuse to load anything between two tests. */
export function loadAll(): void {
  for (const load of loaders) load();
}
