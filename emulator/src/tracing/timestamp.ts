const isoPattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Parses an ISO 8601 time to microseconds since 1970; undefined if it is invalid. Without a zone it is UTC, without a
 * time midnight. Truncates to microseconds; after 2255 a number holds only a few microseconds' precision.
 */
export function parseMicros(text: string): number | undefined {
  const match = isoPattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "", zone = "Z"] = match;
  const milliseconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  // Date.UTC accepts 30 February (1 March), 24:00 (the next day) and the year 50 (1950).
  const date = new Date(milliseconds).toISOString();
  const exists = date.startsWith(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
  const offset = zoneMinutes(zone);
  if (!exists || offset === undefined) return undefined;
  return (milliseconds - offset * 60_000) * 1000 + Number(fraction.slice(0, 6).padEnd(6, "0"));
}

function zoneMinutes(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** Formats a time for a dotted_order: 20260102T030405678901Z. */
export function formatCompact(micros: number): string {
  const milliseconds = Math.floor(micros / 1000);
  const iso = new Date(milliseconds).toISOString();
  const date = iso.slice(0, 4) + iso.slice(5, 7) + iso.slice(8, 10);
  const time = iso.slice(11, 13) + iso.slice(14, 16) + iso.slice(17, 19) + iso.slice(20, 23);
  return `${date}T${time}${String(micros - milliseconds * 1000).padStart(3, "0")}Z`;
}
