interface Growing<T> {
  readonly length: number;
  set(values: T): void;
}

/** The same values, and room for as many again. */
export function longer<T extends Growing<T>>(values: T, make: new (length: number) => T): T {
  const copy = new make(2 * values.length);
  copy.set(values);
  return copy;
}
