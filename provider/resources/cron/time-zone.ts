/** Checks names of time zones (API `2B.Cron.timezone`): servers compare them exactly as the IANA database writes them. */

/**
 * Names of the database without an area. Node.js also accepts abbreviations such as `PST`, and names in any case; its own list of
 * names, `Intl.supportedValuesOf`, lacks every name that is a link to another one, even `UTC`.
 */
const WITHOUT_AREA: ReadonlySet<string> = new Set([
  ...["UTC", "GMT", "UCT", "Zulu", "Universal", "Greenwich", "GMT0", "GMT+0", "GMT-0", "WET", "CET", "MET", "EET"],
  ...["EST", "MST", "HST", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "Cuba", "Egypt", "Eire", "GB", "GB-Eire"],
  ...["Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya", "NZ", "NZ-CHAT", "Navajo"],
  ...["PRC", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey", "W-SU"],
]);

/** Names with an area whose parts all begin with a capital letter, and have no more than three in a row. */
const FORM = /^[A-Z](?!.*[A-Z]{4})[A-Za-z]+(?:\/[A-Z][\w+-]*)+$/;

/** Returns why a text is not the name of a time zone; undefined when it is. */
export function timeZoneError(name: string): string | undefined {
  const resolved = resolveTimeZone(name);
  if (/^[+-]|^\d|^(?:utc|gmt)[+-]\d/i.test(name) && !WITHOUT_AREA.has(name))
    return `"${name}" is an offset. ${EXPECTED}`;
  if (resolved === undefined)
    return `"${name}" is not a time zone of the IANA database that Node.js ${process.versions.node} contains (${process.versions.tz}). ${EXPECTED}`;
  const written = [resolved, ...WITHOUT_AREA].find((known) => known.toLowerCase() === name.toLowerCase());
  if (written !== undefined) return written === name ? undefined : `must be written "${written}".`;
  if (!name.includes("/")) return `"${name}" is not a name of the IANA database. ${EXPECTED}`;
  return FORM.test(name) ? undefined : `"${name}" is not written as in the IANA database. ${EXPECTED}`;
}

const EXPECTED = 'Use a name such as "Europe/Berlin" or "UTC", in exactly this case.';

function resolveTimeZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
