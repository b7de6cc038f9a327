import type { Clock } from "../runtime/scheduling/clock";
import { parseMicros } from "../tracing/timestamp";

/** An instant, in microseconds since 1970. */
export type Micros = number;

export const MICROS_PER_HOUR = 3_600_000_000;
export const MICROS_PER_DAY = 24 * MICROS_PER_HOUR;

export function nowMicros(clock: Clock): Micros {
  return clock.now() * 1000;
}

/** Parses a validated time. */
export function parseTime(text: string): Micros {
  const instant = parseMicros(text);
  if (instant === undefined) throw new Error(`"${text}" is not a valid time`);
  return instant;
}

/** Returns whether a time can be stored: it must be a safe integer and not before 1970. */
export function isStorableTime(text: string): boolean {
  const instant = parseMicros(text) ?? -1;
  return instant >= 0 && Number.isSafeInteger(instant);
}

/** Formats a time as real servers do, always with the offset `+00:00`. */
export function formatTime(instant: Micros): string {
  const seconds = Math.floor(instant / 1_000_000);
  const fraction = instant - seconds * 1_000_000;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return `${text}${fraction === 0 ? "" : `.${String(fraction).padStart(6, "0")}`}+00:00`;
}
