/** Small changes of texts for messages and names, and durations as texts. */

/** Truncates a text. The ellipsis lets redact.ts recognize a secret of which only the beginning is left. */
export const truncate = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;

export const snakeCase = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns a field's name in the API: `agentgraphConfigPath` -> `agentgraph_config_path`, with the vendor's prefix. */
export const wireSpelling = (key: string, vendorPrefix: string): string =>
  snakeCase(key).replace(/^agentgraph_/, `${vendorPrefix}_`);

export type Detail = readonly [label: string, value: string];

export function alignDetails(details: readonly Detail[]): string[] {
  const width = Math.max(...details.map(([label]) => label.length));
  return details.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
}

/** The parts of a duration with units, as in settings and timeouts: "90s", "15m", "1h30m". */
const DURATION_PART = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const MS_PER_UNIT: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Returns a duration in milliseconds; undefined when the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = ""] of text.matchAll(DURATION_PART)) total += Number(amount) * (MS_PER_UNIT[unit] ?? 0);
  return total;
}

/** Formats milliseconds for a status: `45 s`, `3 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  const total = Math.round(milliseconds / 1000);
  return total < 120 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}
