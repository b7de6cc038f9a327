/** ISO 8601 timestamps with a time zone, and the inputs and outputs that contain them. */
import { z } from "zod";
import { fieldMetadata, optionalText } from "./schema";

const FORM = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

/** Returns microseconds since the epoch; undefined when the text is not a timestamp with a time zone. */
export function parseTimestamp(text: unknown): bigint | undefined {
  const match = typeof text === "string" ? FORM.exec(text) : null;
  if (!match) return undefined;
  const [, date = "", minutes = "", seconds = "00", fraction = "", sign, zoneHours = "00", zoneMinutes = "00"] = match;
  const local = Date.parse(`${date}T${minutes}:${seconds}Z`);
  // Some parsers move February 30 into March, so the date must survive the round trip.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== date) return undefined;
  if (Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return undefined;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return BigInt(local - offset) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
}

/** Parses a timestamp in a response: UTC without a time zone, which many omit, or milliseconds since the epoch. */
export function parseServerTimestamp(text: unknown): bigint | undefined {
  if (/^\d{12,13}$/.test(String(text))) return BigInt(String(text)) * 1000n;
  return parseTimestamp(text) ?? parseTimestamp(`${text}Z`);
}

/** Returns the time of creation in milliseconds; NaN, neither recent nor old, where the server does not return it. */
export const createdAtMs = ({ createdAt }: { createdAt?: string | null | undefined }): number =>
  Number(parseServerTimestamp(createdAt) ?? Number.NaN) / 1000;

/** Whether two timestamps are one instant as far as they show it. True where one is absent or unreadable. */
export function isSameTime(left: unknown, right: unknown): boolean {
  const [from, to] = [parseServerTimestamp(left), parseServerTimestamp(right)];
  if (from === undefined || to === undefined) return true;
  const precision = [left, right].map(digitsOfSecond).reduce((one, other) => Math.min(one, other));
  const unit = 10n ** BigInt(6 - precision);
  // A server may round or truncate the same time.
  return from === to || (from - to > -unit && from - to < unit);
}

const digitsOfSecond = (text: unknown) => Math.min(/:\d\d\.(\d+)/.exec(String(text))?.[1]?.length ?? 0, 6);

/** Formats an instant in UTC, ending in `Z`, with a fraction only when there is one (API `2.timestamps`). */
export function formatTimestamp(instant: bigint): string {
  const fraction = ((instant % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const whole = new Date(Number((instant - fraction) / 1000n)).toISOString().slice(0, 19);
  return `${whole}${fraction === 0n ? "" : `.${String(fraction).padStart(6, "0").replace(/0+$/, "")}`}Z`;
}

/** Formats a timestamp as users write it: `+00:00` becomes `Z`. What is not understood is kept. */
export function toUtc(text: string): string {
  const instant = parseServerTimestamp(text);
  return instant === undefined ? text : formatTimestamp(instant);
}

export const timestamp = z
  .string()
  .refine((text) => parseTimestamp(text) !== undefined, {
    error: ({ input }) => `is not a valid timestamp; ${suggestTimestamp(input)}`,
  })
  .register(fieldMetadata, { compare: "instant" });

function suggestTimestamp(input: unknown): string {
  const corrected = [`${input}Z`, `${input}T00:00:00Z`].find((text) => parseTimestamp(text) !== undefined);
  return `use ${corrected ? `"${corrected}"` : 'UTC, such as "2026-01-31T00:00:00Z"'}`;
}

export const timeOutputs = {
  createdAt: optionalText("Time of creation; absent if the server does not return it.").register(fieldMetadata, {
    stable: {},
  }),
  updatedAt: optionalText("Time of the last change; absent if the server does not return it."),
};
