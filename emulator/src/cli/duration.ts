import { limits } from "../runtime/limits";
import { usageError } from "./subcommand";

/** Milliseconds by unit, longest first. */
const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

/** Parses `500ms`, `30s`, `10m`, `2h`, `3d` and sums such as `1h30m` to milliseconds. @throws CommandError */
export function parseDuration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw usageError(
      `Invalid duration "${text}"; expected a number with a unit, such as 500ms, 30s, 10m, 2h, 3d or 1h30m.`,
    );
  }
  const sum = parts.reduce((total, [, count, unit]) => total + Number(count) * units[unit as keyof typeof units], 0);
  if (sum > limits.clock.maxAdvanceMs) throw usageError(`Duration "${text}" is too long; the maximum is 3650d.`);
  return Math.round(sum);
}

/** Formats milliseconds: 5400000 is `1h30m`. */
export function formatDuration(ms: number): string {
  let remaining = ms;
  const parts = Object.entries(units).map(([unit, size]) => {
    const count = Math.floor(remaining / size);
    remaining -= count * size;
    return count === 0 ? "" : `${count}${unit}`;
  });
  return parts.join("") || "0s";
}
