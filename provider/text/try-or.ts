/** Returns what a function returns; where it throws, another value. */
export function tryOr<T, E>(act: () => T, otherwise: E): T | E {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
