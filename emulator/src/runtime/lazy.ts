const loaders: (() => unknown)[] = [];

/** Registers a module that a separate process loads on first use, because the emulator starts faster without it. */
export function lazyModule<T>(load: () => T): () => T {
  loaders.push(load);
  return load;
}

/** Loads all of them. In another process, a test runner may refuse to load a module between two tests. */
export function loadAllModules(): void {
  for (const load of loaders) load();
}
