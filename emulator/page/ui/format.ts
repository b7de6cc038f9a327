/** Formats times, durations and numbers in the language of the browser. */

const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });
const integer = new Intl.NumberFormat();

/** Returns the time, and the date as well unless it is the same day as `now`. */
export function formatTime(at: string | number, now: number): string {
  const value = new Date(at);
  return new Date(now).toDateString() === value.toDateString() ? time.format(value) : dateTime.format(value);
}

const withZone = (timeZone?: string) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long", ...(timeZone && { timeZone }) });
const local = withZone();

/** Returns date, time and zone: by default that of the browser. */
export function formatDateTime(at: string | number, timeZone?: string): string {
  return (timeZone === undefined ? local : withZone(timeZone)).format(new Date(at));
}

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000 } as const;

/** Returns how long ago or ahead a time is: "3 min. ago", "in 2 hr.", "yesterday". */
export function formatRelative(at: string | number, now: number): string {
  const ms = new Date(at).getTime() - now;
  const units = Object.entries(UNITS) as [keyof typeof UNITS, number][];
  // Up to two days in hours: "tomorrow" may be the day after it.
  const isLong = ([unit, length]: [string, number]) => Math.abs(ms) >= (unit === "day" ? 2 * length : length);
  const [unit, length] = units.find(isLong) ?? (["second", 1000] as const);
  return relative.format(Math.trunc(ms / length), unit);
}

/** Returns the day of an export, which is a day in UTC. */
export function formatDay(at: string | number): string {
  return date.format(new Date(at));
}

export function formatCount(count: number, singular: string): string {
  return `${integer.format(count)} ${count === 1 ? singular : `${singular}s`}`;
}

/** Formats milliseconds with a unit that fits: "0.3 s", "2 min 5 s", "3 h 20 min". */
export function formatDuration(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1000);
  const [large, small, units] =
    seconds < 3600
      ? [Math.floor(seconds / 60), seconds % 60, ["min", "s"]]
      : [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), ["h", "min"]];
  return small === 0 ? `${large} ${units[0]}` : `${large} ${units[0]} ${small} ${units[1]}`;
}

/** Characters without a shape, or that change the direction of text. Joiners remain: emoji and scripts need them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must become visible.
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Returns text from a client with its invisible characters as codes. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Returns the last part of an image reference or the first characters of a commit. */
export function shortSource(source: string): string {
  return /^[0-9a-f]{40}$/.test(source) ? source.slice(0, 10) : (source.split("/").at(-1) ?? source);
}
