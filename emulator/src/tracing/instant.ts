const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Microseconds since 1970 of an ISO 8601 time, or undefined when it is none. Without a zone it is UTC, a date alone its
 * first moment; digits beyond microseconds are dropped.
 */
export function parseInstant(text: string): number | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] = match;
  const offset = /^z$/i.test(zone) ? "Z" : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const milliseconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  // Date.parse takes 30 February for 1 March.
  const exists = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (Number.isNaN(milliseconds) || !exists) return undefined;
  return milliseconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, "0"));
}

/** The time as the first part of a dotted_order writes it: 20260102T030405678901Z. */
export function compactInstant(micros: number): string {
  const milliseconds = Math.floor(micros / 1000);
  const iso = new Date(milliseconds).toISOString().replace(/[-:.]/g, "");
  return `${iso.slice(0, -1)}${String(micros - milliseconds * 1000).padStart(3, "0")}Z`;
}
