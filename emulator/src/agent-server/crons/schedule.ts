import { randomInt } from "node:crypto";
import { Cron } from "croner";

/** What `@` can precede; `@reboot` and `@every` have no times. */
const aliases = ["@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/** The values of the fields in their order: minute, hour, day, month, weekday, and the optional second and year. */
const ranges = [
  [0, 59],
  [0, 23],
  [1, 28],
  [1, 12],
  [0, 6],
  [0, 59],
] as const;

/** A schedule that the server cannot read. */
export class ScheduleError extends Error {}

/**
 * Returns the next time after `afterMs` in milliseconds, or undefined if there is none, as on 31 February. @throws
 * ScheduleError
 */
export function nextTime(schedule: string, timezone: string | null, afterMs: number): number | undefined {
  try {
    const options = { timezone: timezone ?? "UTC", paused: true, sloppyRanges: true } as const;
    return new Cron(toPattern(schedule), options).nextRun(new Date(afterMs))?.getTime();
  } catch (error) {
    if (error instanceof ScheduleError) throw error;
    throw new ScheduleError(`Invalid cron schedule '${schedule}'`);
  }
}

/** Returns the pattern with the second first, where the library expects it; the server has it after the weekday. */
function toPattern(schedule: string): string {
  const text = schedule.trim();
  if (text.startsWith("@") && !aliases.includes(text)) throw new ScheduleError(`Invalid cron schedule '${schedule}'`);
  const [minute, hour, day, month, weekday, second, ...year] = text.split(/\s+/).map(withRandom);
  if (second === undefined) return text.startsWith("@") ? text : [minute, hour, day, month, weekday].join(" ");
  return [second, minute, hour, day, month, weekday, ...year].join(" ");
}

/** Replaces `R`, which stands for any value. */
function withRandom(field: string, index: number): string {
  const [lowest, highest] = ranges[index] ?? [];
  return field === "R" && lowest !== undefined ? String(randomInt(lowest, highest + 1)) : field;
}

/** Returns whether a time zone is the name of one in the IANA database, as it is written there. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    // An alias, such as US/Pacific, has another name.
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
