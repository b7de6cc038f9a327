/**
 * Checks when a cron fires: its schedule (API `2B.Cron.schedule`) and its time zone (API `2B.Cron.timezone`).
 *
 * The platform describes five fields of numbers, `*`, lists, ranges and steps. Known servers accept more, which others
 * may reject. Own code instead of a library, because this is all that is needed of one: which forms are portable, and
 * whether a date exists. No time is computed here.
 */
import { ALIASES, FIELDS, type Field, numberOf, valuesBetween } from "../../schema/schedule";
import { tryOr } from "../../text/try-or";

/** The days of each month in a leap year. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** What is wrong with a schedule: every server rejects an `error`, and some servers what a `warning` names. */
export interface ScheduleProblem {
  error?: string;
  warning?: string;
}

export function checkSchedule(schedule: string): ScheduleProblem {
  const text = schedule.trim();
  if (text.startsWith("@")) return checkAlias(text);
  const parts = text === "" ? [] : text.split(/\s+/);
  if (parts.length !== FIELDS.length) return { error: describeCount(parts.length) };
  const fields = FIELDS.map((field, index) => readField(field, parts[index] ?? ""));
  const error = fields.find((field) => field.error !== undefined)?.error ?? findMissingDate(fields);
  if (error !== undefined) return { error };
  const extensions = fields.flatMap((field) => field.extensions);
  return extensions.length === 0 ? {} : { warning: describeExtensions(extensions) };
}

function checkAlias(text: string): ScheduleProblem {
  const alias = Object.hasOwn(ALIASES, text) ? ALIASES[text] : undefined;
  if (alias === undefined) return { error: `"${text}" names no times. ${EXPECTED}` };
  return { warning: `"${text}" is an alias, which a server may reject; use "${alias}".` };
}

const EXPECTED = 'Write five fields: minute, hour, day of the month, month and weekday, such as "0 3 * * 1".';

function describeCount(count: number): string {
  const extra = count === 6 ? ", one of them for seconds" : count === 7 ? ", with seconds and years" : "";
  return `has ${count} ${count === 1 ? "field" : "fields"}${extra}. ${EXPECTED}`;
}

function describeExtensions(extensions: readonly string[]): string {
  const list = [...new Set(extensions)].map((part) => `"${part}"`).join(", ");
  return (
    `contains ${list}, which a server may reject: the platform describes only numbers, *, lists, ranges and ` +
    "steps. Weekdays are 0 (Sunday) to 6."
  );
}

interface FieldReading {
  error?: string;
  /** The values that match; undefined when all do, or when an extension decides. */
  values?: readonly number[];
  extensions: readonly string[];
}

function readField(field: Field, text: string): FieldReading {
  if (text === "*") return { extensions: [] };
  const items = text.split(",").map((item) => readItem(field, item));
  const extensions = items.flatMap((item) => item.extensions);
  const error = items.find((item) => item.error !== undefined)?.error;
  if (error !== undefined) return { error, extensions };
  const isOpen = items.some(({ values }) => values === undefined);
  return isOpen ? { extensions } : { extensions, values: items.flatMap(({ values = [] }) => values) };
}

const ITEM = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/;

function readItem(field: Field, item: string): FieldReading {
  if (field.extension?.test(item)) return { extensions: [item] };
  const [, first = "", last, step] = ITEM.exec(item) ?? [];
  const [from, to] =
    first === "*" ? [field.lowest, field.highest] : [first, last ?? first].map((text) => numberOf(field, text));
  if (from === undefined || to === undefined || (first === "*" && last !== undefined))
    return { error: describeItem(field, item), extensions: [] };
  if (step !== undefined && Number(step) === 0)
    return { error: `"${item}" has a step of 0. ${EXPECTED}`, extensions: [] };
  if (first === "*" && step === undefined) return { extensions: [] };
  const isOpenStep = first !== "*" && last === undefined && step !== undefined;
  const isStandard = from <= to && !isOpenStep && !(field.name === "weekday" && to === 7) && !/[a-z]/i.test(item);
  const values = valuesBetween(from, isOpenStep ? field.highest : to, Number(step ?? 1));
  return { extensions: isStandard || first === "*" ? [] : [item], ...(from <= to && { values }) };
}

function describeItem({ name, lowest, highest }: Field, item: string): string {
  if (/^[rh]$/i.test(item)) return `"${item}" is a random ${name}, which would differ after each change. ${EXPECTED}`;
  const last = name === "weekday" ? 6 : highest;
  return `"${item}" is not a valid ${name}; values are ${lowest} to ${last}.`;
}

function findMissingDate([, , day, month, weekday]: readonly FieldReading[]): string | undefined {
  if (!day?.values || weekday?.values || (weekday?.extensions.length ?? 0) > 0) return undefined;
  const longest = Math.max(...(month?.values ?? [1]).map((number) => DAYS[number - 1] ?? 31));
  if (Math.min(...day.values) <= longest) return undefined;
  return `never comes: no month that it names has a day ${Math.min(...day.values)}.`;
}

/**
 * Names of time zones without an area, as the IANA database writes them: servers compare names exactly. Node.js also
 * accepts abbreviations such as `PST`, and names in any case; its own list of names, `Intl.supportedValuesOf`, lacks
 * every name that is a link to another one, even `UTC`.
 */
const WITHOUT_AREA: ReadonlySet<string> = new Set([
  ...["UTC", "GMT", "UCT", "Zulu", "Universal", "Greenwich", "GMT0", "GMT+0", "GMT-0", "WET", "CET", "MET", "EET"],
  ...["EST", "MST", "HST", "EST5EDT", "CST6CDT", "MST7MDT", "PST8PDT", "Cuba", "Egypt", "Eire", "GB", "GB-Eire"],
  ...["Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya", "NZ", "NZ-CHAT", "Navajo"],
  ...["PRC", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey", "W-SU"],
]);

/** Names with an area whose parts all begin with a capital letter, and have no more than three in a row. */
const FORM = /^[A-Z](?!.*[A-Z]{4})[A-Za-z]+(?:\/[A-Z][\w+-]*)+$/;

/** Returns why a text is not the name of a time zone; undefined when it is, or may be one that Node.js lacks. */
export function timeZoneError(name: string): string | undefined {
  const resolved = resolveTimeZone(name);
  if (/^[+-]|^\d|^(?:utc|gmt)[+-]\d/i.test(name) && !WITHOUT_AREA.has(name))
    return `"${name}" is an offset. ${EXPECTED_ZONE}`;
  if (resolved === undefined)
    return FORM.test(name) ? undefined : `"${name}" is not a time zone of the IANA database. ${EXPECTED_ZONE}`;
  const written = [resolved, ...WITHOUT_AREA].find((known) => known.toLowerCase() === name.toLowerCase());
  if (written !== undefined) return written === name ? undefined : `must be written "${written}".`;
  if (!name.includes("/")) return `"${name}" is not a name of the IANA database. ${EXPECTED_ZONE}`;
  return FORM.test(name) ? undefined : `"${name}" is not written as in the IANA database. ${EXPECTED_ZONE}`;
}

/** Returns a warning of a name that Node.js does not know: the database of the server may be newer. */
export function timeZoneWarning(name: string): string | undefined {
  if (resolveTimeZone(name) !== undefined || timeZoneError(name) !== undefined) return undefined;
  return (
    `"${name}" is not a time zone of the IANA database that Node.js ${process.versions.node} contains ` +
    `(${process.versions.tz}); a server with another one may accept it. ${EXPECTED_ZONE}`
  );
}

const EXPECTED_ZONE = 'Use a name such as "Europe/Berlin" or "UTC", in exactly this case.';

const resolveTimeZone = (name: string): string | undefined =>
  tryOr(() => new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone, undefined);
