/** Points in time as texts: ISO 8601 with a zone, however it is spelled. */

const FORM = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;

/** Microseconds since 1970 UTC; undefined when the text names no instant, for example because it has no zone. */
export function parseTimestamp(text: unknown): bigint | undefined {
  const match = typeof text === "string" ? FORM.exec(text) : null;
  if (!match) return undefined;
  const [, date = "", minutes = "", seconds = "00", fraction = "", sign, zoneHours = "00", zoneMinutes = "00"] = match;
  const local = Date.parse(`${date}T${minutes}:${seconds}Z`);
  // The 30th of February is moved into March by some parsers: a day must come back as it went.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== date) return undefined;
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return BigInt(local - offset) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
}

/** The same of a time in a server's answer, which is UTC where it names no zone: many services leave that out. */
export function parseServerTimestamp(text: unknown): bigint | undefined {
  return parseTimestamp(text) ?? parseTimestamp(`${text}Z`);
}

/** An instant as the interface shows times (section 2 C): UTC, ending in `Z`, with a fraction only where there is one. */
export function formatTimestamp(instant: bigint): string {
  const fraction = ((instant % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const whole = new Date(Number((instant - fraction) / 1000n)).toISOString().slice(0, 19);
  return `${whole}${fraction === 0n ? "" : `.${String(fraction).padStart(6, "0").replace(/0+$/, "")}`}Z`;
}
