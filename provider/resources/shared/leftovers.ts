/**
 * What an interrupted run may have left before the program changed. Exports and destinations carry no ownership marker,
 * so only their age and their likeness tell, and nothing but a warning follows from that.
 */
import type { Context } from "../../definition/context";
import { parseServerTimestamp } from "../../schema/timestamp";

export interface LeftoverSearch<T> {
  /** What one of them is called: `schedule`. */
  noun: string;
  /** Everything of this sort that other runs created. */
  existing: readonly T[];
  /** The inputs in which one differs from what is created now. */
  differences: (other: T) => readonly string[];
  /** The request that removes one, below the address of the tracing API. */
  formatRemoval: (id: string) => string;
}

/** So many are named. */
const MAX_WARNINGS = 3;

/** Warns of what is young and differs from what is created now in a single input, or in none where that is allowed. */
export function warnOfLeftovers<T extends { id: string; createdAt?: string | null | undefined }>(
  { noun, existing, differences, formatRemoval }: LeftoverSearch<T>,
  ctx: Context,
): void {
  const createdAfter = ctx.serverNow() - ctx.settings.resumeWithinMs;
  const isRecent = ({ createdAt }: T) => Number(parseServerTimestamp(createdAt) ?? 0n) / 1000 > createdAfter;
  const leftovers = existing.filter((other) => isRecent(other) && differences(other).length <= 1);
  for (const other of leftovers.slice(0, MAX_WARNINGS)) {
    const [field] = differences(other);
    const similarity = field === undefined ? "equals this one" : `differs from this one in ${field} alone`;
    ctx.log.warn(
      `The ${noun} ${other.id} ${similarity}. If no resource manages it, an interrupted run created it.\n` +
        `To remove it:  ${formatRemoval(other.id)}\nTo keep it, declare it as another resource with  import: "${other.id}"`,
    );
  }
}
