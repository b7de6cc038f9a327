/** A detail of an error: what it is, and its value. */
export type Detail = readonly [label: string, value: string];

/** Returns details as lines in two columns. */
export function alignDetails(details: readonly Detail[]): string[] {
  const width = Math.max(...details.map(([label]) => label.length));
  return details.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}
