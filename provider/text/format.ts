/** Small changes of texts for messages and names. */

/** Truncates a text. The ellipsis lets redact.ts recognize a secret of which only the beginning is left. */
export const truncate = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;

/** Converts `imageUri` to `image_uri`. */
export const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Returns the name of a field in the API: `agentgraphConfigPath` -> `agentgraph_config_path`, with the vendor's prefix.
 */
export const wireSpelling = (key: string, vendorPrefix: string): string =>
  snakeCase(key).replace(/^agentgraph_/, `${vendorPrefix}_`);

/** A detail of an error: what it is, and its value. */
export type Detail = readonly [label: string, value: string];

/** Returns details as lines in two columns. */
export function alignDetails(details: readonly Detail[]): string[] {
  const width = Math.max(...details.map(([label]) => label.length));
  return details.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}
