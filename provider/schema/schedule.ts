/** The fields of a schedule in cron format, and the one text for all writings of the same times. Pure. */

export interface Field {
  name: string;
  lowest: number;
  highest: number;
  /** Names of values, of which the first one stands for `lowest`. */
  names: readonly string[];
  /** Further forms that some servers accept. */
  extension?: RegExp;
}

export const FIELDS: readonly Field[] = [
  { name: "minute", lowest: 0, highest: 59, names: [] },
  { name: "hour", lowest: 0, highest: 23, names: [] },
  { name: "day of the month", lowest: 1, highest: 31, names: [], extension: /^(?:\?|l|lw|l-?\d+|\d+w|w\d+)$/i },
  {
    ...{ name: "month", lowest: 1, highest: 12 },
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  {
    ...{ name: "weekday", lowest: 0, highest: 7 },
    names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
    extension: /^(?:\?|l|l[0-7]|(?:[0-7]|[a-z]{3})(?:l|#[1-5]))$/i,
  },
];

/** What an alias stands for; `@reboot` and `@every` have no times. */
export const ALIASES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

export const valuesBetween = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);

/** Returns the number that a text stands for; undefined when it is none of the field's values. */
export function numberOf({ lowest, highest, names }: Field, text: string): number | undefined {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return lowest + named;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= lowest && value <= highest ? value : undefined;
}

/** Returns the same text for schedules of the same times, however written. What is not understood is kept. */
export function normalizeSchedule(schedule: unknown): string {
  const text = String(schedule).trim().toLowerCase();
  const parts = ((Object.hasOwn(ALIASES, text) ? ALIASES[text] : undefined) ?? text).split(/\s+/);
  if (parts.length !== FIELDS.length) return parts.join(" ");
  return FIELDS.map((field, index) => normalizeField(field, parts[index] ?? "")).join(" ");
}

/** Days and weekdays that begin with `*` are no alternative to each other, so only numbers become a list. */
function normalizeField(field: Field, text: string): string {
  const items = text.split(",").map((item) => valuesOf(field, item));
  const isNumeric = items.every((values) => values !== undefined);
  if (!isNumeric) return text.replace(/^\*\/0*1$/, "*");
  return [...new Set(items.flat())].sort((left, right) => Number(left) - Number(right)).join(",");
}

function valuesOf(field: Field, item: string): number[] | undefined {
  const [, first = "", last, step = "1"] = /^(\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(item) ?? [];
  const [from, to] = [first, last ?? first].map((part) => numberOf(field, part));
  const isOpenStep = last === undefined && item.includes("/");
  if (from === undefined || to === undefined || from > to || Number(step) === 0 || isOpenStep) return undefined;
  // 7 and 0 are both Sunday.
  return valuesBetween(from, to, Number(step)).map((value) => (field.highest === 7 ? value % 7 : value));
}
