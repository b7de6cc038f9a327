import type { Clock } from "../runtime/scheduling/clock";
import { parseInstant } from "../tracing/timestamp";

/** An instant, in microseconds since 1970. */
export type Micros = number;

export const microsPerHour = 3_600_000_000;
export const microsPerDay = 24 * microsPerHour;

export function nowMicros(clock: Clock): Micros {
  return clock.now() * 1000;
}

/** A time that the check of a request let pass. */
export function readTime(text: string): Micros {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`"${text}" is no time`);
  return instant;
}

/** Whether a time can be kept: later ones are no exact numbers, and earlier than 1970 nobody traced anything. */
export function isKeepable(text: string): boolean {
  const instant = parseInstant(text) ?? -1;
  return instant >= 0 && Number.isSafeInteger(instant);
}

/** As live services write it: whatever the offset that was sent, `+00:00` comes back. */
export function showTime(instant: Micros): string {
  const seconds = Math.floor(instant / 1_000_000);
  const fraction = instant - seconds * 1_000_000;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return `${text}${fraction === 0 ? "" : `.${String(fraction).padStart(6, "0")}`}+00:00`;
}
